/** `unwrap` on a value that was parsed from outside: the program panics on bad input. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { isRustTest } from "../syntax/rust-test.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Reads of a request, and of the program's arguments, right before the unwrap. */
const REQUEST =
  /(?:headers?\(?\)?|query|params?|form|cookies?|body|path_params)(?:\(\))?(?:\.\w+\(\))?\.(?:get|remove|to_str|parse)\b/;
const PARSED = /\.parse(?:::<[^()]{1,60}>)?\(\)\s*$/;
const DECODED =
  /^(?:serde_json|serde_urlencoded|toml|serde_yaml|bincode)::from_(?:str|slice|reader|bytes)(?:::<[^()]{1,60}>)?\(/;

/** Names that code gives to values from outside. */
const OUTSIDE =
  /\b(?:req|request|body|payload|input|headers?|query|params?|args|argv|form|line|buf|buffer|message|msg|event|data|raw|text|response|resp)\b/;

/** A longer expression isn't read. */
const MAX_CHARS = 300;

/** The expression before `.unwrap()` when it reads outside input. */
function readOf(receiver: SyntaxNode): string | null {
  const { start, end } = receiver.range();
  if (end.index - start.index > MAX_CHARS) return null;
  const text = receiver.text().replaceAll(/\s+/g, "");
  const isLiteral =
    text.startsWith('"') ||
    /from_\w+(?:::<[^()]{1,60}>)?\(&?(?:b|r#*)?"/.test(text) ||
    /format!|include_(?:str|bytes)!|json!/.test(text);
  if (isLiteral) return null;
  if (DECODED.test(text)) return OUTSIDE.test(text.slice(text.indexOf("("))) ? "decoded" : null;
  if (PARSED.test(text)) return OUTSIDE.test(text) ? "parsed" : null;
  return REQUEST.test(text) && /\b(?:req|request|headers|query|params|form|cookies)\b/.test(text)
    ? "read"
    : null;
}

export const rustUnwrapInput: TreeRule = {
  kind: "tree",
  id: "rust-unwrap-input",
  title: "Panic on bad input: `unwrap` is called on outside input",
  severity: "major",
  category: "reliability",
  why: "A missing or malformed value from a request, a file or the command line ends the thread or the program with a panic.",
  fix: "Return the error with `?`, or answer with a clear message.",
  confidence: 0.85,
  languages: ["rust"],
  inTests: false,
  trigger: /\.(?:unwrap|expect)\(/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      const callee = node.field("function");
      if (
        callee?.kind() !== "field_expression" ||
        !/^(?:unwrap|expect)$/.test(callee.field("field")?.text() ?? "")
      )
        continue;
      const receiver = callee.field("value");
      const read = receiver === null ? null : readOf(receiver);
      if (read === null || isRustTest(node)) continue;
      const line = linesOf(callee.field("field") ?? node).line;
      yield {
        line,
        title: `Panic on bad input: ${nameOr(callee.field("field")?.text() ?? "", "`unwrap`")} is called on ${read} input`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/page.rs",
        2,
        'fn page(query: &Query) -> u32 {\n    query.get("page").unwrap().parse::<u32>().unwrap()\n}\n',
      ),
      bad(
        "src/read.rs",
        2,
        "fn read(body: &[u8]) -> Order {\n    serde_json::from_slice(body).unwrap()\n}\n",
      ),
      bad(
        "src/auth.rs",
        2,
        'fn token(req: &Request) -> &str {\n    req.headers().get("authorization").unwrap().to_str().unwrap()\n}\n',
      ),
    ],
    good: [
      good(
        "src/page.rs",
        'fn page(query: &Query) -> Result<u32, Error> {\n    Ok(query.get("page").ok_or(Error::Missing)?.parse::<u32>()?)\n}\n',
      ),
      good(
        "src/known.rs",
        'fn known() -> u32 {\n    "42".parse().unwrap() + version.parse::<u32>().unwrap()\n}\n',
      ),
      good(
        "src/test.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn reads() {\n        let order: Order = serde_json::from_slice(body).unwrap();\n    }\n}\n",
      ),
    ],
  },
};
