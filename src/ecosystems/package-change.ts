/** The changes to the packages of a repository, as compare-files.ts finds it in manifests and lockfiles. */
import type { Signal } from "./supply-chain/signal.ts";
import type { DependencyGroup, EcosystemId, FileProblem, Origin } from "./ecosystem.ts";

export type BumpKind =
  | "patch"
  | "minor"
  | "major"
  | "downgrade"
  | "added"
  | "removed"
  /** The range of a manifest changed, and the selected version didn't. */
  | "requirement"
  /** A commit, branch or digest moved. */
  | "reference"
  /** The same version comes from elsewhere, or has other bytes. */
  | "source"
  /** The versions can't be compared. */
  | "unknown";

/** A version on one side of the change. */
export type PackageVersion = {
  /** The selected version, or the lowest that the range names when nothing selects one. */
  readonly version: string;
  /** The range of a manifest; null when only lockfiles have it. */
  readonly requirement: string | null;
  readonly origin: Origin;
  readonly integrity: string | null;
  readonly hasInstallScript: boolean | null;
};

/** One entry of one file that changed. */
export type PackagePlace = {
  readonly path: string;
  /** 1-based line at the head (at the base for a removed one); 0 when unknown or in a lockfile. */
  readonly line: number;
  readonly from: string | null;
  readonly to: string | null;
};

export type PackageChange = {
  readonly ecosystem: EcosystemId;
  readonly name: string;
  /** Null for an added package. Equal versions for kinds "requirement" and "source". */
  readonly from: PackageVersion | null;
  /** Null for a removed package. */
  readonly to: PackageVersion | null;
  readonly kind: BumpKind;
  /** A major, or a minor below 1.0, by the ecosystem's rules. */
  readonly isBreaking: boolean;
  readonly group: DependencyGroup;
  /**
   * From the project to this package, both included: ["express", "body-parser", "qs"]. One name for a direct dependency; empty when
   * unknown. A very long one has its first name, "…", and its last names.
   */
  readonly chain: readonly string[];
  readonly isDirect: boolean | null;
  readonly places: readonly PackagePlace[];
  /** Signs of tampering that the files show. */
  readonly signals: readonly Signal[];
};

/** A manifest and a lockfile that contradict each other at the head. */
export type Disagreement = {
  readonly manifest: string;
  readonly lockfile: string;
  readonly name: string;
  /** The manifest's request; null when it doesn't list the package. */
  readonly requested: string | null;
  /** The lockfile's record or selection; null when it has none. */
  readonly locked: string | null;
};

/** Why a dependency file wasn't compared. */
export type ReadingProblem =
  | {
      readonly problem:
        | FileProblem
        /** Reading it, or comparing it with others, took too much CPU time or memory. */
        | "time"
        | "memory";
    }
  /** Kodiai failed to read it. */
  | { readonly problem: "failed"; readonly message: string };

export type UnreadFile = {
  readonly path: string;
  /** "both" also when it isn't known which of them is the reason. */
  readonly side: "base" | "head" | "both";
  /** The change doesn't touch it: it was only wanted to compare others with. */
  readonly isCompanion?: true;
  /** Its own changes are known. Only comparing it with other files failed. */
  readonly isPartial?: true;
} & ReadingProblem;

export type DependencyChanges = {
  /** Direct ones first, then by name. */
  readonly packages: readonly PackageChange[];
  readonly disagreements: readonly Disagreement[];
  /** Files that weren't compared. Their packages are unknown, not unchanged. */
  readonly unread: readonly UnreadFile[];
};
