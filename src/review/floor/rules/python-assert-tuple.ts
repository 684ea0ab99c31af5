/** `assert (condition, "message")`: a tuple, which is always true. */
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

export const pythonAssertTuple: TreeRule = {
  kind: "tree",
  id: "python-assert-tuple",
  title: "Assertion on a tuple is always true",
  severity: "major",
  category: "correctness",
  why: "The parentheses turn the condition and the message into a tuple. A non-empty tuple is true, so the assertion never fails.",
  fix: 'Remove the parentheses: `assert condition, "message"`.',
  languages: ["python"],
  inTests: true,
  trigger: /\bassert\b/,
  *check(root) {
    for (const statement of root.findAll({ rule: { kind: "assert_statement" } })) {
      const [asserted] = statement.namedChildren();
      if (asserted?.kind() === "tuple" && asserted.namedChildren().length > 0)
        yield { line: linesOf(statement).line };
    }
  },
  examples: {
    bad: [
      bad("app/check.py", 2, 'def check(count):\n    assert (count > 0, "nothing to do")\n'),
      bad(
        "tests/test_check.py",
        2,
        'def test_count():\n    assert (\n        count() == 3,\n        "three are expected",\n    )\n',
      ),
    ],
    good: [
      good("app/check.py", 'def check(count):\n    assert count > 0, "nothing to do"\n'),
      good("app/wrapped.py", 'def check(count):\n    assert (\n        count > 0\n    ), "nothing to do"\n'),
      good(
        "app/compare.py",
        "def check(pair):\n    assert (1, 2) == pair\n    assert pair in ((1, 2), (3, 4))\n",
      ),
    ],
  },
};
