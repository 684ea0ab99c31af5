/**
 * Signs of tampering that manifests and lockfiles show by themselves. Tools write lockfiles in few ways; an entry that no tool
 * would write is reported, and one that a change of tools explains isn't.
 */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { ComparedFile } from "../read-pair.ts";
import type { Listed, Origin } from "../ecosystem.ts";
import { lazily } from "../formats/needs.ts";
import { overriddenName } from "../npm/overrides.ts";
import { isIntegrityCompatible, isIntegrityWeakened } from "../integrity.ts";
import { isChecked, urlOf, versionOf } from "../pair-versions.ts";
import { isPublicRegistry } from "../privacy.ts";
import { findImitated } from "./close-name.ts";
import { isDeceptiveName, spellOut } from "./spell-out.ts";
import { findNeeds, type Needs } from "./find-unneeded.ts";
import { hostOf, isDeceptiveHost, isForge, isInsecure } from "./hosts.ts";
import type { Signal, SignalKind } from "./signal.ts";
import { isOtherTarball } from "./tarball-address.ts";

type SignalSubject = {
  readonly file: ComparedFile;
  readonly from: Listed | null;
  readonly to: Listed | null;
  /** A manifest asks for the change. */
  readonly isAsked: boolean;
  readonly isDirect: boolean | null;
};

const COMMIT = /^[0-9a-f]{40,64}$/;
/** A tag of fewer numbers moves with every release. */
const WHOLE_VERSION = /\d+\.\d+\.\d+/;

export function createSignalFinder(
  files: readonly ComparedFile[],
): (entry: SignalSubject) => readonly Signal[] {
  const facts = new Map<ComparedFile, FileFacts>();
  return (entry) => {
    const { file, from, to } = entry;
    if (to === null) return [];
    const known = facts.get(file) ?? factsOf(file, files);
    facts.set(file, known);
    const signals: Signal[] = [];
    const shown = (value: string | null): string | null => (value === null ? null : spellOut(value));
    const add: Add = (kind, was = null, is = null) =>
      signals.push({ kind, path: file.path, from: shown(was), to: shown(is) });
    const change = { ...entry, to };
    if (ecosystemOf(file.format.ecosystem).isByReference) addPinSignals(change, add);
    else {
      addRedirections(change, add);
      // One version can be there several times, and each is downloaded.
      addSourceSignals(change, known, add);
      for (const twin of known.twinsOf(to)) addSourceSignals({ ...change, ...twin }, known, add);
      if (file.format.kind === "lockfile" && from === null) addNeedSignals(to, known, add);
      if (to.hasInstallScript === true && from?.hasInstallScript === false) add("install-script");
    }
    if (from === null) addNameSignals(change, add);
    return signals;
  };
}

type Add = (kind: SignalKind, from?: string | null, to?: string | null) => void;

type Change = SignalSubject & { readonly to: Listed };

/** How the file was written before, and what it has now. */
type FileFacts = {
  readonly hosts: ReadonlySet<string>;
  readonly insecureHosts: ReadonlySet<string>;
  readonly isChecked: boolean;
  readonly needs: () => Needs;
  /** Those that manifests name. */
  readonly requested: () => ReadonlySet<string>;
  /** Those that manifests name, and that the lockfile had before: a repository can have several packages. */
  readonly repositories: () => ReadonlySet<string>;
  /** The other entries of the same name and version at the head, with what was in their places. */
  readonly twinsOf: (entry: Listed) => readonly { readonly from: Listed | null; readonly to: Listed }[];
  /** A manifest or a changed package asks for it by its own name. */
  readonly isNamed: (entry: Listed) => boolean;
  /** Another package in the same place at the base. */
  readonly replacedBy: (entry: Listed) => Listed | null;
};

