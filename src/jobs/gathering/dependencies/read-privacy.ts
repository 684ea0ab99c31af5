/** Which packages of a change must not be looked up. */
import { grouped } from "../../../base/count.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import { policyCommitOf } from "../../../review/change/policy-commit.ts";
import type { PackageChange } from "../../../ecosystems/package-change.ts";
import type { RegistrySources } from "../../../ecosystems/sources/registry-source.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepared-review.ts";
import type { ReportDeps } from "./report-deps.ts";

/** Manifests of large projects have some 100 KB. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Of one project and the folders above it there are fewer than 20. */
const MAX_FILES = 500;

/** The largest repositories have half as many. Without the list, nothing is looked up. */
const MAX_PATHS = 1_000_000;

/** For all files together. */
const MAX_READ_MS = 10_000;

type Prepared = Pick<PreparedReview, "change" | "config" | "degradations" | "dependencies">;
type Deps = Pick<ReportDeps, "repository" | "reader">;
type IsPrivate = (change: PackageChange) => boolean;

/** The answer for each change: the report and the model's tool ask for the same. */
const known = new WeakMap<Prepared["change"], Promise<IsPrivate>>();

/** If the settings can't be read, everything that they could be about is private. */
export function readPrivacy(prepared: Prepared, deps: Deps): Promise<IsPrivate> {
  const answer = known.get(prepared.change) ?? decide(prepared, deps);
  known.set(prepared.change, answer);
  return answer;
}

async function decide(prepared: Prepared, deps: Deps): Promise<IsPrivate> {
  const { config, degradations } = prepared;
  const { createPrivacy } = await import("../../../ecosystems/privacy.ts");
  const registries = await degradations.optional("registry settings", () => readSettings(prepared, deps));
  if (registries === null) return () => true;
  for (const { path, ecosystem } of registries.unread)
    degradations.note("registry settings", `${path} can't be read, so no ${ecosystem} package was looked up`);
  const patterns = config.tree.root.values.dependencies.privatePackages;
  return createPrivacy({ patterns, registries });
}

async function readSettings(
  { change, dependencies }: Prepared,
  { repository, reader }: Deps,
): Promise<RegistrySources> {
  const { hasSourceFiles, sourceFilesFor } =
    await import("../../../ecosystems/sources/read-registry-sources.ts");
  const packages = (dependencies?.packages ?? []).filter(({ ecosystem }) => hasSourceFiles(ecosystem));
  if (repository === null || packages.length === 0) return { sources: [], unread: [] };
  const commit = policyCommitOf(change);
  // The first commit has no base. Settings can only make more packages private.
  const revision = commit === null ? headOf(change) : { commit };
  const paths = await repository.listPaths(revision, MAX_PATHS);
  if (paths === null) throw new Error(`the repository has more than ${grouped(MAX_PATHS)} files`);
  const wanted = sourceFilesFor(paths, packages);
  if (wanted.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files with settings`);
  if (wanted.length === 0) return { sources: [], unread: [] };
  const texts = await repository.readFiles(
    revision,
    wanted.map(({ path }) => path),
    MAX_FILE_BYTES,
  );
  const files = wanted.flatMap((file) => {
    const text = texts.get(file.path);
    return text === undefined ? [] : [{ ...file, text: decodeBytes(text) }];
  });
  // Links, and files that are too large.
  const missing = wanted.filter(({ path }) => !texts.has(path));
  const reading = await reader.ask("read-registry-sources", { files }, MAX_READ_MS);
  const { sources, unread } = reading.kind === "read" ? reading.value : { sources: [], unread: wanted };
  return { sources, unread: reading.kind === "read" ? [...unread, ...missing] : unread };
}
