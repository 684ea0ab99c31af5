/**
 * What Kodiai knows about package ecosystems: each is one `Ecosystem`, in a folder of its id, listed in all-ecosystems.ts. Its formats
 * read manifests and lockfiles as data. Reading never throws for bad input: a file that can't be understood is a problem with a
 * reason.
 */
import type { SourceFormat } from "./sources/source-format.ts";
import type { VersionOrder } from "./versions/version-order.ts";

/** The names that people read. Reviews without dependencies need them, and load nothing else of ecosystems. */
export const ECOSYSTEM_LABELS = {
  npm: "npm",
  pypi: "Python",
  go: "Go",
  cargo: "Rust",
  rubygems: "Ruby",
  maven: "Java",
  composer: "PHP",
  nuget: ".NET",
  pub: "Dart",
  hex: "Elixir",
  "github-actions": "GitHub Actions",
  docker: "Docker",
  "pre-commit": "pre-commit",
  terraform: "Terraform",
} as const;
export type EcosystemId = keyof typeof ECOSYSTEM_LABELS;

// The keys of a constant are exactly those of its type.
export const ECOSYSTEM_IDS = Object.keys(ECOSYSTEM_LABELS) as readonly EcosystemId[];

/** Everything about one ecosystem. A field that is omitted doesn't apply to it. */
export type Ecosystem = {
  /** Its manifests and lockfiles. The first whose path matches reads a file. */
  readonly formats: readonly FileFormat[];
  /** The settings that name registries. */
  readonly sources?: readonly SourceFormat[];
  readonly order: VersionOrder;
  /** Starts every version, and advisories and tags may leave it out. */
  readonly versionPrefix?: string;
  /** Its tools take a minor below 1.0 for a breaking one. Elsewhere such a number says nothing. */
  readonly isMinorBreakingBelow1?: true;
  /** Makes one name of those that the registry takes for the same. */
  readonly normalizeName?: (name: string) => string;
  /** Names have the number of their major: the part that all majors of a package share. */
  readonly nameOfAllMajors?: (name: string) => string;
  /** The most used packages, separated by spaces. People mistype their names, and attackers imitate them. */
  readonly popularNames?: string;
  /** Its names in databases of advisories. */
  readonly advisoryNames?: { readonly osv: string; readonly github: string };

  /** The registries whose packages everyone can see, and their usual mirrors. */
  readonly publicHosts?: readonly string[];
  /** Hosts of downloads that private packages come from too, so that they prove nothing. */
  readonly downloadHosts?: readonly string[];
  /** Further hosts that settings can name: repositories of whole organizations and forges that anyone can read. */
  readonly publicSources?: readonly string[];
  /** The name that files give to the public registry in place of an address. */
  readonly publicAlias?: string;
  /** Whether a package can be public, by its name. */
  readonly isPublicName?: (name: string) => boolean;
  /** Whether a name often belongs to a company, whose settings may be where Kodiai can't read them. */
  readonly isScopedName?: (name: string) => boolean;
  /** Packages are repositories and images, whose only checksum is their commit or digest. */
  readonly isByReference?: true;

  /** A version always needs the same packages. Elsewhere that depends on the features or extras that others choose. */
  readonly hasFixedNeeds?: true;
  /** Lockfiles keep what was needed once. */
  readonly keepsUnneeded?: true;
  /** Lockfiles have the project's own packages, with what they need. */
  readonly locksProject?: true;
};

/** Where the bytes of a package come from. */
export type Origin =
  /** A registry. `url` as the file writes it, without credentials; null when the file doesn't name one. */
  | { readonly kind: "registry"; readonly url: string | null }
  /** A commit, tag or branch of a repository, or an image digest. */
  | { readonly kind: "git"; readonly url: string; readonly ref: string | null }
  /** A download that no registry manages. */
  | { readonly kind: "url"; readonly url: string }
  /** A folder or workspace of the same repository. */
  | { readonly kind: "local"; readonly path: string };

export type DependencyGroup = "runtime" | "dev" | "optional" | "peer" | "build";

