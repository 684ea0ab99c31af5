/** Blocking calls in an async function, outside of `spawn_blocking`. */
import { RUST_TEST } from "../syntax/rust-test.ts";
import { nearest, withFields } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

const BLOCKING = "^(?:(?:std::)?thread::sleep|(?:reqwest::)?blocking::\\w+(?:::\\w+)*)$";

/** The nearest function or block decides: a closure passed to another thread may block. */
const ASYNC = [
  { kind: "async_block" },
  { kind: "closure_expression", regex: "^(?:move\\s+)?async\\b" },
  withFields("closure_expression", { body: "^async\\b" }),
  { kind: "function_item", regex: "^[^{]{0,290}\\basync\\s+(?:unsafe\\s+)?fn\\b" },
];

export const rustBlockingAsync: PatternRule = {
  kind: "pattern",
  id: "rust-blocking-async",
  title: "Blocking call in an async function: it stops the whole thread",
  severity: "major",
  category: "performance",
  why: "The executor's thread can't run other tasks while the call blocks. A few such calls at once stop the whole program.",
  fix: "Use the async variant, such as `tokio::time::sleep`, or move the call into `spawn_blocking`.",
  languages: ["rust"],
  trigger: /thread::sleep|\bblocking::/,
  patterns: [
    {
      rule: {
        kind: "call_expression",
        has: { field: "function", kind: "scoped_identifier", regex: BLOCKING, pattern: "$NAME" },
        inside: nearest({ any: ASYNC }, "closure_expression async_block function_item"),
        not: { inside: RUST_TEST },
      },
      title: "Blocking call in an async function: {NAME|it} stops the whole thread",
    },
  ],
  examples: {
    bad: [
      bad("src/wait.rs", 2, "async fn wait() {\n    std::thread::sleep(Duration::from_secs(1));\n}\n"),
      bad(
        "src/fetch.rs",
        2,
        "async fn fetch(url: &str) -> Result<String> {\n    reqwest::blocking::get(url)?.text()\n}\n",
      ),
    ],
    good: [
      good("src/wait.rs", "async fn wait() {\n    tokio::time::sleep(Duration::from_secs(1)).await;\n}\n"),
      good(
        "src/spawn.rs",
        "async fn wait() {\n    tokio::task::spawn_blocking(move || thread::sleep(PAUSE)).await;\n}\n",
      ),
      good("src/plain.rs", "fn wait() {\n    std::thread::sleep(Duration::from_secs(1));\n}\n"),
    ],
  },
};
