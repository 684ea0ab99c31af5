/**
 * An import that the change adds and nothing uses, or whose last use the change removes. A name that occurs anywhere else in
 * the file, even in a comment or a string, counts as used.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type RemovedPlace, removedPlaces } from "../lines/removed-places.ts";
import { isWholeFile } from "../lines/whole-file.ts";
import { type FileView, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Import = {
  readonly name: string;
  readonly line: number;
  /** True when its line has nothing else. */
  readonly isWholeLine: boolean;
};

const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  java: ["import_declaration"],
  php: ["namespace_use_declaration"],
  python: ["import_statement", "import_from_statement"],
  javascript: ["import_statement", "lexical_declaration", "variable_declaration"],
  typescript: ["import_statement", "lexical_declaration", "variable_declaration"],
  tsx: ["import_statement", "lexical_declaration", "variable_declaration"],
};

/** Files whose imports are for others, or that run or register something. */
const UNCLEAR_PATH = /(?:^|\/)(?:__init__|conftest|compat|_compat)\.py$|\.d\.[cm]?ts$/;
/** Text of files that other files import names from, or that extend the types of a package. */
const UNCLEAR_TEXT = /\b__all__\b|\bdeclare (?:module|global)\b/;
/** A Python file without definitions often collects names for others. */
const DEFINES = /^\s*(?:async\s+def|def|class)\s/m;
/** Python modules that register something when they are imported. */
const REGISTERING =
  /^(?:models?|signals?|tasks?|receivers?|handlers?|routes?|views?|checks?|admin|translation|urls|plugins?|commands?|listeners?|schema|register|readline)$/;
/** Comments that say the import is wanted. */
const KEPT = /\bnoqa\b|unused-import|no-unused-vars|\bpylint:|\btype:\s*ignore|@ts-|side.?effect/i;
/** The compiler of JSX uses these. */
const JSX_NAMES: ReadonlySet<string> = new Set([
  "React",
  "Preact",
  "h",
  "jsx",
  "Fragment",
  "createElement",
  "Vue",
]);

const WORD = /[\w$]+/g;

export const unusedImport: TreeRule = {
  kind: "tree",
  id: "unused-import",
  title: "Unused import",
  severity: "minor",
  category: "maintainability",
  why: "Readers search for a use that doesn't exist, and the file depends on code that it doesn't need.",
  fix: "Remove the import, or use it where it was meant to be used.",
  confidence: 0.9,
  languages: ["java", "php", "python", "javascript", "typescript", "tsx"],
  inTests: true,
  afterRemoval: /\w/,
  trigger: /\b(?:import|require|use|from)\b/,
  *check(root, file): Iterable<RuleMatch> {
    if (UNCLEAR_PATH.test(file.path) || !isWholeFile(file)) return;
    const text = root.text();
    if (UNCLEAR_TEXT.test(text) || (file.language === "python" && !DEFINES.test(text))) return;
    const { imports, statements } = importsIn(root, file);
    if (imports.length === 0) return;
    const fold = (word: string): string => (file.language === "php" ? word.toLowerCase() : word);
    const uses = new Map<string, number>();
    const add = (part: string, step: number): void => {
      for (const [word] of part.matchAll(WORD)) uses.set(fold(word), (uses.get(fold(word)) ?? 0) + step);
    };
    add(text, 1);
    for (const statement of statements) add(statement, -1);
    const unused = imports.filter(({ name }) => (uses.get(fold(name)) ?? 0) === 0);
    // A file of imports alone tries them, or collects them.
    if (unused.length === 0 || uses.values().every((times) => times === 0)) return;
    const removed = removedUses(file, fold);
    for (const { name, line, isWholeLine } of unused) {
      if (imports.filter((other) => other.name === name).length > 1) continue;
      const place = removed.uses.get(fold(name));
      const shown = nameOr(name, "it");
      if (place !== undefined)
        yield {
          line,
          ...place,
          title: `Unused import: the last use of ${shown} was removed`,
          detail: `The import is on line ${line}.`,
        };
      else if (!removed.imports.has(fold(name)))
        yield {
          line,
          title: `Unused import: ${shown} is never used`,
          ...(isWholeLine ? { suggestion: "" } : {}),
        };
    }
  },
};

