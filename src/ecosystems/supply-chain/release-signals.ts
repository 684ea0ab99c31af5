/** Signals that need facts of the registry about the two versions. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { Release } from "../lookups.ts";
import type { PackageChange } from "../package-change.ts";
import type { Signal } from "./signal.ts";

/** Deprecations name the successor in their first sentences. */
const MAX_WORDS_CHARS = 200;

/** "(MIT)", "MIT License" and "MIT" are one. */
const plainLicence = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\blicen[cs]e\b|\bthe\b|[()\s]/g, "")
    .replace(/^https?:\/\/.*\/([^/]+)\/?$/, "$1");

export type ReleaseFacts = {
  readonly before: Release | null;
  readonly after: Release;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly minAgeDays: number;
};

export function findReleaseSignals(
  { from, to }: PackageChange,
  { before, after, now, minAgeDays }: ReleaseFacts,
): readonly Signal[] {
  const signals: Signal[] = [];
  const add = (kind: Signal["kind"], was: string | null, is: string | null): void => {
    signals.push({ kind, path: null, from: was, to: is });
  };
  const publishedAt = Date.parse(after.publishedAt ?? "");
  if (publishedAt > now - minAgeDays * DAY_MS)
    add("young-release", null, after.publishedAt?.slice(0, 10) ?? null);
  const hadScript = before?.hasInstallScript ?? from?.hasInstallScript ?? null;
  const hasScript = after.hasInstallScript ?? to?.hasInstallScript ?? null;
  if (hasScript === true && hadScript !== true && (from === null || hadScript === false))
    add("install-script", null, null);
  const [old, present] = [before?.publishers ?? [], after.publishers ?? []];
  const known = new Set([...old, ...(before?.maintainers ?? [])]);
  const isOther = old.length > 0 && present.length > 0 && !present.some((name) => known.has(name));
  // A signed statement of the build says more than the account.
  if (isOther && after.hasProvenance !== true) add("publisher-changed", old.join(", "), present.join(", "));
  if (before?.hasProvenance === true && after.hasProvenance === false) add("provenance-lost", null, null);
  if (after.isWithdrawn === true) add("withdrawn", null, null);
  if (after.isUnpublished === true) add("unpublished", null, after.publishedAt?.slice(0, 10) ?? null);
  if (after.deprecation && !before?.deprecation)
    add("deprecated", null, after.deprecation.slice(0, MAX_WORDS_CHARS));
  const [wasLicence, isLicence] = [before?.licence ?? null, after.licence];
  if (wasLicence !== null && isLicence !== null && plainLicence(wasLicence) !== plainLicence(isLicence))
    add("licence-changed", wasLicence, isLicence);
  return signals;
}
