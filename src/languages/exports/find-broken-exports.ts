/**
 * Finds the files that still use a changed export as it was. It reports only what is certain: the import leads to exactly this file,
 * nothing else in the file has the name, and a call was right before and is wrong now.
 */
import { containingFolder } from "../../base/containing-folder.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { ProjectUsings } from "../csharp/project-usings.ts";
import type { ImportFact } from "../file-facts.ts";
import type { Resolver } from "../resolve/resolver.ts";
import type {
  BrokenExport,
  BrokenSite,
  CallSignature,
  ExportChange,
  FileReferences,
  NameUse,
  Reference,
  SignatureLines,
} from "./export-change.ts";
import { fitsCall } from "./fits-call.ts";

export type ChangedModule = {
  readonly file: ChangedFile;
  /** The path that imports lead to: at the base for a deleted or moved file. */
  readonly path: string;
  /** The path no longer exists at the head. */
  readonly isGone: boolean;
  readonly changes: readonly ExportChange[];
};

export type Usage = {
  readonly files: readonly FileReferences[];
  /** Over the paths at the head. */
  readonly resolver: Resolver;
  /** Over the paths at the head and the changed ones that are gone. */
  readonly earlier: Resolver;
  readonly projectUsings: ProjectUsings;
};

/** A name as one file offers it. */
type Offer = { readonly path: string; readonly name: string; readonly package: string | null };

/** Barrels of barrels are rarely deeper. */
const MAX_CHAIN = 3;

export function findBrokenExports(modules: readonly ChangedModule[], usage: Usage): readonly BrokenExport[] {
  return modules.flatMap((module) =>
    module.changes.flatMap((change) => {
      const sites = sitesOf(change, module, usage);
      return sites.length === 0 ? [] : [describe(change, module, sites)];
    }),
  );
}

