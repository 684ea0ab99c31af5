/** pubspec.yaml: what a Dart or Flutter package depends on. */
import type { FileFormat, Listed, Origin } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { readFlowMapping, readYamlLines, type YamlLine } from "../formats/yaml-lines.ts";
import { registryAt } from "../formats/registry-origin.ts";

const SECTIONS = new Map([
  ["dependencies", { group: "runtime", key: "" }],
  ["dev_dependencies", { group: "dev", key: "" }],
  ["dependency_overrides", { group: "runtime", key: "override" }],
] as const);

export const pubspec: FileFormat = {
  name: "pubspec.yaml",
  kind: "manifest",
  path: /(?:^|\/)pubspec(?:_overrides)?\.ya?ml$/,
  read: readWhole((text) => {
    const lines = readYamlLines(text);
    if (lines.length > 0 && !lines.some(({ key, indent }) => key !== null && indent === 0)) return null;
    return fileOf(readSections(lines));
  }),
};

type Section = { readonly group: "runtime" | "dev"; readonly key: string };

function readSections(lines: readonly YamlLine[]): readonly Listed[] {
  const listed: Listed[] = [];
  let section: Section | undefined;
  /** The column of the names in this section. */
  let column: number | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.indent === 0) {
      section = [...SECTIONS].find(([name]) => name === line.key)?.[1];
      column = null;
    } else if (section !== undefined && line.key !== null) {
      column ??= line.indent;
      if (line.indent === column)
        listed.push(readEntry(line, lines.slice(at + 1, endOfEntry(lines, at)), section));
    }
  }
  return listed;
}

function endOfEntry(lines: readonly YamlLine[], start: number): number {
  let end = start + 1;
  const column = lines[start]?.indent ?? 0;
  while ((lines[end]?.indent ?? 0) > column) end += 1;
  return end;
}

/** A constraint on the line, or fields below it or in braces: `version`, `hosted`, `git`, `path`, `sdk`. */
function readEntry(line: YamlLine, inner: readonly YamlLine[], section: Section): Listed {
  const { key: name, value } = line;
  const fields = new Map([
    ...readFlowMapping(value),
    ...inner.flatMap((each) => [
      [each.key ?? "", each.value.startsWith("{") ? "" : each.value] as const,
      ...readFlowMapping(each.value),
    ]),
  ]);
  const version = inner.find(({ key }) => key === "version");
  const written = value === "" || value.startsWith("{") ? fields.get("version") : value;
  const requirement = written === undefined || written === "" ? null : written;
  const origin = originOf(fields);
  return listPackage(name ?? "", {
    version: origin.kind === "git" ? origin.ref : exactVersion(requirement),
    requirement,
    group: section.group,
    origin,
    line: version?.line ?? inner.find(({ key }) => key === "ref")?.line ?? line.line,
    key: section.key,
  });
}

function originOf(fields: ReadonlyMap<string, string>): Origin {
  const path = fields.get("path");
  const git = fields.get("git");
  if (git !== undefined) {
    const url = git === "" ? (fields.get("url") ?? "") : git;
    return { kind: "git", url: withoutCredentials(url), ref: fields.get("ref") ?? null };
  }
  if (path !== undefined || fields.has("sdk"))
    return { kind: "local", path: path ?? fields.get("sdk") ?? "" };
  const hosted = fields.get("hosted");
  return registryAt(hosted === "" ? fields.get("url") : hosted);
}

function exactVersion(requirement: string | null): string | null {
  return requirement !== null && /^\d+\.\d+\.\d+\S*$/.test(requirement) ? requirement : null;
}
