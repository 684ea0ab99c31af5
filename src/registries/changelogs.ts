/**
 * Reads what changed between two versions of a package: from the changelog in its new archive, else from its releases on GitHub, else
 * from the changelog in its repository at the new version's tag, else only the link that compares the two tags. A step that failed is the
 * answer if no later step finds something.
 */
import type { EcosystemId } from "../ecosystems/ecosystem.ts";
import type { PackageSource } from "../languages/api/package-source.ts";
import type { Changelog, Lookup, PackageId, ReleaseNote } from "../ecosystems/lookups.ts";
import { ecosystemOf } from "../ecosystems/all-ecosystems.ts";
import { notesBetween, type VersionRange } from "../ecosystems/changelog/notes-between.ts";
import type { Downloads } from "./downloads.ts";
import type { PackageRegistry } from "./ecosystems/package-registry.ts";
import { contentsAt, GITHUB_API, GITHUB_RAW } from "./github-access.ts";
import { itemsAt, textAt } from "./json-fields.ts";
import { bareVersion, fullVersion } from "../ecosystems/versions/version-prefix.ts";
import { chooseTags, tagOf, type VersionTag } from "./version-tags.ts";

const CHANGELOG_FILE =
  /^(?:[^/]+\/)?(changelog|changes|history|news|releases?(?:[-_]?notes)?)(?:\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|rdoc))?$/i;

/** The newest versions come first, so nothing wanted is behind it. */
const MAX_FILE_CHARS = 1024 * 1024;

const RELEASES_PER_PAGE = 50;
const TAGS_PER_PAGE = 100;

/** Releases of projects with long notes. */
const MAX_RELEASES_BYTES = 2 * 1024 * 1024;

const GITHUB = "https://github.com";
const GITHUB_JSON = "application/vnd.github+json";

/** A repository has one, sometimes with an older one. */
const MAX_FILES = 2;

/** A sentence or two. */
const MAX_POINTER_CHARS = 300;

const COMMIT = /^[\da-f]{40}$/;

type Access = {
  readonly registry: PackageRegistry;
  readonly downloads: Downloads;
  readonly signal: AbortSignal;
};

export async function readChangelog(
  id: PackageId,
  range: VersionRange,
  access: Access,
): Promise<Lookup<Changelog>> {
  const { registry, signal } = access;
  const source = await registry.readSource(id.name, range.to, {
    wants: isChangelog,
    signal,
    purpose: "changelog",
  });
  const found =
    source.kind === "found" ? await notesInFiles(source.value, { ...id, ...range }, access) : source;
  if (found.kind === "found" && found.value.length > 0)
    return { kind: "found", value: { origin: "archive", notes: found.value, compareUrl: null } };
  const fromReleases = await readReleases(id, range, access);
  if (fromReleases.kind !== "absent") return fromReleases;
  // Ecosystems without archives have releases only.
  const isUnread = found.kind === "failed" && found.reason !== "unsupported";
  return isUnread ? found : { kind: "absent" };
}

/** Paths of changelogs, at the root of a package or in a folder of it. */
function isChangelog(path: string): boolean {
  return CHANGELOG_FILE.test(path);
}

/** A changelog that can't be read is a failure, unless another one has notes. */
async function notesInFiles(
  files: PackageSource,
  { ecosystem, ...range }: PackageId & VersionRange,
  { downloads }: Access,
): Promise<Lookup<readonly ReleaseNote[]>> {
  const depthOf = (path: string): number => path.split("/").length;
  const nearestFirst = [...files].sort(
    ([one], [other]) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1),
  );
  let failed: Lookup<never> | null = null;
  for (const [, text] of nearestFirst) {
    const sections = await downloads.parsers.splitChangelog(text.slice(0, MAX_FILE_CHARS));
    if (sections.kind !== "found") {
      failed = sections;
      continue;
    }
    const notes = notesBetween(
      sections.value.map((section) => ({
        ...section,
        version: fullVersion(ecosystem, section.version),
        url: null,
      })),
      ecosystem,
      range,
    );
    if (notes.length > 0) return { kind: "found", value: notes };
  }
  return failed ?? { kind: "found", value: [] };
}

