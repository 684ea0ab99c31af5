/** `todo!()` in production code. `unimplemented!()` is often deliberate and is ignored. */
import { anyKind } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

/** `#[test]`, `#[cfg(test)]` and similar attributes on an item. */
const MARKED = {
  kind: "attribute_item",
  regex: "\\btest\\b|\\bbench\\b|\\bcfg\\b",
  stopBy: { not: anyKind("attribute_item line_comment block_comment") },
};

export const rustLeftoverTodo: PatternRule = {
  kind: "pattern",
  id: "rust-leftover-todo",
  title: "Leftover `todo!()` in production code",
  severity: "major",
  category: "correctness",
  why: "The macro compiles anywhere and panics at run time, so the gap shows up only when this code is reached.",
  fix: "Implement the missing code, or return an error for the unsupported case.",
  languages: ["rust"],
  trigger: /\btodo!/,
  unlessPath: /(?:^|\/)(?:examples|benches|docs?|fixtures|templates?)\//,
  patterns: [
    {
      rule: {
        kind: "macro_invocation",
        regex: "^todo!",
        not: { inside: { follows: MARKED, stopBy: "end" } },
      },
    },
  ],
  examples: {
    bad: [
      bad("src/store.rs", 2, "pub fn save(text: &str) -> bool {\n    todo!()\n}\n"),
      bad(
        "src/store.rs",
        4,
        'fn f(k: Kind) -> u8 {\n    match k {\n        Kind::A => 1,\n        Kind::B => todo!("kind b"),\n    }\n}\n',
      ),
    ],
    good: [
      good("src/store.rs", '// todo!() is gone\nfn f() {\n    let s = "todo!()";\n}\n'),
      good("src/store.rs", "#[cfg(test)]\nmod tests {\n    fn stub() {\n        todo!()\n    }\n}\n"),
      good("src/store.rs", "fn seek(&self) {\n    unimplemented!()\n}\n"),
      good("examples/store.rs", "fn main() {\n    todo!()\n}\n"),
    ],
  },
};
