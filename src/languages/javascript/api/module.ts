/** One file of an npm package as data: what it declares, imports and exports. The syntax tree isn't kept. */
import type { ApiGapReason, Callable, DeclarationForm } from "../../api/surface.ts";

/** Where an exported or imported name comes from. `name` is "*" for the namespace of a module, "=" for `module.exports`. */
export type ModuleOrigin =
  | { readonly kind: "local"; readonly name: string }
  | { readonly kind: "from"; readonly from: string; readonly name: string };

export type ModuleMember = {
  readonly name: string;
  readonly calls: readonly Callable[];
  /** Null when unknown. */
  readonly text: string | null;
};

export type ModuleDeclaration = {
  readonly form: DeclarationForm;
  /** Exists only for the type checker. */
  readonly isType: boolean;
  readonly calls: readonly Callable[];
  /** Null when unknown. */
  readonly text: string | null;
  readonly members: readonly ModuleMember[];
  /** Classes and interfaces whose members it has too, or the type of a variable: dotted names. */
  readonly bases: readonly string[];
  /** It has members that can't be read: a computed base, an intersection, a syntax error. */
  readonly hasUnknownMembers: boolean;
  /** A namespace's own declarations. */
  readonly scope: ModuleScope | null;
};

export type ExportedName = { readonly origin: ModuleOrigin; readonly isType: boolean };

export type ModuleScope = {
  readonly path: string;
  readonly outer: ModuleScope | null;
  readonly locals: Map<string, ModuleDeclaration[]>;
  readonly imports: Map<string, Extract<ModuleOrigin, { kind: "from" }>>;
  readonly exports: Map<string, ExportedName>;
  /** Specifiers of `export * from`. */
  readonly stars: { readonly from: string; readonly isType: boolean }[];
  /** `export =` and `module.exports =`; null when there is none. */
  assigned: ModuleOrigin | null;
  /** Reasons why its exports can't be read completely. */
  readonly gaps: Set<ApiGapReason>;
  /** True when the file has any import or export. */
  isModule: boolean;
};

export function createModuleScope(path: string, outer: ModuleScope | null): ModuleScope {
  return {
    path,
    outer,
    locals: new Map(),
    imports: new Map(),
    exports: new Map(),
    stars: [],
    assigned: null,
    gaps: new Set(),
    isModule: false,
  };
}

export function declareLocal(scope: ModuleScope, name: string, declaration: ModuleDeclaration): void {
  const known = scope.locals.get(name);
  if (known === undefined) scope.locals.set(name, [declaration]);
  else known.push(declaration);
}
