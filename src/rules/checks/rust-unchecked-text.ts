/** Bytes from a socket or a file that become text without a check. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { isRustTest } from "../syntax/rust-test.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Where bytes from outside enter: reads, and parameters with the names of such bytes. */
const READ =
  /\.(?:read|read_exact|read_to_end|read_until|recv|recv_from|read_buf|next_line|bytes)\s*\(|\bfs::read\(|\b(?:body|payload|request|input|packet|frame|message|data|raw|bytes|buf)\s*:\s*(?:&\s*(?:mut\s+)?\[u8\]|Vec<u8>|Bytes|&Bytes)/;

/** Code that has checked the bytes, or says why it needn't. */
const CHECKED =
  /SAFETY|Safety:|is_ascii|from_utf8\(|from_utf8_lossy|is_char_boundary|simdutf8|validate|debug_assert|assert!/;

const CONVERSION = /(?:^|::)(?:from_utf8_unchecked(?:_mut)?|from_boxed_utf8_unchecked)$/;

function isUnchecked(node: SyntaxNode): boolean {
  const callee = node.field("function")?.text() ?? "";
  if (callee.length > 80 || !CONVERSION.test(callee)) return false;
  const around = functionAround(node);
  const text = around?.text() ?? "";
  if (text === "" || text.length > 5_000 || /\bunsafe\s+fn\b/.test(text.slice(0, 200))) return false;
  return READ.test(text) && !CHECKED.test(text);
}

export const rustUncheckedText: TreeRule = {
  kind: "tree",
  id: "rust-unchecked-text",
  title: "Unchecked UTF-8: bytes from outside become a string without a check",
  severity: "must-fix",
  category: "correctness",
  why: "A string that isn't valid UTF-8 is undefined behavior, and the sender of the bytes decides whether it is valid.",
  fix: "Use `String::from_utf8` and handle the error, or `from_utf8_lossy`.",
  confidence: 0.9,
  languages: ["rust"],
  inTests: false,
  trigger: /\bfrom_(?:boxed_)?utf8_unchecked/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      if (!isUnchecked(node) || isRustTest(node)) continue;
      const [value] = node.field("arguments")?.namedChildren() ?? [];
      yield {
        line: linesOf(node).line,
        title: `Unchecked UTF-8: ${nameOr(value?.text().replace(/^&/, "") ?? "", "input")} becomes a string without a check`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/frame.rs",
        4,
        "fn read(stream: &mut TcpStream, n: usize) -> io::Result<String> {\n    let mut body = vec![0u8; n];\n    stream.read_exact(&mut body)?;\n    Ok(unsafe { String::from_utf8_unchecked(body) })\n}\n",
      ),
      bad(
        "src/parse.rs",
        2,
        "fn parse(payload: &[u8]) -> Command {\n    let text = unsafe { std::str::from_utf8_unchecked(payload) };\n    Command::from(text)\n}\n",
      ),
    ],
    good: [
      good(
        "src/frame.rs",
        "fn read(body: Vec<u8>) -> Result<String, FromUtf8Error> {\n    String::from_utf8(body)\n}\n",
      ),
      good(
        "src/safe.rs",
        "fn read(data: &[u8]) -> &str {\n    // SAFETY: the caller checked it.\n    unsafe { std::str::from_utf8_unchecked(data) }\n}\n",
      ),
      good(
        "src/own.rs",
        "fn digits(n: u8) -> String {\n    let out = vec![b'0' + n];\n    unsafe { String::from_utf8_unchecked(out) }\n}\n",
      ),
    ],
  },
};
