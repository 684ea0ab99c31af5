/** `static mut` variables that the crate defines. Declarations of foreign variables are ignored. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

export const rustStaticMut: TreeRule = {
  kind: "tree",
  id: "rust-static-mut",
  title: "Possible data race: nothing protects a `static mut`",
  severity: "medium",
  category: "reliability",
  why: "The compiler doesn't check access to it: any two uses, even overlapping references, can be undefined behavior.",
  fix: "Use a plain `static` with an atomic, `OnceLock`, `LazyLock` or `Mutex`.",
  languages: ["rust"],
  inTests: false,
  trigger: /\bstatic\s+mut\b/,
  *check(root, file): Iterable<RuleMatch> {
    // Without the standard library there are often no locks and no threads.
    if (file.lines?.some((line) => /^\s*#!\[(?:cfg_attr\([^)]*,\s*)?no_std/.test(line)) === true) return;
    for (const node of root.findAll({ rule: { kind: "static_item" } })) {
      if (!node.children().some((child) => child.kind() === "mutable_specifier")) continue;
      // Only a foreign variable is declared without a value.
      if (node.field("value") === null) continue;
      if (/\bthread_local\b|no_mangle|link_section/.test(node.prev()?.text() ?? "")) continue;
      const name = node.field("name")?.text() ?? "";
      yield { line: node.range().start.line + 1, detail: `\`${name}\` is shared by all threads.` };
    }
  },
  examples: {
    bad: [
      bad(
        "src/count.rs",
        1,
        "static mut COUNT: u32 = 0;\n\npub fn next() -> u32 {\n    unsafe {\n        COUNT += 1;\n        COUNT\n    }\n}\n",
      ),
      bad(
        "src/count.rs",
        2,
        "pub fn next() -> u32 {\n    static mut LAST: u32 = 0;\n    unsafe { LAST += 1; LAST }\n}\n",
      ),
    ],
    good: [
      good("src/count.rs", "static COUNT: AtomicU32 = AtomicU32::new(0);\n"),
      good("src/count.rs", 'extern "C" {\n    static mut environ: *const *const u8;\n}\n'),
      good("src/count.rs", "// static mut COUNT: u32 = 0;\nfn f(x: &'static mut [u8]) {}\n"),
      good("src/main.rs", "#![no_std]\nstatic mut STACK: [u8; 64] = [0; 64];\n"),
    ],
  },
};
