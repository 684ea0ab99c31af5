/**
 * A local variable that the change adds and nothing reads, or whose last use the change removes. The name must occur once in the
 * function, so a variable that is only written again isn't reported.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { factsOf } from "../file-facts.ts";
import { removedPlaces } from "../lines/removed-places.ts";
import { isWholeFile } from "../lines/whole-file.ts";
import { type FileView, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const DECLARATIONS: Readonly<Record<string, readonly string[]>> = {
  java: ["local_variable_declaration"],
  csharp: ["local_declaration_statement"],
  php: ["expression_statement"],
  ruby: ["assignment"],
  python: ["expression_statement"],
  javascript: ["lexical_declaration", "variable_declaration"],
  typescript: ["lexical_declaration", "variable_declaration"],
  tsx: ["lexical_declaration", "variable_declaration"],
};

/** Named so that readers expect no use, or kept for what it does while it exists. */
const DELIBERATE = /^\$?(?:_|unused|ignored?|dummy|junk|guard|lock|scope|keep)/i;
/** Code that can read a variable without naming it. */
const READS_ALL =
  /\b(?:eval|exec|locals|vars|compact|extract|include|include_once|require_once|get_defined_vars|binding|local_variables|instance_eval|class_eval|ERB)\b|\$\$/;
/** Comments and annotations about unused variables. */
const KEPT =
  /no-unused-vars|noUnused|"unused"|\bnoqa\b|CS0219|CS0168|IDE0059|UnusedLocalVariable|@ts-expect-error/;
/** A JavaScript file whose top level isn't shared with other scripts. */
const MODULE = /^(?:import|export)\b|\brequire\(|\bmodule\.exports\b/m;

const WORD = /\$?\w+/g;
const SCRIPT_WORD = /[\w$]+/g;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/;

const BLOCK = /block|compound_statement/;
/** Statements of tests that check something or prepare it, and are needed without their result. */
const NEEDED =
  /assert|expect|throws|should|verify|create|save|insert|persist|factory|render|mount|mock|register|start/i;
const STATEMENT_PARENTS = /^(?:body_statement|then|else|ensure|begin|do|block_body)$/;

export const unusedVariable: TreeRule = {
  kind: "tree",
  id: "unused-variable",
  title: "Unused variable",
  severity: "minor",
  category: "maintainability",
  why: "The value is thrown away, which often means that another name was used by mistake or that an edit is unfinished.",
  fix: "Use the variable, or remove it and keep the call if its effect is needed.",
  confidence: 0.9,
  languages: ["java", "csharp", "php", "ruby", "python", "javascript", "typescript", "tsx"],
  inTests: true,
  afterRemoval: /\w/,
  // Exported names are never reported.
  trigger: /^(?!export\b)(?:[^\n]*[^=!<>\n]=[^=>\n]|[^\n]*\b(?:let|var|[A-Z]\w*) \w+;)/m,
  *check(root, file): Iterable<RuleMatch> {
    const text = root.text();
    if (!isWholeFile(file) || KEPT.test(text) || /\.d\.[cm]?ts$/.test(file.path)) return;
    const added = new Set(file.added.map(({ line }) => line));
    const removed = removedPlaces(file);
    const isAffected = ({ start, end }: Range): boolean =>
      removed.length > 0 || file.added.some(({ line }) => line > start.line && line <= end.line + 1);
    const found = [...locals(root, file, isAffected)].filter(({ name }) => !DELIBERATE.test(name));
    if (found.length === 0) return;
    const facts = factsOf(root, file.language);
    const places = placesOf(text, file.language);
    for (const { name, node } of found) {
      const scope = facts.functionsAround(node).at(-1) ?? (isModuleLevel(node, text) ? root : null);
      if (scope === null) continue;
      const { start, end } = scope.range();
      const offset = root.range().start.index;
      if (countBetween(places.get(name) ?? [], start.index - offset, end.index - offset) !== 1) continue;
      if (scope !== root && READS_ALL.test(scope.text())) continue;
      const line = node.range().start.line + 1;
      const shown = nameOr(name, "it");
      if (file.category === "test" && isNeeded(node)) continue;
      if (added.has(line)) {
        // Ruff reports it.
        if (file.language !== "python")
          yield { line, title: `Unused variable: ${shown} is assigned but never used` };
        continue;
      }
      const lost = removed.find(
        (one) => one.near > start.line && one.near <= end.line + 1 && isUse(one.text, name, file.language),
      );
      if (lost !== undefined)
        yield {
          line,
          ...lost.place,
          title: `Unused variable: the last use of ${shown} was removed`,
          detail: `The variable is on line ${line}.`,
        };
    }
  },
};

type Range = ReturnType<SyntaxNode["range"]>;
type Local = { readonly name: string; readonly node: SyntaxNode };

/** Declared variables, or in languages without declarations the names that statements assign. */
function* locals(
  root: SyntaxNode,
  { language }: FileView,
  isAffected: (range: Range) => boolean,
): Iterable<Local> {
  const kinds = DECLARATIONS[language] ?? [];
  for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    if (!isAffected(node.range())) continue;
    for (const target of targets(node)) {
      if (/^(?:identifier|variable_name)$/.test(target.kind()) && !isAlone(node))
        yield { name: target.text(), node: target };
    }
  }
}

