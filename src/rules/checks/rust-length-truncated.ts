/** A length that is cast to a type that can't hold it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { functionAround } from "../syntax/function-kinds.ts";

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** True when the number goes into a byte format. */
function isWritten(node: SyntaxNode): boolean {
  const around = node.parent()?.parent()?.text().slice(0, 300) ?? "";
  return /to_[bln]e_bytes|(?:put|write|push)_[ui]16/.test(around);
}

const COPIED_TO_ARRAY = /\bcopy_from_slice\b|\.truncate\(|\.chunks(?:_exact)?\(|\bArrayVec\b/;
const COMPARED = /\.len\(\)\s*(?:[<>]|[!=]=)|[<>=]=?\s*[\w.]{1,60}\.len\(\)|\.len\(\)\s*\.(?:min|clamp)\(/;

/** True when the function limits a length, or copies the value to where a longer one doesn't fit. */
function isBounded(node: SyntaxNode): boolean {
  const around = functionAround(node)?.text().slice(0, 20_000) ?? "";
  return COMPARED.test(around) || COPIED_TO_ARRAY.test(around);
}

export const rustLengthTruncated: TreeRule = {
  kind: "tree",
  id: "rust-length-truncated",
  title: "Truncated length: it is cast to a type that can't hold it",
  severity: "medium",
  category: "correctness",
  why: "`as` cuts off the high bits without an error, so a longer value gets a wrong, small length.",
  fix: "Use `u8::try_from(…)` or `u16::try_from(…)` and handle the error.",
  languages: ["rust"],
  inTests: false,
  trigger: /\.len\(\)\s*as\s*[ui](?:8|16)\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "type_cast_expression" } })) {
      const found = /^([\w.]{1,60})\.len\(\)\s*as\s*([ui](?:8|16))$/.exec(node.text().slice(0, 120));
      if (found === null || CONSTANT.test(found[1] ?? "")) continue;
      // The rows and columns of a screen fit; lengths that are written out come from data.
      if (found[2]?.endsWith("16") === true && !isWritten(node)) continue;
      if (isBounded(node)) continue;
      yield {
        line: linesOf(node).line,
        title: `Truncated length: the length of ${nameOr(found[1] ?? "", "a value")} is cut to \`${found[2] ?? ""}\``,
      };
    }
  },
  examples: {
    bad: [
      bad("src/frame.rs", 2, "fn frame(body: &[u8]) -> u8 {\n    body.len() as u8\n}\n"),
      bad(
        "src/head.rs",
        2,
        "fn head(name: &str, out: &mut Vec<u8>) {\n    out.extend((name.len() as u16).to_be_bytes());\n}\n",
      ),
    ],
    good: [
      good(
        "src/frame.rs",
        "fn frame(body: &[u8]) -> Result<u8, Error> {\n    u8::try_from(body.len()).map_err(Error::from)\n}\n",
      ),
      good("src/head.rs", "fn head(name: &str) -> u64 {\n    name.len() as u64\n}\n"),
      good(
        "src/name.rs",
        "fn name(s: &str) -> Result<u8, Error> {\n    if s.len() > MAX {\n        return Err(Error::Long);\n    }\n    Ok(s.len() as u8)\n}\n",
      ),
      good(
        "src/inline.rs",
        "fn inline(s: &str) -> Inline {\n    let mut buf = [0u8; 22];\n    buf[..s.len()].copy_from_slice(s.as_bytes());\n    Inline { len: s.len() as u8, buf }\n}\n",
      ),
      good("src/first.rs", "fn first(n: u32) -> u8 {\n    n as u8\n}\n"),
    ],
  },
};
