/** Values conjured from no bytes at all in Rust. `MaybeUninit` and zeroed plain data do not count. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const UNINITIALIZED = /^(?:(?:::)?(?:std|core)::)?mem::uninitialized(?:::<.*>)?$/s;
/** Types for which zero is no value: references, boxes, function pointers. */
const ZEROED =
  /^(?:(?:::)?(?:std|core)::)?mem::zeroed::<\s*(?:&|Box<|Rc<|Arc<|NonNull<|NonZero\w*\b|(?:unsafe\s+)?(?:extern\s+"C"\s+)?fn\s*\()/;

export const rustMemUninitialized: TreeRule = {
  kind: "tree",
  id: "rust-mem-uninitialized",
  title: "Value is made from uninitialised or invalid memory",
  severity: "must-fix",
  category: "correctness",
  why: "This is undefined behaviour as soon as the value exists, for almost every type, and an optimised build may do anything with it.",
  fix: "Use `MaybeUninit` and call `assume_init` once every byte is written.",
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
