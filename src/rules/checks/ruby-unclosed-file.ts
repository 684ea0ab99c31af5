/** Files and sockets that Ruby code opens without a block and never closes. A value that is passed on may be closed elsewhere. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

function opens({ name, receiver, node }: Call): boolean {
  const isFile = /^(?:::)?File$/.test(receiver) && /^(?:open|new)$/.test(name);
  const isSocket =
    /^(?:::)?(?:TCPSocket|UNIXSocket|UDPSocket)$/.test(receiver) && /^(?:open|new)$/.test(name);
  if (!isFile && !isSocket) return false;
  return node.field("block") === null && !node.text().includes("&");
}

/** Methods that read or write and give no way to close the file. */
const WORKS =
  /^(?:read|write|puts|print|gets|readlines?|each_line|each|readpartial|binmode|flush|printf|seek|rewind|eof\?|sync=?|<<|lines|map|size|set_encoding|sysread|syswrite|getc|each_byte|flock|truncate|fsync|lineno|pos|send|recv)$/;

/** True when every later mention of the name only reads or writes. */
function isNeverClosed(name: string, after: string): boolean {
  const mentions = [...after.matchAll(new RegExp(`(?<![\\w@.:])${escapePattern(name)}(?![\\w:?!])`, "g"))];
  return (
    mentions.length > 0 &&
    mentions.every(({ index }) => {
      const use = /^(?:&?\.([a-z_]\w{0,30}[?=]?)|\s*(<<))/.exec(after.slice(index + name.length));
      return WORKS.test(use?.[1] ?? use?.[2] ?? "");
    })
  );
}

/** `File.open(path).read` leaves no name to close. */
function isReadOnce(node: SyntaxNode, parent: SyntaxNode): boolean {
  return (
    parent.kind() === "call" &&
    parent.field("receiver")?.range().start.index === node.range().start.index &&
    /^(?:read|readlines|each_line|write|puts|gets|readline)$/.test(parent.field("method")?.text() ?? "")
  );
}

export const rubyUnclosedFile: TreeRule = {
  kind: "tree",
  id: "ruby-unclosed-file",
  title: "Resource leak: a file or socket is never closed",
  severity: "medium",
  category: "reliability",
  why: "The handle stays open until the garbage collector runs. Under load the process runs out of descriptors, and buffered output can be lost.",
  fix: "Pass a block to `open`, which closes it, or use `File.read` and `File.write`.",
  languages: ["ruby"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bFile\.(?:open|new)\b|Socket\.(?:open|new)\b|\.close\b/,
  *check(root): Iterable<RuleMatch> {
    for (const call of callsIn(root, "ruby", (name) => /^(?:open|new)$/.test(name))) {
      const parent = call.node.parent();
      if (parent === null || !opens(call)) continue;
      const line = linesOf(call.node).line;
      if (isReadOnce(call.node, parent)) {
        yield { line };
        continue;
      }
      const target = parent.kind() === "assignment" ? parent.field("left") : null;
      const scope = functionAround(call.node) ?? root;
      if (target === null || target.kind() !== "identifier") continue;
      const end = scope.range().start.index;
      const name = target.text();
      if (!isNeverClosed(name, scope.text().slice(parent.range().end.index - end))) continue;
      yield {
        line,
        missingIn: linesOf(scope),
        title: `Resource leak: ${nameOr(name, "the file")} is never closed`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "lib/count.rb",
        2,
        'def count(path)\n  file = File.open(path, "r")\n  lines = 0\n  file.each_line { lines += 1 }\n  lines\nend\n',
      ),
      bad("lib/load.rb", 2, "def load(path)\n  JSON.parse(File.open(path).read)\nend\n"),
      bad(
        "lib/save.rb",
        2,
        'def save(path)\n  out = File.new(path, "w")\n  out << "x"\n  out.puts "y"\n  nil\nend\n',
      ),
    ],
    good: [
      good("lib/count.rb", "def count(path)\n  File.open(path) { |file| file.each_line.count }\nend\n"),
      good("lib/lend.rb", "def lend(path)\n  file = File.open(path)\n  Parser.new(file)\nend\n"),
      good(
        "lib/close.rb",
        "def first(path)\n  file = File.open(path)\n  file.gets\nensure\n  file.close\nend\n",
      ),
      good("lib/give.rb", "def give(path)\n  file = File.open(path)\n  file.binmode\n  file\nend\n"),
      good("lib/pass.rb", "def pass(path, &block)\n  File.open(path, &block)\nend\n"),
    ],
  },
};