/** One package as one file lists it. */
export type Listed = {
  /** The registry's name, normalized as the ecosystem compares names. */
  readonly name: string;
  /**
   * The exact version, tag, commit or digest that the file selects; null when a manifest names only a range. Without the
   * prefix that the ecosystem ignores (`v` of a Go module is part of its version and stays).
   */
  readonly version: string | null;
  /** The range as a manifest writes it: "^4.1.0", ">=2,<3". Null in lockfiles. */
  readonly requirement: string | null;
  readonly group: DependencyGroup;
  readonly origin: Origin;
  /**
   * As the file writes it; null when it has none. Several hashes have spaces between them, and the hash of one of several files ends
   * with `?` and its name.
   */
  readonly integrity: string | null;
  /** True when installing it runs scripts, as far as the file says; null when the format doesn't say. */
  readonly hasInstallScript: boolean | null;
  /** 1-based line of the entry in a manifest, 0 when unknown (always in lockfiles). */
  readonly line: number;
  /** Distinguishes entries of one name in one file: the path in node_modules, a target, a platform. "" when one is enough. */
  readonly key: string;
  /** True when a manifest lists it only because another package needs it (Go's `// indirect`). Omitted: false. */
  readonly isIndirect?: boolean;
  /** True when the ecosystem's lockfile needn't have it: a plugin, a module, a central version. Omitted: false. */
  readonly isOutsideLock?: boolean;
  /** A version that a comment gives to a commit or digest: `uses: a/b@<commit> # v4.1.0`. Omitted: none. */
  readonly saidVersion?: string;
};

/** A request that a lockfile repeats from a manifest. */
export type Requested = {
  readonly name: string;
  readonly requirement: string;
  /** Folder of the manifest, relative to the lockfile; "" for the same folder. */
  readonly folder: string;
};

export type DependencyFile = {
  readonly listed: readonly Listed[];
  /** The manifests' requests, as the lockfile recorded them; null when the format doesn't record them. */
  readonly requested: readonly Requested[] | null;
  /**
   * The packages that one entry needs, resolved within this lockfile. Called with null for the packages that the project itself
   * requests. Null when the file doesn't say.
   */
  readonly needsOf: ((entry: Listed | null) => readonly Listed[]) | null;
  /** Whether an entry is installed only on some systems or next to some packages, whatever its group. Omitted: none is known. */
  readonly mayBeAbsent?: (entry: Listed) => boolean;
  /** True for a manifest that selects transitive packages too, so that a lockfile of its folder selects nothing more. */
  readonly isComplete?: true;
  /**
   * Checksums by `name version`, also of versions that aren't selected. Versions come and go without meaning; another checksum for
   * the same version is tampering.
   */
  readonly checksums?: ReadonlyMap<string, string>;
};

/** Why a dependency file wasn't understood. The words are made where they are shown. */
export type FileProblem =
  | "too-large"
  | "conflict-markers"
  | "malformed"
  | "unknown-format-version"
  | "unreadable";

export type FileFormat = {
  /** For people: "package-lock.json". */
  readonly name: string;
  readonly kind: "manifest" | "lockfile";
  /** Matches the paths of its files. */
  readonly path: RegExp;
  /** Names of the manifest formats that a lockfile belongs to. Omitted: all of the ecosystem. */
  readonly manifests?: readonly string[];
  /** True for a lockfile that belongs to manifests of its own folder only, not to those of folders below. */
  readonly isPerFolder?: true;
  /** True for a lockfile that each manifest has one of, so that a comparison needs no other manifest. */
  readonly isPerManifest?: true;
  /** True for a lockfile that only proves versions and selects none: it loses a higher version when nothing needs that one anymore. */
  readonly hasOtherVersions?: true;
  /** Reads the complete text. `path` is for formats whose name says something ("requirements-dev.txt"). */
  readonly read: (text: string, path: string) => DependencyFile | FileProblem;
};

/** A format with the ecosystem that lists it. */
export type KnownFormat = FileFormat & { readonly ecosystem: EcosystemId };
