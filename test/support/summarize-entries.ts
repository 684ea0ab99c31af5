/** Entries of dependency files as short texts, for tables in tests. */
import type { DependencyFile, FileProblem, Listed, Origin } from "../../src/ecosystems/ecosystem.ts";

/** "name version (requirement) group :line [key]", then the origin unless it's a registry without a URL. Only what the entry has. */
export function summarizeEntry(entry: Listed): string {
  const { name, version, requirement, group, line, key, origin, integrity, saidVersion } = entry;
  return [
    name,
    version ?? "-",
    requirement === null || requirement === version ? "" : `(${requirement})`,
    group === "runtime" ? "" : group,
    line === 0 ? "" : `:${String(line)}`,
    key === "" ? "" : `[${key}]`,
    summarizeOrigin(origin, version),
    integrity === null ? "" : `#${integrity}`,
    saidVersion === undefined ? "" : `said ${saidVersion}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function summarizeOrigin(origin: Origin, version: string | null): string {
  if (origin.kind === "local") return `local ${origin.path}`.trim();
  if (origin.kind === "git")
    return `git ${origin.url}${origin.ref === version ? "" : ` ${origin.ref ?? "-"}`}`;
  return origin.url ?? "";
}

export function summarizeFile(file: DependencyFile | FileProblem): readonly string[] | FileProblem {
  return typeof file === "string" ? file : file.listed.map(summarizeEntry);
}
