/** `let _ = mutex.lock()`: the guard is dropped at once, so nothing is locked. */
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

export const rustDiscardedGuard: TreeRule = {
  kind: "tree",
  id: "rust-discarded-guard",
  title: "Discarded lock guard: `let _` drops it at once",
  severity: "must-fix",
  category: "correctness",
  why: "`_` doesn't bind the value, so the guard is dropped on the same line and the code below runs without the lock.",
  fix: "Bind it to a name: `let _guard = mutex.lock().unwrap();`.",
  languages: ["rust"],
  inTests: false,
  trigger: /\blet _ =/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "let_declaration" } })) {
      const text = node.text();
      if (
        !/^let _ = [\w.:&()]{1,120}\.(?:lock|read|write|borrow_mut)\(\)(?:\.await|\.unwrap\(\)|\.expect\([^()]*\)|\?)*;$/s.test(
          text,
        )
      )
        continue;
      // `read` and `write` belong to many types; a lock's have no arguments and are unwrapped or awaited.
      if (/\.(?:read|write)\(\);$/.test(text)) continue;
      yield { line: linesOf(node).line };
    }
  },
  examples: {
    bad: [
      bad(
        "src/store.rs",
        2,
        "fn set(store: &Store) {\n    let _ = store.lock.lock().unwrap();\n    store.write_items();\n}\n",
      ),
      bad(
        "src/async.rs",
        2,
        "async fn set(store: &Store) {\n    let _ = store.lock.lock().await;\n    store.write_items();\n}\n",
      ),
    ],
    good: [
      good(
        "src/store.rs",
        "fn set(store: &Store) {\n    let _guard = store.lock.lock().unwrap();\n    store.write_items();\n}\n",
      ),
      good("src/send.rs", "fn send(tx: &Sender) {\n    let _ = tx.send(1);\n    let _ = socket.read();\n}\n"),
      good("src/use.rs", "fn get(store: &Store) {\n    let _ = store.lock.lock().unwrap().pop();\n}\n"),
    ],
  },
};
