/**
 * A stored counter that is read, changed in the program and written back: `update({ stock: item.stock - 1 })`. Two requests at the
 * same time both read the old value.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const WRITERS =
  /^(?:update|updateOne|updateMany|update_attributes|update_columns?|update_attribute|findByIdAndUpdate|findOneAndUpdate|update!)$/;

const PAIR_KINDS: Readonly<Record<string, readonly string[]>> = {
  javascript: ["pair"],
  typescript: ["pair"],
  tsx: ["pair"],
  ruby: ["pair"],
  php: ["array_element_initializer"],
};

/** The field that a pair writes as its own old value plus or minus something, or null. */
function changedField(pair: SyntaxNode): string | null {
  const [key, value] = pair.namedChildren();
  if (key === undefined || value === undefined || !value.kind().startsWith("binary")) return null;
  if (!/^[-+]$/.test(value.children()[1]?.text() ?? "")) return null;
  const field = key.text().replaceAll(/['":]/g, "");
  const old = value.namedChildren()[0]?.text() ?? "";
  // A state setter's `count: state.count + 1` isn't stored data.
  if (/^(?:this|self|state|prev\w{0,20}|\$this)\b/.test(old)) return null;
  const isOwnField = /^[\w$@]{1,60}(?:\.|->)(?:\w{1,40}\.)?(\w{1,60})$/.exec(old)?.[1] === field;
  return isOwnField ? field : null;
}

/** A file that locks rows protects its updates. */
const LOCKS = /\bFOR UPDATE\b|\block(?:ForUpdate)?\s*[:(]|\bwith_lock\b|\.lock!?(?!\w)/i;

export const readModifyWrite: TreeRule = {
  kind: "tree",
  id: "read-modify-write",
  title: "Lost update: a stored number is read, changed and written back",
  severity: "medium",
  category: "correctness",
  why: "Two requests that run at the same time read the same old value, and the second write erases the first.",
  fix: "Let the database do it in one statement: `increment`, `$inc`, `UPDATE … SET n = n + 1`, or lock the row while you change it.",
  confidence: 0.85,
  languages: ["javascript", "typescript", "tsx", "ruby", "php"],
  trigger: /(?:\.|->)\w{1,60} ?[-+] ?\w/,
  *check(root, { language }): Iterable<RuleMatch> {
    const kinds = PAIR_KINDS[language] ?? [];
    if (LOCKS.test(root.text())) return;
    for (const call of callsIn(root, language, (name) => WRITERS.test(name))) {
      // A hash of the standard library (`crypto.createHash().update`) takes no fields.
      for (const pair of call.node.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
        const field = changedField(pair);
        if (field === null) continue;
        yield {
          line: pair.range().start.line + 1,
          title: `Lost update: ${nameOr(field, "a number")} is read and written back, so concurrent updates are lost`,
        };
      }
    }
  },
};
