/** `Hash.new([])` and `Array.new(3, [])`: every key or element shares one object. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const MUTABLE = /^(?:\[\s*\]|\{\s*\}|''|""|Hash\.new(?:\(0\))?|Array\.new|Set\.new|String\.new)$/;

/** True when the hash's values are changed through its default: `by[key] << x`, `by[key][:b] = 1`, `by[key].push(x)`. */
function isChangedInPlace(assignment: string, text: string): boolean {
  const name = /^(@{0,2}[a-z_]\w{0,60})\s*(?:\|\|)?=/.exec(assignment)?.[1];
  if (name === undefined) return false;
  return new RegExp(
    `(?<![\\w@])${name}\\[[^\\]\\n]{1,80}\\](?:\\s*<<|\\[[^\\]\\n]{1,80}\\]\\s*(?:=[^=~>]|<<|[-+|]{1,2}=)|\\.(?:push|append|concat|unshift|add|merge!|store|update|insert)\\b)`,
  ).test(text);
}

export const rubySharedDefault: TreeRule = {
  kind: "tree",
  id: "ruby-shared-default",
  title: "Shared object: all keys or elements have the same one",
  severity: "must-fix",
  category: "correctness",
  why: "Ruby evaluates the argument once. Changing one element changes all of them, and a hash doesn't store what is added to its default.",
  fix: "Use a block: `Hash.new { |hash, key| hash[key] = [] }` or `Array.new(3) { [] }`.",
  confidence: 0.9,
  languages: ["ruby"],
  inTests: true,
  trigger: /\b(?:Hash|Array)\.new\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, receiver, args } of callsIn(root, "ruby", (name) => name === "new")) {
      if (receiver !== "Hash" && receiver !== "Array") continue;
      const value = receiver === "Hash" ? args[0] : args[1];
      if (value === undefined || !MUTABLE.test(value.text())) continue;
      // A frozen default, or one that is only read and replaced, isn't changed in place.
      if (receiver === "Hash" && !isChangedInPlace(node.parent()?.text() ?? "", root.text())) continue;
      yield {
        line: linesOf(node).line,
        title: `Shared object: all ${receiver === "Hash" ? "missing keys" : "elements"} have the same one, and change together`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "a.rb",
        2,
        "def group(rows)\n  by = Hash.new([])\n  rows.each { |row| by[row.kind] << row }\n  by\nend\n",
      ),
      bad("b.rb", 1, "grid = Array.new(3, [])\ngrid[0] << 1\n"),
      bad("c.rb", 1, "counts = Hash.new({})\ncounts[:a][:b] = 1\n"),
    ],
    good: [
      good("a.rb", "by = Hash.new { |hash, key| hash[key] = [] }\nby[1] << 2\n"),
      good("b.rb", "grid = Array.new(3) { [] }\nzeros = Array.new(3, 0)\n"),
      good("c.rb", "counts = Hash.new(0)\ncounts[:a] += 1\n"),
      good("d.rb", "found = Hash.new([])\nfound[:a] += [1]\nputs found[:b].size\n"),
    ],
  },
};