function factsOf(file: ComparedFile, files: readonly ComparedFile[]): FileFacts {
  const entries = (file.base ?? file.head)?.listed ?? [];
  const versionKey = ({ name, version }: Listed): string => `${name}\u0000${version}`;
  const ownKey = ({ name, key }: Listed): string => `${name}\u0000${key}`;
  const head = file.head?.listed ?? [];
  const byVersion = lazily(() => Map.groupBy(head, versionKey));
  const changedByVersion = lazily(() =>
    Map.groupBy(
      head.filter(({ name }) => file.changedNames.has(name)),
      versionKey,
    ),
  );
  // The first of several in one place counts.
  const before = lazily(
    () => new Map((file.base?.listed ?? []).toReversed().map((entry) => [ownKey(entry), entry])),
  );
  const byKey = lazily(() => new Map((file.base?.listed ?? []).map((entry) => [placeOf(entry), entry])));
  const manifests = files.filter(
    ({ format }) => format.kind === "manifest" && format.ecosystem === file.format.ecosystem,
  );
  const listedIn = (side: "base" | "head"): readonly Listed[] =>
    manifests.flatMap((manifest) => manifest[side]?.listed ?? []);
  const requestsAt = {
    base: lazily(() => new Set(listedIn("base").map(({ name }) => name))),
    head: lazily(() => new Set(listedIn("head").map(({ name }) => name))),
  };
  const needs = lazily(() => findNeeds(file, { base: requestsAt.base(), head: requestsAt.head() }));
  return {
    ...hostsOf(entries),
    isChecked: isChecked(entries) && isChecked(head),
    needs,
    requested: lazily(() => new Set(listedIn("head").flatMap(repositoriesOf))),
    repositories: lazily(() => new Set([...entries, ...listedIn("head")].flatMap(repositoriesOf))),
    twinsOf(entry) {
      const entries = file.changedNames.has(entry.name) ? changedByVersion() : byVersion();
      const twins = (entries.get(versionKey(entry)) ?? []).filter((other) => other !== entry);
      return twins.map((to) => ({ from: before().get(ownKey(to)) ?? null, to }));
    },
    isNamed: ({ name }) => requestsAt.head().has(name) || needs().hasNewNeeder(name),
    replacedBy(entry) {
      if (file.format.ecosystem !== "npm") return null;
      const place = placeOf(entry);
      const other = place === "" ? undefined : byKey().get(place);
      return other === undefined || other.name === entry.name ? null : other;
    },
  };
}

