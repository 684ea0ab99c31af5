/** A change of a name that other files can import, and how those files use it. */
import type { ImportFact } from "../file-facts.ts";
import type { Declaration, DeclaredParameter } from "../outline/outline.ts";

/** The lines of a signature, starting at 1. */
export type SignatureLines = { readonly from: number; readonly to: number };

export type ExportChange = {
  /** As other files import it; "default" for a default export. */
  readonly name: string;
  /** A method of the exported class that changed; omitted for the name itself. */
  readonly member?: { readonly name: string; readonly isStatic: boolean };
  /** The package that Go, Java and PHP files name; null elsewhere. */
  readonly package: string | null;
  /** Where it is declared at the base; null when only a list of exports had it. */
  readonly before: SignatureLines | null;
  readonly change:
    /** `to`: the new name of the same declaration; null when there is none. */
    | { readonly kind: "removed"; readonly to: string | null }
    | {
        readonly kind: "calls";
        readonly after: SignatureLines;
        readonly from: CallSignature;
        readonly to: CallSignature;
      };
};

export type CallSignature = {
  readonly parameters: readonly DeclaredParameter[];
  /** A class: called with `new` in JavaScript. */
  readonly isClass: boolean;
  /** Kotlin: it is called on a value of a type that other files don't show. */
  readonly isExtension?: boolean;
  /** The declaration on one line. */
  readonly text: string;
  /** The constructor of a class. Omitted: the lines are those of the name. */
  readonly declaration?: Declaration;
};

/** The arguments of a call, as far as they are written there. */
export type CallArguments = {
  readonly positional: number;
  readonly keywords: readonly string[];
  /** A spread or a splat: the number of arguments is unknown. */
  readonly isOpen: boolean;
  readonly isNew: boolean;
  /** Ruby: the named ones are a hash, one more in order, where nothing is passed by name. */
  readonly isHashOtherwise?: boolean;
  /** Kotlin: a lambda after the parentheses, which is the last parameter. */
  readonly hasBlock?: boolean;
};

export type NameUse = {
  readonly line: number;
  /** The member of the imported name that is used; null for the name itself. */
  readonly member: string | null;
  /** Null when it isn't called there. */
  readonly call: CallArguments | null;
  /**
   * True: `member` is used on a variable whose type is the name. Without a member in Kotlin: the name follows any value, as calls of
   * extensions do. Omitted: on the name itself.
   */
  readonly isInstance?: boolean;
};

/** One imported name or module of a file, and what the file does with it. */
export type Reference = {
  /** With at most one name. Null in Go, Java and PHP: a file of the same package needs no import. Null in C#: its project may use the namespace. */
  readonly fact: ImportFact | null;
  /** The local name that the uses have. */
  readonly as: string;
  /** The import or the uses may be skipped: in a `try`, under a condition, in a file that replaces modules. */
  readonly isGuarded: boolean;
  /** Something else in the file has the same name. */
  readonly isShadowed: boolean;
  /** Kotlin: the file may have the name from another package, if this one doesn't have it. Omitted: false. */
  readonly mayBeOther?: boolean;
  readonly uses: readonly NameUse[];
};

export type FileReferences = {
  readonly path: string;
  /** The package that Go, Java and PHP files name; null elsewhere. */
  readonly package: string | null;
  /** Which of the wanted names the file declares at its top level. In Kotlin also `Name.function`, which extends the object of that name. */
  readonly declares: readonly string[];
  /** Namespaces that a C# file adds to every file of its project. Omitted: none. */
  readonly globalUsings?: readonly string[];
  readonly references: readonly Reference[];
};

/** The exports of one version of a file. */
export type ModuleExports = {
  /** By the name that other files use. Null: exported without a declaration in this file. */
  readonly names: ReadonlyMap<string, Declaration | null>;
  /** Names that are there without being meant for others: what a module imports for itself. Omitted: none. */
  readonly incidental?: ReadonlySet<string>;
  /** The signatures of those that can be called, where they are certain. */
  readonly calls: ReadonlyMap<string, CallSignature>;
  /** By the name of an exported class, if it has no other methods than its own. Omitted: none. */
  readonly members?: ReadonlyMap<string, ClassMembers>;
  /** There may be more names: `export *`, a computed export. */
  readonly isOpen: boolean;
  readonly package: string | null;
};

export type ClassMembers = {
  readonly methods: ReadonlyMap<string, MemberSignature>;
  /** The class as written. */
  readonly text: string;
  /** There may be more methods than those that are written there. */
  readonly isOpen?: boolean;
};

export type MemberSignature = CallSignature & {
  readonly isStatic: boolean;
  readonly declaration: Declaration;
};

/** A changed export that files of the repository still use as it was. */
export type BrokenExport = {
  /** The file that declares it, at the head, or at the base for a deleted one. */
  readonly path: string;
  /** Where the change shows it: a removed line on the old side, an added one on the new side; 0 for the file. */
  readonly line: number;
  readonly side: "old" | "new";
  readonly name: string;
  readonly change:
    /** `movedFrom`: the file has another path now; null when it doesn't. */
    | { readonly kind: "removed"; readonly to: string | null; readonly movedFrom: string | null }
    | { readonly kind: "calls"; readonly from: string; readonly to: string };
  /** In the order of paths and lines. */
  readonly sites: readonly BrokenSite[];
};

export type BrokenSite = { readonly path: string; readonly line: number };