function importsIn(
  root: SyntaxNode,
  { language, lines, category }: FileView,
): { readonly imports: readonly Import[]; readonly statements: readonly string[] } {
  const statements: string[] = [];
  const imports: Import[] = [];
  const kinds = STATEMENTS[language] ?? [];
  for (const statement of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const isDeclaration = statement.kind().endsWith("_declaration") && /script|tsx/.test(language);
    if (isDeclaration && statement.parent()?.kind() !== "program") continue;
    const text = statement.text();
    if (isDeclaration && !/=\s*require\(\s*["'][^"']*["']\s*\);?$/.test(text)) continue;
    statements.push(text);
    const { start, end } = statement.range();
    if ((lines ?? []).slice(Math.max(0, start.line - 1), end.line + 1).some((line) => KEPT.test(line)))
      continue;
    const around = new Set(statement.ancestors().map((one) => one.kind()));
    // An import in a test function is the test.
    if (around.has("try_statement") || (category === "test" && around.has("function_definition"))) continue;
    const bound = bindings(statement, text);
    const isWholeLine = bound.length === 1 && lines?.[start.line]?.trim() === text.trim();
    for (const node of bound) {
      const line = node.range().start.line + 1;
      const name = /[\w$]+$/.exec(node.text())?.[0] ?? "";
      const isNeeded = JSX_NAMES.has(name) || (language === "python" && REGISTERING.test(name));
      if (name !== "" && !isNeeded) imports.push({ name, line, isWholeLine });
    }
  }
  return { imports, statements };
}

/** The nodes of a statement that each bring one name, which their text ends with. */
function bindings(statement: SyntaxNode, text: string): readonly SyntaxNode[] {
  const children = statement.namedChildren();
  switch (statement.kind()) {
    case "import_declaration":
      return /\*\s*;?$/.test(text) ? [] : children.slice(0, 1);
    case "namespace_use_declaration":
      return statement.findAll({ rule: { kind: "namespace_use_clause" } });
    case "import_from_statement":
      return children.slice(1).filter(isPlain);
    case "import_statement":
      return children.flatMap((child) =>
        child.kind() === "import_clause"
          ? child
              .namedChildren()
              .flatMap((part) => (part.kind() === "named_imports" ? part.namedChildren() : [part]))
          : isPlain(child) && !/^\w+\./.test(child.text())
            ? [child]
            : [],
      );
    default:
      return children.flatMap((declarator) => {
        const name = declarator.field("name");
        if (name?.kind() === "identifier") return [name];
        return name?.kind() === "object_pattern" ? name.namedChildren() : [];
      });
  }
}

/** A name of a Python import, which isn't exported again by `a as a`. */
function isPlain(node: SyntaxNode): boolean {
  return /^(?:dotted_name|aliased_import)$/.test(node.kind()) && !/^(\w+)\s+as\s+\1$/.test(node.text());
}

type Removed = {
  /** Where the change removed the last use: the first may be in a text at the top. */
  readonly uses: ReadonlyMap<string, RemovedPlace["place"]>;
  /** Names in removed imports. */
  readonly imports: ReadonlySet<string>;
};

/** A line of an import, or one name of an import of several lines. */
const IMPORT_LINE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|\}\s*from\b|(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$)|\brequire\(/;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/;

function removedUses(file: FileView, fold: (word: string) => string): Removed {
  const uses = new Map<string, RemovedPlace["place"]>();
  const imports = new Set<string>();
  const hasDocs = file.language === "java" || file.language === "php";
  for (const { text, place } of removedPlaces(file)) {
    const isImport = IMPORT_LINE.test(text);
    if (!isImport && !hasDocs && COMMENT.test(text)) continue;
    for (const [word] of text.matchAll(WORD)) {
      if (isImport) imports.add(fold(word));
      else uses.set(fold(word), place);
    }
  }
  return { uses, imports };
}