async function readReleases(id: PackageId, range: VersionRange, access: Access): Promise<Lookup<Changelog>> {
  const { registry, downloads, signal } = access;
  const release = await registry.readRelease(id.name, range.to, signal);
  if (release.kind !== "found") return release;
  const { repository, folder } = release.value;
  if (repository === null) return { kind: "absent" };
  if (COMMIT.test(range.from) && COMMIT.test(range.to))
    return changelogOf("releases", [], compareLink(repository, range.from, range.to));

  const base = `${GITHUB_API}/repos/${repository}`;
  const list = await downloads.readJson(`${base}/releases?per_page=${RELEASES_PER_PAGE}`, {
    signal,
    accept: GITHUB_JSON,
    maxBytes: MAX_RELEASES_BYTES,
  });
  if (list.kind === "failed") return list;
  const releases = list.kind === "found" ? itemsAt(list.value) : [];
  const byTag = new Map(releases.map((item) => [textAt(item, "tag_name") ?? "", item]));
  const released = chooseTags([...byTag.keys()], id.name, folder);
  const notes = notesBetween(
    released.map(({ tag, version }) => ({
      version: fullVersion(id.ecosystem, version),
      text: textAt(byTag.get(tag), "body") ?? "",
      url: `${GITHUB}/${repository}/releases/tag/${encodeURIComponent(tag)}`,
    })),
    id.ecosystem,
    range,
  );
  const link = linkBetween(released, id.ecosystem, repository, range);
  if (notes.some((note) => !isPointer(note))) return changelogOf("releases", notes, link);

  let tags = released;
  if (link === null) {
    const all = await downloads.readJson(`${base}/tags?per_page=${TAGS_PER_PAGE}`, {
      signal,
      accept: GITHUB_JSON,
    });
    if (all.kind === "failed" && notes.length === 0) return all;
    const names = all.kind === "found" ? itemsAt(all.value).flatMap((tag) => textAt(tag, "name") ?? []) : [];
    tags = chooseTags(names, id.name, folder);
  }
  const compareUrl = link ?? linkBetween(tags, id.ecosystem, repository, range);
  // The lists have only the newest tags.
  const tag =
    tagOf(tags, (version) => isSame(id.ecosystem, range.to, version)) ??
    `v${bareVersion(id.ecosystem, range.to)}`;
  const files = await readFilesAt({ repository, folder, tag }, access);
  const written =
    files.kind === "found" ? await notesInFiles(files.value, { ...id, ...range }, access) : files;
  if (written.kind === "found" && written.value.length > 0)
    return changelogOf("repository", written.value, compareUrl);
  return changelogOf("releases", notes, compareUrl);
}

const changelogOf = (
  origin: Changelog["origin"],
  notes: readonly ReleaseNote[],
  compareUrl: string | null,
): Lookup<Changelog> =>
  notes.length === 0 && compareUrl === null
    ? { kind: "absent" }
    : { kind: "found", value: { origin, notes, compareUrl } };

/** "See CHANGELOG.md." */
const isPointer = ({ text }: ReleaseNote): boolean =>
  text.length <= MAX_POINTER_CHARS && /change-?log|changes|history|release notes/i.test(text);

type TagPlace = { readonly repository: string; readonly folder: string | null; readonly tag: string };

/** The changelogs of a repository at a tag: those in the package's own folder of a monorepo, else those at the root. */
async function readFilesAt(
  { repository, folder, tag }: TagPlace,
  { downloads, signal }: Access,
): Promise<Lookup<PackageSource>> {
  const urlOf = (path: string): string => contentsAt(repository, path, tag);
  for (const place of new Set([folder ?? "", ""])) {
    const list = await downloads.readJson(urlOf(place), { signal, accept: GITHUB_JSON });
    if (list.kind === "failed") return list;
    const names =
      list.kind === "found" ? itemsAt(list.value).flatMap((item) => textAt(item, "name") ?? []) : [];
    const files = new Map<string, string>();
    for (const name of names.filter((each) => isFileName(each) && isChangelog(each)).slice(0, MAX_FILES)) {
      const path = place === "" ? name : `${place}/${name}`;
      const file = await downloads.readText(urlOf(path), { signal, accept: GITHUB_RAW });
      if (file.kind === "found") files.set(name, file.value.text);
    }
    if (files.size > 0) return { kind: "found", value: files };
  }
  return { kind: "absent" };
}

const isFileName = (name: string): boolean => !name.includes("/") && !/^\.+$/.test(name);

function linkBetween(
  tags: readonly VersionTag[],
  ecosystem: EcosystemId,
  repository: string,
  { from, to }: VersionRange,
): string | null {
  const find = (version: string): string | null => tagOf(tags, (other) => isSame(ecosystem, version, other));
  const [before, after] = [find(from), find(to)];
  return before === null || after === null ? null : compareLink(repository, before, after);
}

function isSame(ecosystem: EcosystemId, one: string, other: string): boolean {
  return ecosystemOf(ecosystem).order.compare(one, fullVersion(ecosystem, other)) === 0;
}

function compareLink(repository: string, from: string, to: string): string {
  return `${GITHUB}/${repository}/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}`;
}
