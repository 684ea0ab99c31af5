/** A RefCell that is borrowed mutably and again in the same statement: it panics. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer statement isn't one expression. */
const MAX_CHARS = 400;

export const rustDoubleBorrow: TreeRule = {
  kind: "tree",
  id: "rust-double-borrow",
  title: "Double borrow: a `RefCell` is borrowed twice in one expression, which panics",
  severity: "must-fix",
  category: "correctness",
  why: "The mutable borrow still lives when the second one is made, so `RefCell` panics every time.",
  fix: "Read the value into a variable first.",
  languages: ["rust"],
  inTests: false,
  trigger: /\.borrow_mut\(\)/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      const { start, end } = node.range();
      if (end.index - start.index > MAX_CHARS) continue;
      const callee = node.field("function")?.text() ?? "";
      const cell = /^([\w.]{1,60})\.borrow_mut\(\)\.[\w.]+$/.exec(callee)?.[1];
      const args = node.field("arguments")?.text() ?? "";
      if (
        cell === undefined ||
        args.includes("|") ||
        !(args.includes(`${cell}.borrow()`) || args.includes(`${cell}.borrow_mut()`))
      )
        continue;
      if (new RegExp(`[\\w.]${cell.replaceAll(".", "\\.")}\\.borrow`).test(args)) continue;
      yield {
        line: linesOf(node).line,
        title: `Double borrow: ${nameOr(cell, "a cell")} is borrowed twice in one expression, which panics`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/list.rs",
        2,
        "fn grow(items: &RefCell<Vec<usize>>) {\n    items.borrow_mut().push(items.borrow().len());\n}\n",
      ),
      bad(
        "src/swap.rs",
        2,
        "fn swap(state: &State) {\n    state.cell.borrow_mut().set(state.cell.borrow_mut().get());\n}\n",
      ),
    ],
    good: [
      good(
        "src/list.rs",
        "fn grow(items: &RefCell<Vec<usize>>) {\n    let n = items.borrow().len();\n    items.borrow_mut().push(n);\n}\n",
      ),
      good(
        "src/other.rs",
        "fn copy(items: &RefCell<Vec<usize>>, other: &RefCell<Vec<usize>>) {\n    items.borrow_mut().push(other.borrow().len());\n}\n",
      ),
      good(
        "src/later.rs",
        "fn later(items: &RefCell<Vec<Job>>) {\n    items.borrow_mut().push(Box::new(|| items.borrow().len()));\n}\n",
      ),
    ],
  },
};
