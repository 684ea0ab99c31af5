/**
 * A private method, constant or injected field, or a function that a module doesn't export, which nothing in the file names. The
 * change adds it, or removes its last use.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { removedPlaces } from "../lines/removed-places.ts";
import { isWholeFile } from "../lines/whole-file.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const SCRIPT = ["function_declaration", "method_definition"];
const TYPED_SCRIPT = [...SCRIPT, "public_field_definition", "required_parameter"];

const KINDS: Readonly<Record<string, readonly string[]>> = {
  java: ["method_declaration", "field_declaration"],
  csharp: ["method_declaration", "field_declaration"],
  php: ["method_declaration", "const_declaration", "property_declaration", "property_promotion_parameter"],
  javascript: SCRIPT,
  typescript: TYPED_SCRIPT,
  tsx: TYPED_SCRIPT,
};

/** Called by a runtime, a framework or another part of the class. */
const CALLED_BY_OTHERS =
  /^(?:__\w+|serialVersionUID|readObject|writeObject|readResolve|writeReplace|readObjectNoData|serialPersistentFields|finalize|main|_.*)$/;
/** Files whose members other files name: parts of a class, traits, templates, generated accessors. */
const UNCLEAR_TEXT =
  /\bpartial\s+(?:class|struct|record)\b|^\s*trait\s|^(?: {2,}|\t)use\s+[\\A-Z]|@Component\(|\bUnityEngine\b|import lombok\.(?:Data|Getter|Setter|Builder|Value|ToString|experimental)|\bno-unused-vars\b|"unused"|\bReflection\w*|\bDllImport\b/m;
/** Declarations, and tests of types, which only a compiler reads. */
const UNCLEAR_PATH = /\.d\.[cm]?ts$|test-d|type-?tests?\b/;
const MODULE = /^(?:import|export)\b|\brequire\(|\bmodule\.exports\b/m;
const INJECTED = /^@(?:Autowired|Inject)\b/;
const WORD = /[\w$]+/g;
const PHP_WORD = /\w+/g;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/;

/** Whether a text that starts like the name is put together with a variable, as in `"visit_{$key}"`. */
function isBuilt(name: string, text: string): boolean {
  const [stem] = /^[a-z]+_?(?=\w)/.exec(name) ?? [];
  return stem !== undefined && new RegExp(`["'\`]${stem}(?:\\{?\\$|["'\`]\\s*[.+])`).test(text);
}

export const unusedPrivate: TreeRule = {
  kind: "tree",
  id: "unused-private",
  title: "Unused private member",
  severity: "minor",
  category: "maintainability",
  why: "No other file can use it, so it's dead code that looks alive.",
  fix: "Remove it, or use it where it was meant to be used.",
  confidence: 0.9,
  languages: ["java", "csharp", "php", "javascript", "typescript", "tsx"],
  inTests: true,
  afterRemoval: /\w/,
  trigger: /\b(?:private|function|Autowired|Inject)\b|#\w/,
  *check(root, file): Iterable<RuleMatch> {
    const text = root.text();
    const { language } = file;
    if (!isWholeFile(file) || UNCLEAR_TEXT.test(text) || UNCLEAR_PATH.test(file.path)) return;
    const word = language === "php" ? PHP_WORD : WORD;
    const uses = Map.groupBy(text.matchAll(word), ([one]) => one);
    const added = new Set(file.added.map(({ line }) => line));
    const removed = removedPlaces(file);
    for (const node of root.findAll({ rule: { any: (KINDS[language] ?? []).map((kind) => ({ kind })) } })) {
      const own = privateName(node, text);
      // PHP's variables begin with `$`, and so can a name in JavaScript.
      const name = own?.text().replace(language === "php" ? /^\$/ : /^#/, "") ?? "";
      if (own === null || CALLED_BY_OTHERS.test(name) || uses.get(name)?.length !== 1) continue;
      if (isBuilt(name, text)) continue;
      const line = own.range().start.line + 1;
      const shown = nameOr(name, "a private member");
      if (added.has(line)) {
        yield { line, title: `Unused code: ${shown} is never used, and other files can't use it` };
        continue;
      }
      const lost = removed.find(
        (one) => !COMMENT.test(one.text) && one.text.matchAll(word).some(([other]) => other === name),
      );
      if (lost !== undefined)
        yield {
          line,
          ...lost.place,
          title: `Unused code: the last use of ${shown} was removed`,
          detail: `It is on line ${line}.`,
        };
    }
  },
};

/** The name of a member that only this file can use; null for others, and for those that a framework may call. */
function privateName(node: SyntaxNode, text: string): SyntaxNode | null {
  const kind = node.kind();
  if (kind === "function_declaration")
    return node.parent()?.kind() === "program" && MODULE.test(text) ? node.field("name") : null;
  const children = node.namedChildren();
  const declarator = children.find((child) =>
    /^(?:variable_declarator|variable_declaration|property_element|const_element)$/.test(child.kind()),
  );
  const inner =
    declarator?.kind() === "variable_declaration" ? declarator.namedChildren().at(-1) : declarator;
  const own = inner ?? node;
  const name =
    own.field("name") ??
    own.field("pattern") ??
    own.namedChildren().find((child) => /^(?:identifier|name|variable_name)$/.test(child.kind())) ??
    null;
  if (name === null) return null;
  const before = text.slice(node.range().start.index, name.range().start.index);
  const isPrivate = /\bprivate\b/.test(before) || name.kind() === "private_property_identifier";
  if (!isPrivate) return null;
  const isField = kind === "field_declaration";
  const isConstant = /\bstatic\b[^=]*\bfinal\b|\bconst\b/.test(before);
  const isInjected = INJECTED.test(before) && !/@(?!Autowired|Inject)\w/.test(before);
  if (isField) return isConstant || isInjected ? name : null;
  const isMarked =
    /@(?!Inject)\w|\[\s*[A-Z]|#\[|\b(?:native|override)\b/.test(before) ||
    node.prev()?.kind() === "decorator";
  return isMarked ? null : name;
}
