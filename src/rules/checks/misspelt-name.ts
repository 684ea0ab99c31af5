/**
 * A member that is written once in the file, with a letter swapped, doubled or missing, while the same file writes it
 * correctly several times. Only languages that find such a mistake at run time.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Node kinds of members per language, because searching for a kind that a grammar doesn't have is an error. */
const MEMBERS: Readonly<Record<string, string>> = {
  javascript: "property_identifier",
  python: "identifier",
  ruby: "identifier",
  php: "name",
};

/** Shorter words have too many neighbors. */
const MIN_WORD_CHARS = 6;
/** So often the file writes the name it means. */
const MIN_USES = 3;

/** Pairs that are both right. */
const BOTH_RIGHT =
  /^(?:referr?er|cancell?ed|cancell?ing|labell?ed|modell?ing|travell?er|formatt?ed|mapp?ed|signall?ed|buffer{1,2}ed)$/;

/** True when one word is the other with two letters swapped, or with a letter doubled or not. */
function isSlip(word: string, right: string): boolean {
  if (word === right || Math.min(word.length, right.length) < MIN_WORD_CHARS) return false;
  if (BOTH_RIGHT.test(word) || BOTH_RIGHT.test(right)) return false;
  let at = 0;
  while (word[at] === right[at]) at++;
  if (word.length === right.length)
    return (
      word[at] === right[at + 1] && word[at + 1] === right[at] && word.slice(at + 2) === right.slice(at + 2)
    );
  const [longer, shorter] = word.length > right.length ? [word, right] : [right, word];
  if (longer.length !== shorter.length + 1 || longer.slice(at + 1) !== shorter.slice(at)) return false;
  // A plural isn't a slip, and a first letter is often a prefix.
  return longer[at] === longer[at - 1] && at < longer.length - 1;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
}

/** The same for a name and its misspelt forms, so that a file's names are compared in groups only. */
function groupOf(name: string): string {
  return wordsOf(name)
    .map((word) => word.replaceAll(/(.)\1/g, "$1").split("").toSorted().join(""))
    .join("_");
}

/** A group with more names is made of short counters. */
const MAX_GROUP = 20;

/** The name that a misspelt one stands for: the same words, one of them with a slip. */
function meant(name: string, others: readonly string[]): string | null {
  const own = wordsOf(name);
  for (const other of others.slice(0, MAX_GROUP)) {
    const words = wordsOf(other);
    if (words.length !== own.length) continue;
    const different = words.flatMap((word, index) => (word === own[index] ? [] : [index]));
    const [only] = different;
    if (different.length === 1 && only !== undefined && isSlip(own[only] ?? "", words[only] ?? ""))
      return other;
  }
  return null;
}

/** A member that is read, and not a definition, a key or a name of another module. */
function isRead(node: SyntaxNode, language: string): boolean {
  const parent = node.parent();
  switch (parent?.kind()) {
    case "member_expression":
      return true;
    case "attribute":
      return parent.field("attribute")?.range().start.index === node.range().start.index;
    case "call":
      return language === "ruby" && parent.field("method")?.range().start.index === node.range().start.index;
    case "member_access_expression":
    case "member_call_expression":
      return parent.field("name")?.range().start.index === node.range().start.index;
    default:
      return false;
  }
}

export const misspeltName: TreeRule = {
  kind: "tree",
  id: "misspelt-name",
  title: "Misspelled name: it is written differently in the rest of the file",
  severity: "major",
  category: "correctness",
  why: "The language finds such a mistake only when the line runs: the member is missing then, or empty.",
  fix: "Use the spelling of the rest of the file.",
  confidence: 0.85,
  languages: ["javascript", "python", "ruby", "php"],
  inTests: true,
  trigger: /[\w)\]](?:\.|->)[a-zA-Z_]\w{5}/,
  *check(root, { language }): Iterable<RuleMatch> {
    const uses = new Map<string, number>();
    for (const [name] of root.text().matchAll(/[A-Za-z_]\w{5,60}/g))
      uses.set(name, (uses.get(name) ?? 0) + 1);
    const frequent = Map.groupBy(
      [...uses].filter(([, count]) => count >= MIN_USES).map(([name]) => name),
      groupOf,
    );
    for (const node of root.findAll({ rule: { kind: MEMBERS[language] ?? "" } })) {
      const name = node.text();
      if (uses.get(name) !== 1 || !isRead(node, language)) continue;
      const right = meant(name, frequent.get(groupOf(name)) ?? []);
      if (right === null) continue;
      yield {
        line: node.range().start.line + 1,
        title: `Misspelled name: ${nameOr(name, "it")} is ${nameOr(right, "different")} everywhere else in this file`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "a.js",
        4,
        "export function f(user) {\n  check(user.address);\n  save(user.address, user.address);\n  return user.adress;\n}\n",
      ),
      bad(
        "a.py",
        5,
        "class A:\n    def f(self):\n        self.receiver = 1\n        log(self.receiver, self.receiver)\n        return self.reciever\n",
      ),
      bad(
        "a.rb",
        4,
        "def f(order)\n  order.customer_address\n  log(order.customer_address, order.customer_address)\n  order.customer_adress.to_s\nend\n",
      ),
    ],
    good: [
      good(
        "a.js",
        "export function f(user) {\n  check(user.address);\n  save(user.address, user.address);\n  return user.addresses;\n}\n",
      ),
      good(
        "b.js",
        "export function f(request) {\n  a(request.referrer, request.referrer, request.referrer);\n  return request.referer;\n}\n",
      ),
      good("c.js", "export function f(x) {\n  a(x.content, x.content, x.content);\n  return x.context;\n}\n"),
    ],
  },
};
