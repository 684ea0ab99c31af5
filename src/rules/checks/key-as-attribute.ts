/** A key of a Python dictionary that is read as an attribute, in a function that elsewhere reads it with `get`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Objects that have both, such as rows of a table and settings, and code that expects either. */
const BOTH =
  /^(?:self|cls|df|row|rec(?:ord)?|series|data_?frame|\w*(?:conf|cfg|config|args|opts|options|settings|params|request|response|session|hparams))$/i;
const EITHER = /\b(?:isinstance|hasattr|getattr|OmegaConf|Munch|Box|EasyDict|AttrDict|DotMap|Row)\b/;

const KEY = /^["'](\w{1,100})["']$/;

const MAX_FUNCTION_CHARS = 30_000;

function functionOf(node: SyntaxNode): SyntaxNode | null {
  const around = functionAround(node);
  if (around === null) return null;
  const { start, end } = around.range();
  return end.index - start.index > MAX_FUNCTION_CHARS ? null : around;
}

export const keyAsAttribute: TreeRule = {
  kind: "tree",
  id: "key-as-attribute",
  title: "Key read as an attribute: dictionaries have none",
  severity: "medium",
  category: "correctness",
  why: "The line raises an `AttributeError`, because keys of a dictionary aren't attributes.",
  fix: "Read it with `get` or in brackets.",
  confidence: 0.9,
  languages: ["python"],
  trigger: /\b\w+\.\w+/,
  needs: /\.get\(\s*["']/,
  *check(root, { language }): Iterable<RuleMatch> {
    const seen = new Set<string>();
    for (const { node, receiver, args } of callsIn(root, language, (name) => name === "get")) {
      const key = KEY.exec(args[0]?.text().slice(0, 110) ?? "")?.[1];
      if (key === undefined || !/^[A-Za-z_]\w{0,60}$/.test(receiver) || BOTH.test(receiver)) continue;
      const around = functionOf(node);
      if (around === null) continue;
      const place = `${around.range().start.index} ${receiver}.${key}`;
      if (seen.has(place)) continue;
      seen.add(place);
      const text = around.text();
      if (!text.includes(`${receiver}.${key}`) || EITHER.test(text)) continue;
      const read = around.find({ rule: { kind: "attribute", regex: `^${receiver}\\.${key}$` } });
      const parent = read?.parent();
      if (read === null || parent === undefined || parent === null) continue;
      // A method of the same name, and an attribute that is set.
      if (parent.kind() === "call" || parent.field("left")?.range().start.index === read.range().start.index)
        continue;
      yield {
        ...linesOf(read),
        also: [linesOf(node).line],
        title: `Key read as an attribute: ${nameOr(`${receiver}.${key}`, "it")} is read with \`get\` on line ${linesOf(node).line}`,
      };
    }
  },
};
