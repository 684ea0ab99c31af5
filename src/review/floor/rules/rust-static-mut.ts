/** `static mut` variables of one's own; those of a foreign library are declared as they are. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

export const rustStaticMut: TreeRule = {
  kind: "tree",
  id: "rust-static-mut",
  title: "`static mut` can be written by two threads at once",
  severity: "medium",
  category: "reliability",
  why: "The compiler checks nothing here: any two uses, even a shared reference taken while another exists, can be undefined behaviour.",
  fix: "Use an atomic, `OnceLock`, `LazyLock` or a `Mutex` in a plain `static`.",
  languages: ["rust"],
  inTests: false,
  trigger: /\bstatic\s+mut\b/,
  *check(root, file): Iterable<RuleMatch> {
    // Without the standard library there is often neither a lock nor a second thread.
    if (file.lines?.some((line) => /^\s*#!\[(?:cfg_attr\([^)]*,\s*)?no_std/.test(line)) === true) return;
    for (const node of root.findAll({ rule: { kind: "static_item" } })) {
      if (!node.children().some((child) => child.kind() === "mutable_specifier")) continue;
      // Only a foreign library's variable is declared without a value.
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
