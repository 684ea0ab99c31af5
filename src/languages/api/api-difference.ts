/** The difference between the APIs of two versions of a package, as far as their archives show it. */
import type { ApiGap, ExportKind } from "./surface.ts";

export type ApiAspect =
  /** Parameters that callers must change: a required one was added, or one was removed. */
  | "parameters"
  /** The same parameters, and at least one has another type. */
  | "parameter-types"
  | "returns"
  /** Another type, or another value of a constant or an enum member. */
  | "type"
  /** A function became a class, a value became a type, … */
  | "form";

export type ApiChange = {
  /** What users import: "pkg", "pkg/sub", "pkg.module". */
  readonly entry: string;
  /** "foo", "Foo.bar", "default". */
  readonly name: string;
  /** "type" when only the type checker notices. */
  readonly kind: ExportKind;
  readonly change:
    | { readonly kind: "removed" }
    /** Removed, and one new name has the same declaration. */
    | { readonly kind: "renamed"; readonly to: string }
    | {
        readonly kind: "changed";
        readonly aspect: ApiAspect;
        /** Declarations without their names, shortened. */
        readonly before: string;
        readonly after: string;
      };
};

/** The abilities that code has on the machine that runs it. */
export const ABILITIES = ["network", "shell", "dynamic-code"] as const;
export type Ability = (typeof ABILITIES)[number];

export type ApiFact =
  /** Importing this path fails now. `isFile`: the package never listed it, but didn't prevent importing the file. */
  | { readonly kind: "entry-removed"; readonly entry: string; readonly isFile: boolean }
  /** The old version could be loaded with `require`, the new one is an ES module only. */
  | { readonly kind: "require-dropped"; readonly entry: string }
  /** The lowest supported version of Node.js or the language went up. Ranges as written. */
  | {
      readonly kind: "engine-raised";
      readonly engine: string;
      readonly from: string | null;
      readonly to: string;
    }
  /** It no longer installs this program. */
  | { readonly kind: "command-removed"; readonly command: string }
  /** It needs this package next to it, and no longer accepts each version that it accepted. Null: it didn't need it. */
  | {
      readonly kind: "peer-narrowed";
      readonly peer: string;
      readonly from: string | null;
      readonly to: string;
    }
  /** Code of the new version does this, and none of the old one did. It breaks nothing. `path`: the first file, inside the package. */
  | { readonly kind: "ability-gained"; readonly ability: Ability; readonly path: string };

export type ApiDifference = {
  readonly changes: readonly ApiChange[];
  readonly facts: readonly ApiFact[];
  /** Names that only the new version has. */
  readonly addedCount: number;
  /** Names of the old version that were compared. */
  readonly comparedCount: number;
  /** Changes that a limit left out of `changes`. */
  readonly omittedCount: number;
  /** The compared texts: "declarations" have types, "code" has only names, "mixed" has both. */
  readonly basis: "declarations" | "code" | "mixed";
  /** Not empty: the comparison is incomplete. */
  readonly gaps: readonly ApiGap[];
};