function sitesOf(change: ExportChange, module: ChangedModule, usage: Usage): readonly BrokenSite[] {
  // Another file of the package declares it: moved, or one of several for different systems.
  const others = usage.files.filter(
    (file) => file.path !== module.path && (sharesNames(file, module) || isSamePackage(file, change, module)),
  );
  const { name, member } = change;
  const extension = `${name}.${member?.name ?? ""}`;
  if (others.some(({ declares }) => declares.includes(name) || declares.includes(extension))) return [];
  const offers: Offer[] = [{ path: module.path, name: change.name, package: change.package }];
  const sites = new Map<string, BrokenSite>();
  const seen = new Set([module.path]);
  for (let at = 0; at < offers.length && at < 1 + MAX_CHAIN; at++) {
    const offer = offers[at];
    if (offer === undefined) break;
    for (const file of usage.files) {
      for (const reference of file.references) {
        if (!leadsTo(reference, { file, offer, change, module }, usage)) continue;
        for (const line of brokenLines(reference, change, module))
          sites.set(`${file.path}\n${line}`, { path: file.path, line });
        if (change.change.kind === "calls" && passesOn(reference, file, offer) && !seen.has(file.path)) {
          seen.add(file.path);
          offers.push({ path: file.path, name: offer.name, package: file.package });
        }
      }
    }
  }
  return [...sites.values()].toSorted((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  );
}

/** In Go a package is a folder, in Java and PHP a name. In Rust a file is a module. */
function isSamePackage(file: FileReferences, change: ExportChange, { path }: ChangedModule): boolean {
  if (change.package === null || file.package !== change.package) return false;
  const separator = separatorOf(path);
  // Code without a namespace is of several programs.
  if (separator !== null) return change.package !== "" || separator === ".";
  return containingFolder(file.path) === containingFolder(path);
}

/** A name of C#, Ruby or Kotlin is certain only if one file of the repository declares it. */
export function needsOneDeclaration(path: string): boolean {
  return /\.(?:cs|rb|kt)$/.test(path);
}

function sharesNames(file: FileReferences, { path }: ChangedModule): boolean {
  return needsOneDeclaration(path) && file.path.endsWith(path.slice(path.lastIndexOf(".")));
}

/** Between a package and a name in it, where imports are whole names; null elsewhere. */
function separatorOf(path: string): string | null {
  if (/\.(?:java|cs|kt)$/.test(path)) return ".";
  if (/\.(?:rs|rb)$/.test(path)) return "::";
  return path.endsWith(".php") ? "\\" : null;
}

type Target = {
  readonly file: FileReferences;
  readonly offer: Offer;
  readonly change: ExportChange;
  readonly module: ChangedModule;
};

function leadsTo(reference: Reference, target: Target, usage: Usage): boolean {
  const { file, offer, change, module } = target;
  const { fact, isGuarded, isShadowed } = reference;
  if (isGuarded || isShadowed || file.path === offer.path) return false;
  // Calls between Java and Kotlin follow rules of their own.
  if (isKotlin(file.path) !== isKotlin(module.path)) return false;
  if (fact === null)
    return (
      reference.as === change.name &&
      (isSamePackage(file, change, module) || usage.projectUsings(file.path, change.package ?? ""))
    );
  const separator = separatorOf(module.path);
  if (separator !== null) {
    const isWhole = fact.names.length === 0;
    return fact.specifier === (isWhole ? offer.package : qualifiedName(offer, separator));
  }
  if (!isResolved(fact, target, usage)) return false;
  if (change.package !== null) return reference.as === (fact.moduleAlias ?? change.package);
  return true;
}

function isKotlin(path: string): boolean {
  return path.endsWith(".kt");
}

function qualifiedName({ package: inPackage, name }: Offer, separator: string): string {
  // The root module of a crate has no name.
  return inPackage?.endsWith("#") === true ? `${inPackage}${name}` : `${inPackage}${separator}${name}`;
}

/** The import leads to exactly the file of the offer. */
function isResolved(fact: ImportFact, { file, offer, change, module }: Target, usage: Usage): boolean {
  const isGone = module.isGone && offer.path === module.path;
  const now = usage.resolver.resolve(file.path, fact);
  if (isGone && now.paths.length > 0 && change.package === null) return false;
  const { paths, isExact } = isGone ? usage.earlier.resolve(file.path, fact) : now;
  if (!isExact) return false;
  if (change.package !== null)
    return paths.some((path) => containingFolder(path) === containingFolder(offer.path));
  return paths.length === 1 && paths[0] === offer.path && isWantedName(fact, { file, offer }, usage);
}

/** A name that is imported from the file, or the file as a module. In Python `from a import b` can be either. */
function isWantedName(
  fact: ImportFact,
  { file, offer }: Pick<Target, "file" | "offer">,
  { earlier }: Usage,
): boolean {
  const [first] = fact.names;
  if (first === undefined) return true;
  if (first.name === offer.name) return true;
  if (!offer.path.endsWith(".py")) return false;
  const parent = earlier.resolve(file.path, { ...fact, names: [], moduleAlias: "" });
  return !parent.paths.includes(offer.path);
}

function isModule({ fact }: Reference, name: string): boolean {
  const [first] = fact?.names ?? [];
  return fact !== null && first?.name !== name;
}

/** The import itself fails without the name; a member of a module fails where it is used. */
function brokenLines(reference: Reference, change: ExportChange, { path }: ChangedModule): readonly number[] {
  if (change.member !== undefined) return brokenMemberLines(reference, change);
  const { fact } = reference;
  const uses = reference.uses.filter(({ isInstance = false }) => !isInstance);
  const members = fact !== null && isModule(reference, change.name);
  const own = uses.filter(({ member }) => (members ? member === change.name : true));
  if (change.change.kind === "removed") {
    if (reference.mayBeOther === true && change.change.to === null) return [];
    if (fact !== null && !members) return [fact.line];
    return own.map(({ line }) => line);
  }
  const { from, to } = change.change;
  if (from.isExtension === true) return brokenExtensionLines(reference, from, to);
  return own.flatMap(({ line, call, member }: NameUse) => {
    if (call === null || (!members && member !== null)) return [];
    // Python and Kotlin have no `new`.
    if (call.isNew !== (from.isClass && !/\.(?:py|kt)$/.test(path))) return [];
    return fitsCall(from.parameters, call) && !fitsCall(to.parameters, call) ? [line] : [];
  });
}

/** A value can have a function of that name itself, so all calls in a file that imports the extension have to be wrong. */
function brokenExtensionLines(
  { uses }: Reference,
  from: CallSignature,
  to: CallSignature,
): readonly number[] {
  const called = uses.filter(({ member }) => member === null);
  const areWrong = called.every(
    ({ call }) => call !== null && fitsCall(from.parameters, call) && !fitsCall(to.parameters, call),
  );
  return areWrong && called.some(({ isInstance }) => isInstance) ? called.map(({ line }) => line) : [];
}

/** Uses of a method, on the class or on a variable of its type. */
function brokenMemberLines(reference: Reference, { name, member, change }: ExportChange): readonly number[] {
  if (member === undefined || (reference.fact !== null && isModule(reference, name))) return [];
  const own = reference.uses.filter(
    (use) => use.member === member.name && (use.isInstance === true) !== member.isStatic,
  );
  if (change.kind === "removed") return own.map(({ line }) => line);
  return own.flatMap(({ line, call }) =>
    call !== null && fitsCall(change.from.parameters, call) && !fitsCall(change.to.parameters, call)
      ? [line]
      : [],
  );
}

/** Other files can import the name from this file. */
function passesOn({ fact }: Reference, { path }: FileReferences, { name }: Offer): boolean {
  const [first] = fact?.names ?? [];
  if (first?.name !== name || first.as !== name) return false;
  return path.endsWith(".py") || fact?.kind === "re-export";
}

function describe(
  { name: exported, member, before, change }: ExportChange,
  { file }: ChangedModule,
  sites: readonly BrokenSite[],
): BrokenExport {
  const name = member === undefined ? exported : `${exported}.${member.name}`;
  const shared = { path: file.path, name, sites };
  if (change.kind === "removed") {
    const movedFrom = file.status === "renamed" ? file.oldPath : null;
    return {
      ...shared,
      ...placeIn(file, member?.name ?? exported, { old: before, new: null }),
      change: { ...change, movedFrom },
    };
  }
  const shown = { kind: "calls", from: change.from.text, to: change.to.text } as const;
  const word = member?.name ?? exported;
  return { ...shared, ...placeIn(file, word, { old: before, new: change.after }), change: shown };
}

/** A changed line of the declaration, else one that has the name. */
function placeIn(
  { hunks }: ChangedFile,
  name: string,
  lines: { readonly old: SignatureLines | null; readonly new: SignatureLines | null },
): { readonly line: number; readonly side: "old" | "new" } {
  const all = hunks.flatMap((hunk) => walkHunk(hunk));
  const isIn = (line: number | null, range: SignatureLines | null): boolean =>
    line !== null && range !== null && line >= range.from && line <= range.to;
  const added = all.find(({ kind, newLine }) => kind === "added" && isIn(newLine, lines.new));
  if (added !== undefined) return { line: added.newLine ?? 0, side: "new" };
  const removed = all.filter(({ kind }) => kind === "removed");
  const found =
    removed.find(({ oldLine, text }) => isIn(oldLine, lines.old) && text.includes(name)) ??
    removed.find(({ oldLine }) => isIn(oldLine, lines.old)) ??
    removed.find(({ text }) => text.includes(name));
  return { line: found?.oldLine ?? 0, side: "old" };
}
