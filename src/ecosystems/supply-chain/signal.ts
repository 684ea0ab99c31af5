/** A sign that a dependency change isn't what it seems. The words are made where they are shown. */

export type SignalKind =
  /** The same version has other bytes. */
  | "integrity-changed"
  | "integrity-removed"
  /** A weaker algorithm replaces a stronger one. */
  | "integrity-weakened"
  /** The same version comes from another registry. */
  | "registry-changed"
  /** A lockfile's package became a repository, a download or another package, and no manifest asks for that. */
  | "origin-changed"
  /** A manifest replaces it by another package or another source. */
  | "redirected"
  /** The download isn't encrypted. */
  | "insecure-url"
  /** The download's address names another package or version. */
  | "other-package"
  /** A new package comes from a host that the lockfile didn't use before. */
  | "unknown-host"
  /** The host imitates a registry, or is a bare address. */
  | "deceptive-host"
  /** A lockfile has a package that nothing requests. */
  | "unneeded"
  /** A lockfile has a new package that only unchanged versions need, which didn't need it before. */
  | "new-need"
  /** An action or image was pinned to a commit or digest, and isn't anymore. */
  | "unpinned"
  /** A commit changed, and the version in its comment didn't. */
  | "moved-reference"
  /** Installing the new version runs scripts, and installing the old one didn't. */
  | "install-script"
  /** The name of a new package is close to a popular one. */
  | "close-name"
  /** The name has characters that look like others or can't be seen. */
  | "deceptive-name"
  /** The release is younger than 7 days. */
  | "young-release"
  /** None of the people who published the old version published the new one. */
  | "publisher-changed"
  /** The registry withdrew the version. */
  | "withdrawn"
  /** The registry has the package, and not this version. */
  | "unpublished"
  /** Its publishers say that it shouldn't be used. */
  | "deprecated"
  | "licence-changed"
  /** The old version had a signed statement of where it was built, and the new one has none. */
  | "provenance-lost";

export type Signal = {
  readonly kind: SignalKind;
  /** The file that shows it; null when a registry said it. */
  readonly path: string | null;
  /** The earlier and the present value: hosts, hashes, names, dates. Null when there is nothing to show. */
  readonly from: string | null;
  readonly to: string | null;
};

const TAMPERING: ReadonlySet<SignalKind> = new Set([
  "integrity-changed",
  "integrity-removed",
  "registry-changed",
  "origin-changed",
  "other-package",
  "deceptive-host",
  "deceptive-name",
  "moved-reference",
]);

/** Honest releases have them every day, and the newest release is nearly always young. They are shown. */
const EVERYDAY: ReadonlySet<SignalKind> = new Set([
  "young-release",
  "publisher-changed",
  "licence-changed",
  "provenance-lost",
]);

/** Whether they speak against merging: one that is rare, or two that together say that its publisher is unknown. */
export function areWorrying(signals: readonly Signal[]): boolean {
  const kinds = new Set(signals.map(({ kind }) => kind));
  return (
    signals.some((signal) => !isTampering(signal) && !EVERYDAY.has(signal.kind)) ||
    (kinds.has("publisher-changed") && kinds.has("provenance-lost"))
  );
}

/**
 * Whether honest tools produce it only by mistake. A package that nothing explains isn't one: a manifest can lag behind its lockfile, and a
 * registry's manifest can list what the lockfile left out.
 */
export const isTampering = ({ kind }: Signal): boolean => TAMPERING.has(kind);
