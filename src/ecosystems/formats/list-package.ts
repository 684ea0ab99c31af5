/** Makes the entries and results that readers of dependency files return. */
import type { DependencyFile, FileProblem, Listed } from "../ecosystem.ts";
import { hasConflictMarkers } from "./conflict-markers.ts";
import { DEFAULT_REGISTRY } from "./registry-origin.ts";

/** An entry of the ecosystem's registry, unless `facts` say otherwise. Written out, because spreading is slow for large lockfiles. */
export function listPackage(name: string, facts: Partial<Omit<Listed, "name">>): Listed {
  const entry: Listed = {
    name,
    version: facts.version ?? null,
    requirement: facts.requirement ?? null,
    group: facts.group ?? "runtime",
    origin: facts.origin ?? DEFAULT_REGISTRY,
    integrity: facts.integrity ?? null,
    hasInstallScript: facts.hasInstallScript ?? null,
    line: facts.line ?? 0,
    key: facts.key ?? "",
  };
  const { saidVersion, isIndirect, isOutsideLock } = facts;
  const isPlain = saidVersion === undefined && isIndirect === undefined && isOutsideLock === undefined;
  return isPlain ? entry : { ...entry, ...facts };
}

/** Files that list packages and no relations between them. */
export function fileOf(listed: readonly Listed[]): DependencyFile {
  return { listed, requested: null, needsOf: null };
}

/** Makes a reader of a file's text from one that returns null for a text that it can't parse. */
export function readWhole(
  read: (text: string, path: string) => DependencyFile | FileProblem | null,
): (text: string, path: string) => DependencyFile | FileProblem {
  return (text, path) => (hasConflictMarkers(text) ? "conflict-markers" : (read(text, path) ?? "malformed"));
}

/** The same for formats that no conflict marker can be valid in, so that only a text without sense is searched for them. */
export function readStrictly(
  read: (text: string, path: string) => DependencyFile | FileProblem | null,
): (text: string, path: string) => DependencyFile | FileProblem {
  return (text, path) => read(text, path) ?? (hasConflictMarkers(text) ? "conflict-markers" : "malformed");
}
