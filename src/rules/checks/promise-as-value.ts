/**
 * The promise of an async function used as if it were the value: as a condition, compared, negated, spread, put into a text. Only for
 * functions that the file itself declares once, or imports and awaits elsewhere.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asyncFunctions, awaitedImports, isShadowed } from "../syntax/async-functions.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { type TreeFacts, factsOf } from "../file-facts.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** How a value is used where a promise is always wrong. */
type Misuse = "condition" | "comparison" | "calculation" | "list" | "text" | "member";

const USED_AS: Readonly<Record<Misuse, string>> = {
  condition: "as a condition, which is always true",
  comparison: "in a comparison",
  calculation: "in a calculation",
  list: "as a list",
  text: "in a text",
  member: "as if it were the value",
};

const COMPARES = /^(?:[=!]==?|[<>]=?|in|not in|is|is not)$/;
const COMBINES = /^(?:&&|\|\||\?\?|and|or)$/;

const PROMISE_MEMBER = /^(?:then|catch|finally|constructor|send|close|throw|cr_\w+|__\w+)$/;

/** Code isn't nested more deeply; hostile text is. */
const MAX_DEPTH = 20;

function isSame(one: SyntaxNode | null | undefined, other: SyntaxNode): boolean {
  return one?.range().start.index === other.range().start.index && one.kind() === other.kind();
}

/** Null: the promise may be wanted there. */
function misuseOf(call: SyntaxNode): Misuse | null {
  let node = call;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const around = node.parent();
    if (around === null) return null;
    const isPart = (field: string): boolean => isSame(around.field(field), node);
    switch (around.kind()) {
      case "parenthesized_expression":
        break;
      case "binary_expression":
      case "boolean_operator":
      case "binary_operator":
      case "comparison_operator": {
        const operator = around.children()[1]?.text() ?? "";
        if (COMPARES.test(operator)) return "comparison";
        if (!COMBINES.test(operator)) return /^[-*/%+]$/.test(operator) ? "calculation" : null;
        if (isSame(around.children()[0], node)) return "condition";
        break;
      }
      case "unary_expression":
        return around.children()[0]?.text() === "!" ? "condition" : null;
      case "not_operator":
        return "condition";
      case "if_statement":
      case "elif_clause":
      case "while_statement":
      case "do_statement":
      case "ternary_expression":
        return isPart("condition") ? "condition" : null;
      case "conditional_expression":
        return isSame(around.namedChildren()[1], node) ? "condition" : null;
      case "spread_element":
      case "list_splat":
        return around.parent()?.kind() === "object" ? null : "list";
      case "for_in_statement":
      case "for_statement":
        return isPart("right") && !/^(?:async\b|for\s+await\b)/.test(around.text().slice(0, 12))
          ? "list"
          : null;
      case "template_substitution":
      case "interpolation":
        return "text";
      case "subscript":
      case "subscript_expression":
        return isPart("object") || isPart("value") ? "member" : null;
      case "member_expression":
      case "attribute": {
        const member = (around.field("property") ?? around.field("attribute"))?.text() ?? "";
        return isPart("object") && !PROMISE_MEMBER.test(member) ? "member" : null;
      }
      default:
        return null;
    }
    node = around;
  }
  return null;
}

/** Async functions by how they are called. Decorators and `yield` make other things of them. */
function declaredIn(root: SyntaxNode, language: string): ReadonlyMap<string, SyntaxNode> {
  if (language !== "python")
    return new Map(
      [...asyncFunctions(root)].filter(([, made]) => !/^[\w\s]*\*/.test(made.text().slice(0, 120))),
    );
  const found = new Map<string, SyntaxNode | null>();
  for (const node of root.findAll({ rule: { kind: "function_definition" } })) {
    const around = node.parent()?.parent();
    const isMethod = around?.kind() === "class_definition";
    const plain = node.field("name")?.text() ?? "";
    const name = isMethod ? `self.${plain}` : plain;
    const isPlain =
      /^async\b/.test(node.text().slice(0, 6)) &&
      (isMethod || node.parent()?.kind() === "module") &&
      !node.has({ rule: { kind: "yield" } });
    found.set(name, found.has(name) || !isPlain ? null : node);
  }
  return new Map([...found].filter((entry): entry is [string, SyntaxNode] => entry[1] !== null));
}

type Declared = {
  readonly known: ReadonlyMap<string, SyntaxNode>;
  readonly awaited: ReadonlySet<string>;
  /** Names that get another value somewhere in the file. */
  readonly set: ReadonlySet<string>;
};

const SET = /(?<![\w$.])([A-Za-z_$][\w$]*)\s?=(?!=|>|\s?(?:async|\(|function))/g;

/** The declaration, "awaited" when the file only shows that it's awaited elsewhere, or null. */
function meaningOf(
  { node, receiver, name }: Call,
  { known, awaited, set }: Declared,
  facts: TreeFacts,
): SyntaxNode | "awaited" | null {
  if (!/^(?:|this|self)$/.test(receiver)) return null;
  const made = known.get(receiver === "" ? name : `${receiver}.${name}`) ?? null;
  if (receiver !== "") return made;
  if (made === null && !awaited.has(name)) return null;
  return set.has(name) || isShadowed(name, facts.functionsAround(node)) ? null : (made ?? "awaited");
}

export const promiseAsValue: TreeRule = {
  kind: "tree",
  id: "promise-as-value",
  title: "Missing `await`: a promise is used as if it were its value",
  severity: "must-fix",
  category: "correctness",
  why: "A promise is always true and never equal to its value, so the code takes the same way whatever the function answers.",
  fix: "Add `await`.",
  languages: ["javascript", "typescript", "tsx", "python"],
  trigger: /\basync\b|[\w$]\(/,
  needs: /\basync\b/,
  *check(root, { language }): Iterable<RuleMatch> {
    const isPython = language === "python";
    const facts = factsOf(root, language);
    const declared: Declared = {
      known: declaredIn(root, language),
      awaited: isPython ? new Set() : awaitedImports(root),
      set: new Set(Array.from(facts.text.matchAll(SET), ([, name = ""]) => name)),
    };
    const names = new Set([
      ...declared.awaited,
      ...[...declared.known.keys()].map((name) => name.replace(/^\w+\./, "")),
    ]);
    if (names.size === 0) return;
    for (const call of callsIn(root, language, (name) => names.has(name))) {
      const misuse = misuseOf(call.node);
      const made = misuse === null ? null : meaningOf(call, declared, facts);
      if (misuse === null || made === null) continue;
      const declaration = made === "awaited" ? null : linesOf(made).line;
      yield {
        ...linesOf(call.node),
        ...(declaration === null ? {} : { also: [declaration], proof: "declaration" as const }),
        title: `Missing \`await\`: the promise of ${nameOr(call.name, "an async function")} is used ${USED_AS[misuse]}`,
        detail:
          declaration === null
            ? "The file awaits this function elsewhere."
            : `Line ${declaration} declares it as async.`,
      };
    }
  },
};
