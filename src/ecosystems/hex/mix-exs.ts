/**
 * mix.exs: the dependencies that an Elixir project lists as tuples. The file is a program; only literal tuples inside functions and
 * lists named after dependencies are read, everything else is skipped.
 */
import type { DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { createLineIndex } from "../../base/documents/line-index.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { maskElixir } from "./mask-elixir.ts";

/** The start of a function or list of dependencies, and of any other function. */
const REGION = /^[ \t]*(?:defp?[ \t]+([a-z_]\w*[?!]?)|(@?\w*deps):?[ \t]*\[)/gm;
/** `{:name, …}`: a tuple without inner tuples. */
const TUPLE = /\{\s*:("[\w.]+"|\w+)\s*,([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g;
const ATTRIBUTE = /^[ \t]*@(\w+)[ \t]+"([^"\n]+)"/gm;
const REQUIREMENT = /^\s*(?:"([^"]*)"|@(\w+))\s*(?=,|$)/;

export const mixExs: FileFormat = {
  name: "mix.exs",
  kind: "manifest",
  path: /(?:^|\/)mix\.exs$/,
  read: readWhole((text) => {
    const code = maskElixir(text);
    return code === null || (code.trim() !== "" && !/\bdefmodule\b/.test(code))
      ? null
      : fileOf(readDependencies(code));
  }),
};

function readDependencies(code: string): readonly Listed[] {
  const { lineAt } = createLineIndex(code);
  const attributes = new Map([...code.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [name, value]));
  return regionsOf(code).flatMap(({ start, end }) =>
    [...code.slice(start, end).matchAll(TUPLE)].flatMap((match) => {
      const [, name = "", rest = ""] = match;
      const listed = readTuple(name.replaceAll('"', ""), rest, attributes);
      return listed === null ? [] : [{ ...listed, line: lineAt(start + match.index) }];
    }),
  );
}

/** From the start of each function or list of dependencies to the next function. */
function regionsOf(code: string): readonly { readonly start: number; readonly end: number }[] {
  const starts = [...code.matchAll(REGION)];
  return starts.flatMap((match, at) => {
    const isDependencies = match[2] !== undefined || /deps|dependenc/.test(match[1] ?? "");
    const end = starts[at + 1]?.index ?? code.length;
    return isDependencies ? [{ start: match.index, end }] : [];
  });
}

function readTuple(app: string, rest: string, attributes: ReadonlyMap<string, string>): Listed | null {
  const [matched = "", literal, attribute] = REQUIREMENT.exec(rest) ?? [];
  const options = rest.slice(matched.length);
  const requirement = literal ?? (attribute === undefined ? null : (attributes.get(attribute) ?? null));
  const origin = originOf(options);
  const isDynamic = matched === "" && !/^[\s[]*\w+:/.test(options);
  if (isDynamic) return null;
  const [, hexName = app] = /\bhex:\s*:?"?(\w+)/.exec(options) ?? [];
  const pinned = /^(?:==\s*)?(\d+\.\d+\.\d+\S*)$/.exec(requirement ?? "")?.[1] ?? null;
  return listPackage(hexName, {
    version: origin.kind === "git" ? origin.ref : pinned,
    requirement,
    group: groupOf(options),
    origin,
    key: hexName === app ? "" : app,
  });
}

function optionOf(options: string, name: string): string | null {
  return new RegExp(`\\b${name}:\\s*"([^"]*)"`).exec(options)?.[1] ?? null;
}

function originOf(options: string): Origin {
  const path = optionOf(options, "path");
  if (path !== null || /\bin_umbrella:\s*true/.test(options)) return { kind: "local", path: path ?? "" };
  const github = optionOf(options, "github");
  const url = optionOf(options, "git") ?? (github === null ? null : `https://github.com/${github}`);
  if (url === null) return { kind: "registry", url: registryOf(options) };
  const ref = ["tag", "ref", "branch"].map((name) => optionOf(options, name)).find((each) => each !== null);
  return { kind: "git", url: withoutCredentials(url), ref: ref ?? null };
}

/** As mix.lock writes it; null for the public registry. */
function registryOf(options: string): string | null {
  const organization = optionOf(options, "organization");
  return organization === null ? optionOf(options, "repo") : `hexpm:${organization}`;
}

function groupOf(options: string): DependencyGroup {
  const [, only = ""] = /\bonly:\s*(\[[^\]]*\]|:\w+)/.exec(options) ?? [];
  if (only !== "" && !/:prod\b/.test(only)) return "dev";
  return /\boptional:\s*true/.test(options) ? "optional" : "runtime";
}
