/**
 * How Kodiai understands dependency files: each format is one `FileFormat`, listed in all-formats.ts, that reads a manifest or
 * a lockfile as data. Reading never throws for bad input: a file that can't be understood is a problem with a reason.
 */

export const ECOSYSTEMS = [
  "npm",
  "pypi",
  "go",
  "cargo",
  "rubygems",
  "maven",
  "composer",
  "nuget",
  "pub",
  "hex",
  "github-actions",
  "docker",
  "pre-commit",
  "terraform",
] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

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
  readonly ecosystem: Ecosystem;
  readonly kind: "manifest" | "lockfile";
  /** Names of the manifest formats that a lockfile belongs to. Omitted: all of the ecosystem. */
  readonly manifests?: readonly string[];
  /** True for a lockfile that belongs to manifests of its own folder only, not to those of folders below. */
  readonly isPerFolder?: true;
  /** Whether a path is of this format, by its name alone. */
  readonly isFor: (path: string) => boolean;
  /** Reads the complete text. `path` is for formats whose name says something ("requirements-dev.txt"). */
  readonly read: (text: string, path: string) => DependencyFile | FileProblem;
};
