/** Compares the APIs of two versions of a package, for the ecosystems whose archives have sources that can be read. */
import type { Syntax } from "../../syntax/syntax.ts";
import type { EcosystemId } from "../ecosystem.ts";
import type { PackageSource } from "../../languages/api/package-source.ts";
import type { ApiDifference } from "../../languages/api/api-difference.ts";
import { compareSurfaces } from "../../languages/api/compare-surfaces.ts";
import { readGoSurface } from "../../languages/go/go-surface.ts";
import { readJavaSurface } from "../../languages/java/java-surface.ts";
import { compareAction } from "../github-actions/compare-action.ts";
import { compareNpm } from "./compare-npm.ts";
import { gainedAbilities } from "./gained-abilities.ts";
import { readPythonSurface } from "../../languages/python/python-surface.ts";
import { readRustSurface } from "../../languages/rust/rust-surface.ts";
import type { ApiSurface } from "../../languages/api/surface.ts";

/** A report with more changes than this is a rewrite. Values and removals come first. */
const MAX_CHANGES = 2_000;

/** Gaps of one kind repeat. */
const MAX_GAPS = 100;

type SurfaceReader = (files: PackageSource, name: string, syntax: Syntax) => ApiSurface;

const READERS: Partial<Record<EcosystemId, SurfaceReader>> = {
  pypi: (files, _, syntax) => readPythonSurface(files, syntax),
  go: readGoSurface,
  cargo: readRustSurface,
  maven: (files, _, syntax) => readJavaSurface(files, syntax),
};

/** Which files of an archive the comparison reads; null when the ecosystem isn't supported. */
export function apiFilesOf(ecosystem: EcosystemId): ((path: string) => boolean) | null {
  const patterns: Partial<Record<EcosystemId, RegExp>> = {
    npm: /(?:^|\/)package\.json$|\.d\.[cm]?ts$|^(?!.*\.min\.js$).*\.[cm]?js$/,
    pypi: /\.pyi?$|(?:^|\/)(?:top_level\.txt|RECORD)$/,
    go: /\.go$|(?:^|\/)go\.mod$/,
    cargo: /\.rs$|^Cargo\.toml$/,
    maven: /\.(?:java|kt|scala|groovy)$/,
    "github-actions": /^action\.ya?ml$/,
  };
  const pattern = patterns[ecosystem];
  return pattern === undefined ? null : (path) => path.length < 1_000 && pattern.test(path);
}

/** Null when the ecosystem isn't supported. */
export function compareApi(
  id: { readonly ecosystem: EcosystemId; readonly name: string },
  archives: { readonly before: PackageSource; readonly after: PackageSource },
  syntax: Syntax,
): ApiDifference | null {
  const found =
    id.ecosystem === "npm"
      ? compareNpm(id.name, archives, syntax)
      : id.ecosystem === "github-actions"
        ? compareAction(id.name, archives)
        : compareSources(id, archives, syntax);
  if (found === null) return null;
  const changes = found.changes.toSorted((one, other) => rank(one) - rank(other));
  return {
    ...found,
    facts: [...found.facts, ...gainedAbilities(id.ecosystem, archives)],
    changes: changes.slice(0, MAX_CHANGES),
    omittedCount: Math.max(0, changes.length - MAX_CHANGES),
    gaps: found.gaps.slice(0, MAX_GAPS),
  };
}

function rank({ kind, change }: ApiDifference["changes"][number]): number {
  return (kind === "value" ? 0 : 2) + (change.kind === "changed" ? 1 : 0);
}

function compareSources(
  { ecosystem, name }: { readonly ecosystem: EcosystemId; readonly name: string },
  { before, after }: { readonly before: PackageSource; readonly after: PackageSource },
  syntax: Syntax,
): Omit<ApiDifference, "omittedCount"> | null {
  const read = READERS[ecosystem];
  if (read === undefined) return null;
  const [was, is] = [read(before, name, syntax), read(after, name, syntax)];
  // A folder that wasn't read isn't a removed one.
  const isComplete =
    is.entries.size > 0 &&
    !is.gaps.some(({ reason }) => reason === "limit" || reason === "too-large" || reason === "no-parser");
  return {
    ...compareSurfaces(was.entries, is.entries, { isComplete }),
    basis: "declarations",
    gaps: [...was.gaps, ...is.gaps],
  };
}
