/** The result of a Ruby method such as `compact!`, which is nil when nothing changed, used as if it were the object. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Methods of texts and collections that give nil when there was nothing to change. */
const NIL_WHEN_UNCHANGED =
  /^(?:gsub|sub|strip|lstrip|rstrip|chomp|chop|squeeze|upcase|downcase|capitalize|swapcase|tr|delete|slice|compact|uniq|flatten|select|reject|tr_s|delete_prefix|delete_suffix|unicode_normalize)!$/;

export const rubyBangResult: TreeRule = {
  kind: "tree",
  id: "ruby-bang-result",
  title: "Nil result: the method gives nil when nothing changed",
  severity: "major",
  category: "correctness",
  why: "With an exclamation mark the method changes the object, and gives nil if there was nothing to change. The next call then raises NoMethodError.",
  fix: "Use the method without the exclamation mark, or use the object instead of the result.",
  confidence: 0.9,
  languages: ["ruby"],
  inTests: false,
  trigger: /\w!/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, receiver } of callsIn(root, "ruby", (called) =>
      NIL_WHEN_UNCHANGED.test(called),
    )) {
      const parent = node.parent();
      if (parent === null || receiver === "") continue;
      const isChained =
        parent.kind() === "call" &&
        parent.field("receiver")?.range().end.index === node.range().end.index &&
        !parent.children().some((child) => child.text() === "&.") &&
        !/^(?:nil\?|present\?|blank\?|presence|to_s|to_a|!|then|tap|inspect|is_a\?|should|should_not)$/.test(
          parent.field("method")?.text() ?? "",
        );
      // `name = name.strip!` replaces the text with nil.
      const isAssignedBack = parent.kind() === "assignment" && parent.field("left")?.text() === receiver;
      if (!isChained && !isAssignedBack) continue;
      yield {
        line: linesOf(node).line,
        title: `Nil result: ${nameOr(name.slice(0, -1), "the method").replace(/`$/, "!`")} gives nil when nothing changed, ${isChained ? "and the next call fails" : "and the value is lost"}`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.rb", 2, "def slug(text)\n  text.gsub!(/ /, '-').downcase\nend\n"),
      bad("b.rb", 2, "def names(list)\n  list.compact!.map(&:name)\nend\n"),
      bad("c.rb", 2, "def clean(name)\n  name = name.strip!\n  name\nend\n"),
    ],
    good: [
      good("a.rb", "def slug(text)\n  text.gsub(/ /, '-').downcase\nend\n"),
      good("b.rb", "def names(list)\n  list.compact!\n  list.map(&:name)\nend\n"),
      good(
        "c.rb",
        "def f(list)\n  changed = list.uniq!\n  changed.nil?\n  list.map!(&:to_s).sort!.first\nend\n",
      ),
      good("d.rb", "def f(list)\n  list.flatten!&.first\nend\n"),
    ],
  },
};
