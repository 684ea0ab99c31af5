/** Rust values made from uninitialized or zeroed memory. `MaybeUninit` and zeroed plain data are ignored. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const UNINITIALIZED = /^(?:(?:::)?(?:std|core)::)?mem::uninitialized(?:::<.*>)?$/s;
/** Types for which zero is invalid: references, boxes, function pointers. */
const ZEROED =
  /^(?:(?:::)?(?:std|core)::)?mem::zeroed::<\s*(?:&|Box<|Rc<|Arc<|NonNull<|NonZero\w*\b|(?:unsafe\s+)?(?:extern\s+"C"\s+)?fn\s*\()/;

export const rustMemUninitialized: TreeRule = {
  kind: "tree",
  id: "rust-mem-uninitialized",
  title: "Uninitialized or invalid memory used as a value",
  severity: "must-fix",
  category: "correctness",
  why: "For almost every type this is undefined behavior as soon as the value exists, and an optimized build can do anything with it.",
  fix: "Use `MaybeUninit` and call `assume_init` after every byte is initialized.",
  languages: ["rust"],
  inTests: false,
  trigger: /mem::(?:uninitialized|zeroed)/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      const callee = node.field("function")?.text() ?? "";
      if (UNINITIALIZED.test(callee) || ZEROED.test(callee)) yield { line: node.range().start.line + 1 };
    }
  },
  examples: {
    bad: [
      bad("src/buf.rs", 2, "fn f() {\n    let buf: [u8; 64] = unsafe { std::mem::uninitialized() };\n}\n"),
      bad("src/buf.rs", 2, "fn f() {\n    let r = unsafe { mem::zeroed::<&Config>() };\n}\n"),
      bad("src/buf.rs", 2, "fn f() {\n    let b = unsafe { core::mem::uninitialized::<Header>() };\n}\n"),
    ],
    good: [
      good("src/buf.rs", "fn f() {\n    let buf = MaybeUninit::<[u8; 64]>::uninit();\n}\n"),
      good(
        "src/buf.rs",
        "fn f() {\n    let stat: libc::stat = unsafe { mem::zeroed() };\n    let s = unsafe { mem::zeroed::<libc::stat>() };\n}\n",
      ),
      good("src/buf.rs", "// mem::uninitialized() is never right\nfn uninitialized() {}\n"),
    ],
  },
};
