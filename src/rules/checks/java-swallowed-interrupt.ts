/** `catch (InterruptedException e)` that neither restores the interrupt nor ends the work. */
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** Restores the interrupt, passes it on, or ends the loop or method. */
const HANDLED =
  /\binterrupt\w*\s*\(|\bthrow\b|\breturn\b|\bbreak\b|\bcancel|\bstop|\bshutdown|\bclose|\bfail\(|\bexit\(/i;

export const javaSwallowedInterrupt: TreeRule = {
  kind: "tree",
  id: "java-swallowed-interrupt",
  title: "Swallowed interrupt: the thread can't be stopped",
  severity: "medium",
  category: "reliability",
  why: "Catching the exception clears the thread's interrupt flag. Code that waits for the flag, such as an executor's shutdown, doesn't see it.",
  fix: "Call `Thread.currentThread().interrupt()` in the handler, or let the exception propagate.",
  languages: ["java"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bInterruptedException\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "catch_clause" } })) {
      const body = node.field("body");
      const head = node.text().slice(0, 200).split("{", 1)[0] ?? "";
      if (
        body === null ||
        !/\(\s*(?:final\s+)?InterruptedException\s+\w+\s*\)/.test(head) ||
        /ignore|expected/i.test(head)
      )
        continue;
      const text = body.text();
      if (HANDLED.test(text) || /\/\/|\/\*/.test(text)) continue;
      yield { line: linesOf(node).line, missingIn: linesOf(node) };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Wait.java",
        5,
        "class Wait {\n  void f() {\n    try {\n      Thread.sleep(100);\n    } catch (InterruptedException e) {\n      e.printStackTrace();\n    }\n  }\n}\n",
      ),
      bad(
        "src/Loop.java",
        6,
        "class Loop {\n  void f() {\n    while (true) {\n      try {\n        queue.take().run();\n      } catch (InterruptedException e) {\n      }\n    }\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Wait.java",
        "class Wait {\n  void f() {\n    try {\n      Thread.sleep(100);\n    } catch (InterruptedException e) {\n      Thread.currentThread().interrupt();\n    }\n  }\n}\n",
      ),
      good(
        "src/Throw.java",
        "class Wait {\n  void f() {\n    try {\n      Thread.sleep(100);\n    } catch (InterruptedException e) {\n      throw new IllegalStateException(e);\n    }\n  }\n}\n",
      ),
      good(
        "src/Other.java",
        "class Wait {\n  void f() {\n    try {\n      g();\n    } catch (IOException e) {\n      log(e);\n    } catch (InterruptedException ignored) {\n    }\n  }\n}\n",
      ),
    ],
  },
};