function targets(node: SyntaxNode): readonly SyntaxNode[] {
  const children = node.namedChildren();
  switch (node.kind()) {
    case "expression_statement": {
      const [assignment] = children;
      const isPlain = /^(?:assignment|assignment_expression)$/.test(assignment?.kind() ?? "");
      const left = isPlain ? assignment?.field("left") : null;
      return left === null || left === undefined ? [] : [left];
    }
    case "assignment": {
      const left = node.field("left");
      const isLast = node.next() === null || node.next()?.kind() === "end";
      return left === null || isLast || !STATEMENT_PARENTS.test(node.parent()?.kind() ?? "") ? [] : [left];
    }
    default: {
      const isOther = /^(?:export_statement|ambient_declaration|for_statement)$/.test(
        node.parent()?.kind() ?? "",
      );
      if (isOther || /^(?:await\s+)?using\b/.test(node.text().slice(0, 40))) return [];
      const declared = children.flatMap((child) =>
        child.kind() === "variable_declaration" ? child.namedChildren() : [child],
      );
      return declared
        .filter((child) => child.kind() === "variable_declarator" && !/=\s*require\(/.test(child.text()))
        .flatMap((child) => child.field("name") ?? child.namedChildren()[0] ?? []);
    }
  }
}

/** True for the only statement of a block, or the first one of a `try`: it checks whether the value can be had. */
function isAlone(node: SyntaxNode): boolean {
  const parent = node.parent();
  if (parent?.parent()?.kind() === "try_statement") return true;
  return BLOCK.test(parent?.kind() ?? "") && parent?.namedChildren().length === 1;
}

/** True when a test ends with the statement, which then checks that a call works, or needs its effect. */
function isNeeded(node: SyntaxNode): boolean {
  const statement = node.ancestors().find((one) => BLOCK.test(one.parent()?.kind() ?? ""));
  if (statement === undefined) return false;
  const next = statement.next();
  return next === null || next.kind() === "}" || NEEDED.test(statement.text());
}

function isModuleLevel(node: SyntaxNode, text: string): boolean {
  const declaration = node.parent()?.parent();
  return (
    /^(?:lexical|variable)_declaration$/.test(declaration?.kind() ?? "") &&
    declaration?.parent()?.kind() === "program" &&
    MODULE.test(text)
  );
}

/** The places of each word, in order. */
function placesOf(text: string, language: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(wordOf(language))) {
    const known = places.get(word);
    if (known === undefined) places.set(word, [index]);
    else known.push(index);
  }
  return places;
}

function wordOf(language: string): RegExp {
  return /script|tsx/.test(language) ? SCRIPT_WORD : WORD;
}

function countBetween(places: readonly number[], start: number, end: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? start) < start) low = middle + 1;
    else high = middle;
  }
  let found = 0;
  while (found < 2 && (places[low + found] ?? end) < end) found++;
  return found;
}

/** True when a removed line reads the name rather than assigning it. */
function isUse(text: string, name: string, language: string): boolean {
  if (COMMENT.test(text)) return false;
  const words = [...text.matchAll(wordOf(language))].filter(([word]) => word === name);
  const [first] = words;
  if (first === undefined) return false;
  const after = text.slice(first.index + name.length).trimStart();
  return words.length > 1 || !/^(?::[^=]*)?=(?![=>~])/.test(after);
}
