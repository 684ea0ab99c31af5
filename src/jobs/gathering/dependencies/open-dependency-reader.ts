/** Lets a model read the public packages of a change through the registries. Nothing is looked up before it asks. */
import type { Registries } from "../../../registries/registries.ts";
import type { Lookup } from "../../../ecosystems/lookups.ts";
import type {
  DependencyQuestion,
  DependencyReader,
  DependencyTexts,
} from "../../../review/context/dependency-reader.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { readPrivacy } from "./read-privacy.ts";
import type { ReportDeps } from "./report-deps.ts";

/** Archives are large; the model waits, and has its own deadline. */
const MAX_READ_MS = 20_000;

/** Of all files of one answer. A model reads a few hundred lines at a time. */
const MAX_TEXT_CHARS = 1_000_000;

const MAX_FILES = 20_000;

/** Null when the change touches no public package, or nothing may be looked up. */
export async function openDependencyReader(
  prepared: PreparedReview,
  { lookups, repository, reader, signal }: Pick<ReportDeps, "lookups" | "repository" | "reader" | "signal">,
): Promise<DependencyReader | null> {
  const { dependencies, config } = prepared;
  const settings = config.tree.root.values.dependencies;
  if (dependencies === null || !settings.enabled || lookups === null) return null;
  const isPrivate = await readPrivacy(prepared, { repository, reader });
  const packages = dependencies.packages
    .filter((change) => !settings.ignore.includes(change.name) && !isPrivate(change))
    .map(({ ecosystem, name, from, to }) => ({
      ecosystem,
      name,
      from: from?.version ?? null,
      to: to?.version ?? null,
    }));
  if (packages.length === 0) return null;
  let registries: Promise<Registries> | null = null;
  return {
    packages,
    async read(asked) {
      registries ??= lookups.openRegistries();
      return read(asked, await registries, AbortSignal.any([signal, AbortSignal.timeout(MAX_READ_MS)]));
    },
  };
}

async function read(
  asked: DependencyQuestion,
  registries: Registries,
  signal: AbortSignal,
): Promise<Lookup<DependencyTexts>> {
  const { ecosystem, name, version, since, what, path } = asked;
  const id = { ecosystem, name };
  const readTexts = async (wants: (each: string) => boolean): Promise<Lookup<DependencyTexts>> => {
    const source = await registries.readSource(id, version, { wants, signal });
    if (source.kind !== "found") return source;
    const files = [...source.value].map(([each, text]) => ({ name: each, text }));
    return files.length === 0 ? { kind: "absent" } : { kind: "found", value: fitTexts(files) };
  };
  switch (what) {
    case "changelog": {
      const changelog =
        since === null
          ? ({ kind: "absent" } as const)
          : await registries.readChangelog(id, { from: since, to: version }, signal);
      if (changelog.kind !== "found") return changelog;
      const notes = changelog.value.notes.map((note) => ({ name: note.version, text: note.text }));
      return notes.length === 0 ? { kind: "absent" } : { kind: "found", value: fitTexts(notes) };
    }
    case "files": {
      const paths: string[] = [];
      // Only the paths are wanted, so no content is kept.
      const source = await registries.readSource(id, version, {
        wants: (each) => paths.push(each) < 0,
        signal,
      });
      if (source.kind !== "found") return source;
      const texts = paths
        .toSorted()
        .slice(0, MAX_FILES)
        .map((each) => ({ name: each, text: "" }));
      return { kind: "found", value: { texts, omitted: paths.length - texts.length } };
    }
    case "file":
      return readTexts((each) => each === path);
    case "declarations": {
      const { apiFilesOf } = await import("../../../ecosystems/api/compare-api.ts");
      const isApiFile = apiFilesOf(ecosystem);
      if (isApiFile === null) return { kind: "failed", reason: "unsupported" };
      return readTexts(ecosystem === "npm" ? (each) => /\.d\.[cm]?ts$/.test(each) : isApiFile);
    }
  }
}

/** Files at the top of the package first: entry points are there. */
function fitTexts(found: DependencyTexts["texts"]): DependencyTexts {
  const depthOf = (path: string): number => path.split("/").length;
  const texts: { readonly name: string; readonly text: string }[] = [];
  let chars = 0;
  for (const each of found.toSorted((one, other) => depthOf(one.name) - depthOf(other.name))) {
    chars += each.text.length;
    if (chars > MAX_TEXT_CHARS && texts.length > 0) break;
    texts.push({ ...each, text: each.text.slice(0, MAX_TEXT_CHARS) });
  }
  return { texts, omitted: found.length - texts.length };
}
