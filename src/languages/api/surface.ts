/**
 * The API of one version of a package: its entry points and the names that each exports. Readers of all languages
 * produce this, and compare-surfaces.ts compares two of them.
 */

/** A value exists at run time. A type exists only for the type checker (interfaces and type aliases of TypeScript). */
export type ExportKind = "value" | "type";

export type CallParameter = {
  /** Counts only where callers can write it (Python). "" elsewhere. */
  readonly name: string;
  /** Normalized; "" when unknown. */
  readonly type: string;
  readonly isOptional: boolean;
  /** Takes any number of further arguments. */
  readonly isRest: boolean;
};

/** One way to call a function: an overload, a constructor. */
export type Callable = {
  readonly parameters: readonly CallParameter[];
  /** Normalized; "" when unknown. */
  readonly returns: string;
};

export type DeclarationForm =
  | "function"
  | "class"
  | "interface"
  | "type"
  | "variable"
  | "enum"
  | "module"
  | "unknown";

export type Declared = {
  readonly kind: ExportKind;
  readonly form: DeclarationForm;
  /** Empty for names that can't be called, and where calls are unknown. */
  readonly calls: readonly Callable[];
  /** The normalized declaration without its name; null when unknown, so that it's never compared. */
  readonly text: string | null;
  /** True when members may come from places that weren't read, so that a missing one proves nothing. */
  readonly hasUnknownMembers: boolean;
  /** Base types outside the package. A member that is missing now proves nothing when one of them is new. */
  readonly outsideBases: readonly string[];
  /** Can be imported, but isn't meant to be: a name that a module imports for itself. Its removal isn't reported. */
  readonly isIncidental?: boolean;
};

export type EntryPoint = {
  /** By name. Members follow their owner: "Foo", "Foo.bar". */
  readonly names: ReadonlyMap<string, Declared>;
  /** True when names may come from places that weren't read, so that a missing one proves nothing. */
  readonly isOpen: boolean;
};

/** Why a part of a package wasn't read. Words are made where they are shown. */
export type ApiGapReason =
  /** A name or a group of names comes from another package. */
  | "other-package"
  | "missing-file"
  | "too-large"
  /** The parser doesn't understand a part of the file. */
  | "syntax"
  /** Exports are computed when the program runs. */
  | "computed"
  /** No parser for the language. */
  | "no-parser"
  /** No file to read for an entry point, or no sources in the archive. */
  | "no-source"
  /** The two versions describe the entry point in different ways, which can't be compared. */
  | "no-common-form"
  /** A limit of files, characters, names or entry points. */
  | "limit";

export type ApiGap = {
  readonly reason: ApiGapReason;
  /** The file or entry point; "" for the whole package. */
  readonly where: string;
};

export type ApiSurface = {
  /** By what users import: "pkg/sub", "pkg.module", "example.com/mod/folder", "crate::module", "org.example". */
  readonly entries: ReadonlyMap<string, EntryPoint>;
  readonly gaps: readonly ApiGap[];
};