/** Most entries are from one host, whose address is looked at once. */
function hostsOf(entries: readonly Listed[]): Pick<FileFacts, "hosts" | "insecureHosts"> {
  const hosts = new Set<string>();
  const insecureHosts = new Set<string>();
  let last: string | null = null;
  let known = "";
  for (const { origin } of entries) {
    const url = origin.kind === "local" ? null : origin.url;
    if (url === null || url === last || (known !== "" && url.startsWith(known))) continue;
    last = url;
    known = /^https?:\/\/[^/?#@]+\//.exec(url)?.[0] ?? "";
    const host = hostOf(origin);
    if (host === null) continue;
    hosts.add(host);
    if (isInsecure(origin)) insecureHosts.add(host);
  }
  return { hosts, insecureHosts };
}

const repositoriesOf = ({ origin }: Listed): readonly string[] =>
  origin.kind === "git" || origin.kind === "url" ? [repositoryOf(origin)] : [];

/** The name under which other packages find an entry, where it can be another than its own. */
const placeOf = ({ key }: Listed): string =>
  key.includes("node_modules/") ? key : key.slice(0, Math.max(key.indexOf("@", 1), 0));

function addSourceSignals({ file, from, to, isAsked }: Change, facts: FileFacts, add: Add): void {
  const { ecosystem, kind } = file.format;
  const isSame = from !== null && from.version === to.version && from.requirement === to.requirement;
  // A commit has other bytes, and a patch makes others.
  const isComparable =
    from?.origin.kind === to.origin.kind && to.origin.kind !== "git" && !to.key.includes("@patch:");
  if (isSame && isComparable && !isIntegrityCompatible(from.integrity, to.integrity))
    add("integrity-changed", from.integrity, to.integrity);
  else if (isSame && isIntegrityWeakened(from.integrity, to.integrity))
    add("integrity-weakened", from.integrity, to.integrity);
  // A part of another package has neither, and npm sometimes loses both: it then asks its registry. Yarn computes the
  // checksum of a package for another system only there.
  const isBundled =
    urlOf(to.origin) === null && (file.format.name === "package-lock.json" || to.group === "optional");
  if (isRemoved(from, to, facts) && !isBundled) add("integrity-removed", from?.integrity ?? null);
  // Only Elixir's lockfiles have the tag. Elsewhere the version of a commit is what its own manifest says, which may stay.
  if (from !== null && ecosystem === "hex" && isMoved(from, to))
    add("moved-reference", refOf(from), refOf(to));
  const isElsewhere =
    from !== null &&
    kind === "lockfile" &&
    !isAsked &&
    isOtherOrigin(from.origin, to.origin) &&
    (from.origin.kind === "registry" || facts.requested().has(repositoryOf(from.origin))) &&
    // Composer writes branches as repositories.
    (isSame || ecosystem !== "composer") &&
    !facts.repositories().has(repositoryOf(to.origin)) &&
    !facts.needs().hasOtherNeeder(to.name);
  if (isElsewhere) add("origin-changed", urlOf(from.origin), urlOf(to.origin));
  addHostSignals({ file, from, to, isAsked }, facts, add);
  if (kind === "lockfile" && ecosystem === "npm" && isOtherTarball(to))
    add("other-package", `${to.name} ${versionOf(to)}`, urlOf(to.origin));
}

/** Where nearly everything has a checksum, this entry had one or should have. */
function isRemoved(from: Listed | null, to: Listed, { isChecked }: FileFacts): boolean {
  return (
    isChecked &&
    to.version !== null &&
    to.origin.kind === "registry" &&
    to.integrity === null &&
    (from === null || from.integrity !== null)
  );
}

/** A registry's package that isn't one anymore, or a repository in the place of another that a manifest still names. */
function isOtherOrigin(from: Origin, to: Origin): boolean {
  if (from.kind === "registry") return to.kind === "git" || to.kind === "url";
  return from.kind === "git" && to.kind === "git" && repositoryOf(from) !== repositoryOf(to);
}

/** One form for the ways to write the address of a repository or download. */
const repositoryOf = (origin: Origin): string =>
  (urlOf(origin) ?? "")
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, "")
    .replace(/^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/#.*$/s, "")
    .replace(/(?:\.git)?\/?$/, "");

function addHostSignals(
  { file, from, to, isAsked }: Omit<Change, "isDirect">,
  facts: FileFacts,
  add: Add,
): void {
  const { ecosystem } = file.format;
  const [url, host] = [urlOf(to.origin), hostOf(to.origin)];
  if (url === null || host === null || to.origin.kind === "local") return;
  if (isInsecure(to.origin) && !facts.insecureHosts.has(host))
    add("insecure-url", from === null ? null : urlOf(from.origin), url);
  const isPublic = isPublicRegistry(url, ecosystem);
  const before = from === null ? null : hostOf(from.origin);
  const isSame = from !== null && from.version === to.version && from.requirement === to.requirement;
  const isOther =
    isSame && before !== host && from.origin.kind === "registry" && to.origin.kind === "registry";
  // The same bytes of the public registry are the same package.
  const isVerified = from?.integrity != null && to.integrity !== null;
  const wasPublic = from !== null && isPublicRegistry(urlOf(from.origin) ?? "", ecosystem);
  // A manifest that names a fork says which repository it takes, and is reported for that.
  const isFork = isAsked && to.origin.kind === "git" && isForge(host);
  const isKnown = facts.hosts.has(host) || isPublic || isFork;
  const isHarmless = isPublic && (isVerified || wasPublic || file.format.kind === "manifest");
  if (isOther && !isHarmless) add("registry-changed", before, host);
  else if (!isKnown && (facts.hosts.size > 0 || from !== null)) add("unknown-host", before, host);
  if (!isKnown && isDeceptiveHost(host, ecosystem)) add("deceptive-host", null, host);
}

function addNeedSignals(to: Listed, facts: FileFacts, add: Add): void {
  const replaced = facts.replacedBy(to);
  if (replaced !== null && !facts.isNamed(to))
    add("origin-changed", `${replaced.name} ${versionOf(replaced)}`, `${to.name} ${versionOf(to)}`);
  // A request that the lockfile doesn't have.
  if (to.requirement !== null) return;
  if (facts.needs().isUnneeded(to)) add("unneeded");
  const needer = facts.needs().newNeederOf(to);
  if (needer !== null) add("new-need", null, needer);
}

/** A manifest that forces another package or source on everyone. */
function addRedirections({ file, from, to }: Change, add: Add): void {
  if (file.format.kind !== "manifest") return;
  const { key, origin, name } = to;
  const [, target] = /^(?:overrides|resolutions|pnpm\/overrides)\/(.+)$/s.exec(key) ?? [];
  const replaced = target === undefined ? null : overriddenName(target);
  if (replaced !== null && replaced !== name) add("redirected", replaced, name);
  else if (origin.kind === "git" || origin.kind === "url") {
    const isMoved = from !== null && from.origin.kind === "registry";
    if (isMoved || (replaced !== null && from === null)) add("redirected", replaced ?? name, origin.url);
  }
}

function addPinSignals({ from, to }: Change, add: Add): void {
  if (from === null) return;
  if (isPinned(from) && !isPinned(to)) add("unpinned", pinOf(from), versionOf(to));
  else if (isMoved(from, to)) add("moved-reference", pinOf(from), pinOf(to));
}

function addNameSignals({ file, to, isDirect }: Change, add: Add): void {
  if (isDeceptiveName(to.name)) add("deceptive-name", null, to.name);
  const isPublic = to.origin.kind === "registry" || ecosystemOf(file.format.ecosystem).isByReference;
  const imitated = isDirect === true && isPublic ? findImitated(file.format.ecosystem, to.name) : null;
  if (imitated !== null) add("close-name", null, imitated);
}

const refOf = ({ origin }: Listed): string | null => (origin.kind === "git" ? origin.ref : null);

const pinOf = (entry: Listed): string | null => entry.integrity ?? refOf(entry) ?? entry.version;

const isPinned = (entry: Listed): boolean => {
  const pin = pinOf(entry) ?? "";
  return COMMIT.test(pin) || pin.startsWith("sha256:");
};

/** The commit is another one, and the version that people read isn't. */
function isMoved(from: Listed, to: Listed): boolean {
  const said = to.saidVersion;
  if (said === undefined || said !== from.saidVersion || !WHOLE_VERSION.test(said)) return false;
  return isPinned(from) && isPinned(to) && pinOf(from) !== pinOf(to);
}
