/** Compares what two versions of a file export: names that are gone, and signatures that accept other calls. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { Syntax, SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import { compareOutlines } from "../outline/compare-outlines.ts";
import { outlineTree } from "../outline/outline-file.ts";
import type { Declaration, Outline, DeclaredParameter } from "../outline/outline.ts";
import type { ExportChange, ModuleExports, SignatureLines } from "./export-change.ts";
import { readCsharpModule } from "../csharp/csharp-module.ts";
import { readGoModule } from "../go/go-module.ts";
import { readJavaModule } from "../java/java-module.ts";
import { readJavaScriptModule, readTypeScriptModule } from "../javascript/javascript-module.ts";
import { readKotlinModule } from "../kotlin/kotlin-module.ts";
import type { ModuleReader } from "./module-reader.ts";
import { readPhpModule } from "../php/php-module.ts";
import { readRubyModule } from "../ruby/ruby-module.ts";
import { readRustModule } from "../rust/rust-module.ts";
import { readPythonModule } from "../python/python-module.ts";

export type ExportTexts = {
  /** At the base. */
  readonly path: string;
  readonly language: string;
  readonly before: string;
  /** Null for a deleted file. */
  readonly after: string | null;
};

const READERS: Readonly<Record<string, { readonly grammar: SyntaxLanguage; readonly read: ModuleReader }>> = {
  javascript: { grammar: "tsx", read: readJavaScriptModule },
  typescript: { grammar: "typescript", read: readTypeScriptModule },
  tsx: { grammar: "tsx", read: readTypeScriptModule },
  python: { grammar: "python", read: readPythonModule },
  go: { grammar: "go", read: readGoModule },
  java: { grammar: "java", read: readJavaModule },
  kotlin: { grammar: "kotlin", read: readKotlinModule },
  php: { grammar: "php", read: readPhpModule },
  rust: { grammar: "rust", read: readRustModule },
  csharp: { grammar: "csharp", read: readCsharpModule },
  ruby: { grammar: "ruby", read: readRubyModule },
};

type Side = ModuleExports & { readonly outline: Outline };

/** Empty when a version can't be parsed without errors. */
export function compareExports(
  { path, language, before, after }: ExportTexts,
  syntax: Syntax,
): readonly ExportChange[] {
  const reader = Object.hasOwn(READERS, language) ? READERS[language] : undefined;
  const old = reader === undefined ? null : parseWhole(reader.grammar, before, syntax);
  if (reader === undefined || old === null) return [];
  const current = after === null ? null : parseWhole(reader.grammar, after, syntax);
  if (after !== null && (current === null || keepsStatements(old, current))) return [];
  const readSide = (root: SyntaxNode, text: string): Side | null => {
    const outline = outlineTree(language, root, text);
    return outline === null ? null : { ...reader.read(root, outline, { path, text }), outline };
  };
  const was = readSide(old, before);
  const now = after === null || current === null ? NOTHING : readSide(current, after);
  if (was === null || now === null) return [];
  const renames = new Map(
    compareOutlines(was.outline, now.outline).flatMap((each) =>
      each.kind === "renamed" && each.before.containers.length === 0
        ? [[each.before.name, each.after.name]]
        : [],
    ),
  );
  const changes: ExportChange[] = [];
  for (const [name, declaration] of was.names) {
    const shared = { name, package: was.package, before: declaration === null ? null : linesOf(declaration) };
    if (!now.names.has(name)) {
      const to = declaration === null ? null : (renames.get(declaration.name) ?? null);
      if (!now.isOpen && was.incidental?.has(name) !== true)
        changes.push({ ...shared, change: { kind: "removed", to } });
      continue;
    }
    const [from, to] = [was.calls.get(name), now.calls.get(name)];
    const declared = now.names.get(name);
    if (
      from === undefined ||
      to === undefined ||
      declared == null ||
      from.isClass !== to.isClass ||
      from.isExtension !== to.isExtension
    )
      continue;
    if (!isSameList(from.parameters, to.parameters, HAS_KEYWORDS.has(language)))
      changes.push({
        ...shared,
        change: { kind: "calls", after: linesOf(to.declaration ?? declared), from, to },
      });
  }
  return [...changes, ...compareMembers(was, now, HAS_KEYWORDS.has(language))];
}

/** Methods that are gone or accept other calls, of classes that are still there. */
function compareMembers(was: Side, now: Side, hasKeywords: boolean): readonly ExportChange[] {
  return [...(was.members ?? [])].flatMap(([name, { methods }]) => {
    const current = now.members?.get(name);
    if (current === undefined) return [];
    return [...methods].flatMap(([method, from]): readonly ExportChange[] => {
      const to = current.methods.get(method);
      const { isStatic, declaration } = from;
      const shared = {
        name,
        member: { name: method, isStatic },
        package: was.package,
        before: linesOf(declaration),
      };
      if (to === undefined) {
        if (now.isOpen || current.isOpen === true) return [];
        // It may be a property now, or have several declarations.
        const isGone = !new RegExp(`\\b${escapePattern(method)}\\b`).test(current.text);
        return isGone ? [{ ...shared, change: { kind: "removed", to: null } }] : [];
      }
      if (to.isStatic !== isStatic || isSameList(from.parameters, to.parameters, hasKeywords)) return [];
      return [{ ...shared, change: { kind: "calls", after: linesOf(to.declaration), from, to } }];
    });
  });
}

const NOTHING: Side = { names: new Map(), calls: new Map(), isOpen: false, package: null, outline: [] };

/** Null when the text can't be parsed without errors. */
function parseWhole(grammar: SyntaxLanguage, text: string, syntax: Syntax): SyntaxNode | null {
  const root = syntax.supports(grammar) ? syntax.parse(grammar, text) : null;
  return root === null || root.find({ rule: { kind: "ERROR" } }) !== null ? null : root;
}

/** Every top-level statement is still there, word for word, so no export is gone and none is called differently. */
function keepsStatements(old: SyntaxNode, current: SyntaxNode): boolean {
  const kept = new Set(current.namedChildren().map((node) => node.text()));
  return old.namedChildren().every((node) => kept.has(node.text()) || node.kind() === "comment");
}

function linesOf({ startLine, bodyLine, endLine }: Declaration): SignatureLines {
  return { from: startLine, to: bodyLine ?? endLine };
}

/** Calls can name a parameter there. */
const HAS_KEYWORDS: ReadonlySet<string> = new Set(["python", "php", "csharp", "kotlin"]);

function isSameList(
  one: readonly DeclaredParameter[],
  other: readonly DeclaredParameter[],
  hasKeywords: boolean,
): boolean {
  const shape = ({ name, isOptional, isRest, by }: DeclaredParameter): string =>
    `${hasKeywords || by === "name" ? name : ""} ${isOptional} ${isRest} ${by ?? ""}`;
  return one.map(shape).join("\n") === other.map(shape).join("\n");
}
