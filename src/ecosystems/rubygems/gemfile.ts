/** Gemfile and gems.rb, without running them. Gems whose name is calculated are left out. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { readGemVersions } from "./gem-requirement.ts";
import {
  parseRubyArguments,
  readRubyStatements,
  type RubyArguments,
  type RubyValue,
  textsOf,
} from "./ruby-call.ts";
import { registryAt } from "../formats/registry-origin.ts";

export const GEMFILE: FileFormat = {
  name: "Gemfile",
  kind: "manifest",
  path: /(?:^|\/)(?:Gemfile|gems\.rb)$|[^/]\.gemfile$/,
  read: readWhole(readGemfile),
};

/** The facts that a block gives to the gems inside it. */
type Block = { readonly groups: readonly string[]; readonly isOptional: boolean; readonly options: Options };
type Options = ReadonlyMap<string, RubyValue>;

const CALL = /^(gem|group|source|git|path|github|platforms?|install_if|git_source|env)\b\s*(.*)$/s;
const DO = /\s+do(?:\s*\|[^|]*\|)?$/;
const KEYWORD = /^(?:if|unless|case|while|until|begin|def|class|module|for)\b/;
const DEV_GROUPS = new Set([
  "ci",
  "cucumber",
  "debug",
  "dev",
  "development",
  "doc",
  "docs",
  "lint",
  "rubocop",
  "test",
]);

function readGemfile(text: string): DependencyFile | null {
  const listed: Listed[] = [];
  const blocks: Block[] = [];
  const sources: string[] = [];
  const gitSources = new Set<string>();
  for (const { text: statement, line } of readRubyStatements(text)) {
    if (/^end\b/.test(statement)) {
      blocks.pop();
      continue;
    }
    const opensBlock = DO.test(statement) || (KEYWORD.test(statement) && !/\bend$/.test(statement));
    const [, method, rest = ""] = CALL.exec(statement) ?? [];
    const call = parseRubyArguments(rest.replace(DO, ""));
    if (method === "git_source") for (const name of textsOf(call.positional[0]) ?? []) gitSources.add(name);
    if (opensBlock) blocks.push(blockOf(method, call));
    else if (method === "source" && typeof call.positional[0] === "string") sources.push(call.positional[0]);
    else if (method === "gem") listed.push(...readGem({ call, blocks, gitSources, line }));
  }
  const registry = registryOf(sources);
  return fileOf(
    listed.map((entry) =>
      entry.origin.kind === "registry" && entry.origin.url === null ? { ...entry, origin: registry } : entry,
    ),
  );
}

function blockOf(method: string | undefined, { positional, options }: RubyArguments): Block {
  const first = positional[0];
  const isOrigin = method === "source" || method === "git" || method === "path" || method === "github";
  return {
    groups: method === "group" ? (textsOf(positional) ?? []) : [],
    isOptional: method === "group" && options.get("optional") === true,
    options: isOrigin ? new Map([...options, [method, first ?? null]]) : new Map(),
  };
}

function readGem(found: {
  readonly call: RubyArguments;
  readonly blocks: readonly Block[];
  readonly gitSources: ReadonlySet<string>;
  readonly line: number;
}): readonly Listed[] {
  const { call, blocks, gitSources, line } = found;
  const [name, ...versions] = call.positional;
  if (typeof name !== "string" || name === "") return [];
  const options = new Map([...blocks.flatMap((block) => [...block.options]), ...call.options]);
  const groups = [
    ...blocks.flatMap((block) => block.groups),
    ...(textsOf(options.get("group")) ?? []),
    ...(textsOf(options.get("groups")) ?? []),
  ];
  return [
    listPackage(name, {
      ...readGemVersions(versions),
      group: blocks.some(({ isOptional }) => isOptional) ? "optional" : groupOf(groups),
      origin: originOf(options, gitSources),
      line,
    }),
  ];
}

function groupOf(groups: readonly string[]): DependencyGroup {
  return groups.length > 0 && groups.every((group) => DEV_GROUPS.has(group)) ? "dev" : "runtime";
}

function originOf(options: Options, gitSources: ReadonlySet<string>): Origin {
  const textAt = (key: string): string | null => {
    const value = options.get(key);
    return typeof value === "string" ? value : null;
  };
  const path = textAt("path");
  if (path !== null) return { kind: "local", path };
  const github = textAt("github");
  const named = [...gitSources].flatMap((key) => textAt(key) ?? []).at(0);
  const git = textAt("git") ?? (github === null ? named : githubUrl(github));
  if (git !== undefined) {
    const ref = textAt("ref") ?? textAt("tag") ?? textAt("branch");
    return { kind: "git", url: withoutCredentials(git), ref };
  }
  return registryAt(textAt("source"));
}

/** `github: "rails"` is short for `rails/rails`. */
function githubUrl(repository: string): string {
  if (repository.includes("://")) return repository;
  return `https://github.com/${repository.includes("/") ? repository : `${repository}/${repository}`}.git`;
}

const PUBLIC_REGISTRY = /^(?:https?:\/\/(?:www\.)?rubygems\.org\/?|rubygems)$/;

/** A gem may come from any of several registries, so the one that isn't public is named. */
export function registryOf(urls: readonly string[]): Origin {
  return registryAt(urls.find((candidate) => !PUBLIC_REGISTRY.test(candidate)) ?? urls[0]);
}
