/** A package registry: one file per ecosystem, one line each in all-registries.ts. */
import type { PackageSource } from "../../languages/api/package-source.ts";
import type { Lookup, Release } from "../../ecosystems/lookups.ts";
import type { ArchiveFormat, ArchiveRoot } from "../archives.ts";
import { type DocumentOptions, type Downloads, failedLookup } from "../downloads.ts";
import { fieldAt } from "../json-fields.ts";

export type SourceOptions = {
  readonly wants: (path: string) => boolean;
  readonly signal: AbortSignal;
  /** Some registries have an archive with code and another one with the changelog. */
  readonly purpose: "code" | "changelog";
};

/** Never rejects. Callers have checked the name with `isName`, and the version. */
export type PackageRegistry = {
  /** Whether it can be the name of a package. Other texts never become part of a URL. */
  readonly isName: (name: string) => boolean;
  readRelease(name: string, version: string, signal: AbortSignal): Promise<Lookup<Release>>;
  readSource(name: string, version: string, options: SourceOptions): Promise<Lookup<PackageSource>>;
};

export const UNKNOWN_RELEASE: Release = {
  publishedAt: null,
  hasInstallScript: null,
  publishers: null,
  repository: null,
  folder: null,
  isWithdrawn: null,
  isUnpublished: null,
  deprecation: null,
  licence: null,
  hasProvenance: null,
  maintainers: null,
};

export type ArchivePlace = {
  readonly url: string;
  readonly integrity: string | null;
  readonly format: ArchiveFormat;
  readonly root: ArchiveRoot;
};

export async function downloadSource(
  downloads: Downloads,
  { url, integrity, format, root }: ArchivePlace,
  { wants, signal }: SourceOptions,
): Promise<Lookup<PackageSource>> {
  const archive = await downloads.readArchive(url, { integrity, signal });
  return archive.kind === "found"
    ? downloads.parsers.readArchive(archive.value, format, { root, wants, signal })
    : archive;
}

export type DescriptionOptions = Pick<DocumentOptions, "signal" | "isLasting">;

/** A JSON document with this field. Without it, the other side sent something else: an error, or a page of a proxy. */
export async function readDescription(
  downloads: Downloads,
  url: string,
  { has, ...options }: DocumentOptions & { readonly has: string },
): Promise<Lookup<unknown>> {
  const document = await downloads.readJson(url, options);
  const isOther = document.kind === "found" && fieldAt(document.value, has) == null;
  return isOther ? failedLookup("malformed") : document;
}

/** A release with the facts that its description gives. */
export const releaseWith = <Value>(
  description: Lookup<Value>,
  factsOf: (value: Value) => Partial<Release>,
): Lookup<Release> =>
  mapFound(description, (value) => ({
    kind: "found",
    value: { ...UNKNOWN_RELEASE, ...factsOf(value) },
  }));

/** `readPackage` is asked only about a version that isn't there, because most packages that aren't there are private. */
export async function orUnpublished(
  release: Lookup<Release>,
  readPackage: () => Promise<Lookup<unknown>>,
): Promise<Lookup<Release>> {
  if (release.kind !== "absent") return release;
  const whole = await readPackage();
  return whole.kind === "found"
    ? { kind: "found", value: { ...UNKNOWN_RELEASE, isUnpublished: true } }
    : release;
}

/** Changes what was found; everything else stays. */
export function mapFound<Value, Other>(
  lookup: Lookup<Value>,
  change: (value: Value) => Lookup<Other>,
): Lookup<Other> {
  return lookup.kind === "found" ? change(lookup.value) : lookup;
}
