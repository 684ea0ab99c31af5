/**
 * Members of a look-up's result that are used without a check, although the look-up gives null when nothing matches. Only
 * direct chains count: a result in a variable may be checked in ways that a tree doesn't show.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Lookup = {
  readonly isNullable: (call: Call) => boolean;
  /** Members that work on null, or that the look-up's name says nothing about. */
  readonly safeMember: RegExp;
  readonly nothing: string;
};

const JAVASCRIPT: Lookup = {
  isNullable: ({ name, args }) =>
    /^(?:find|findLast)$/.test(name) &&
    /^(?:arrow_function|function_expression)$/.test(args[0]?.kind() ?? ""),
  // `wrapper.find(() => …).text()` of a test library and promises are other kinds of `find`.
  safeMember: /^(?:then|catch|finally|exists|simulate|props|each)$/,
  nothing: "undefined",
};

const LOOKUPS: Readonly<Record<string, Lookup>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  ruby: {
    isNullable: ({ name, node, receiver }) =>
      /^(?:find_by|detect)$/.test(name) ||
      (name === "find" && node.namedChildren().some((child) => /^(?:do_)?block$/.test(child.kind()))) ||
      (/^(?:first|last)$/.test(name) && /\.where\b[^]{0,200}$/.test(receiver) && !/&\./.test(receiver)),
    safeMember:
      /^(?:nil\?|blank\?|present\?|presence|try|to_s|to_a|to_i|to_h|to_json|inspect|then|tap|is_a\?|kind_of\?|instance_of\?|respond_to\?|!|==|!=|dup|freeze|class|as_json|in\?|should|should_not|and_return|instance_variable_get|instance_variable_set|send|public_send|object_id)$/,
    nothing: "nil",
  },
  csharp: {
    isNullable: ({ name }) => /^(?:First|Single|Last)OrDefault(?:Async)?(?:<[\w.]{1,60}>)?$/.test(name),
    safeMember:
      /^(?:ToString|Equals|GetHashCode|CompareTo|Value|HasValue|GetValueOrDefault|ConfigureAwait|Key|Should|ShouldBe\w*|Result|GetAwaiter|ContinueWith|Wait|AsTask|To[A-Z]\w*|Is[A-Z]\w*|As[A-Z]\w*)$/,
    nothing: "null",
  },
  java: {
    isNullable: ({ name }) => /^(?:findFirst|findAny|findById|findOne|findBy[A-Z]\w{0,60})$/.test(name),
    safeMember: /^(?!get$)/,
    nothing: "an empty Optional",
  },
  php: {
    isNullable: ({ name, receiver, args }) =>
      (name === "first" &&
        args.length === 0 &&
        /->|::/.test(receiver) &&
        /where|query|find/i.test(receiver)) ||
      (name === "find" && args.length === 1 && /^[A-Z]\w{0,60}$/.test(receiver)),
    safeMember: /^(?:toBe\w*|each|map)$/,
    nothing: "null",
  },
  python: {
    isNullable: ({ name, receiver, args }) =>
      (/^(?:match|search|fullmatch)$/.test(name) && receiver === "re") ||
      (name === "first" &&
        args.length === 0 &&
        /\.(?:filter|filter_by|exclude|order_by|objects)\b/.test(receiver)) ||
      (name === "get" &&
        args.length === 1 &&
        /^(?:os\.environ|request\.(?:args|form|GET|POST|headers|cookies|COOKIES|json))$/.test(receiver)),
    safeMember: /^$/,
    nothing: "None",
  },
};

/** The node whose member is used: the look-up itself, or the parentheses around its `await`. */
function valueOf(call: SyntaxNode): SyntaxNode {
  const waited = call.parent();
  if (waited === null || !/^(?:await_expression|await)$/.test(waited.kind())) return call;
  const around = waited.parent();
  return around?.kind() === "parenthesized_expression" ? around : waited;
}

/** The member that is used on a value without a check, or null. */
function memberOf(value: SyntaxNode): string | null {
  const around = value.parent();
  if (around === null) return null;
  const object = around.field("object") ?? around.field("receiver") ?? around.field("expression");
  const first = around.namedChildren()[0];
  if ((object ?? first)?.range().start.index !== value.range().start.index) return null;
  if (
    !/^(?:member_expression|attribute|member_access_expression|member_call_expression|method_invocation|call)$/.test(
      around.kind(),
    )
  )
    return null;
  if (around.children().some((child) => /^(?:\?\.|&\.|\?->|optional_chain)$/.test(child.kind()))) return null;
  const name =
    around.field("property") ??
    around.field("attribute") ??
    around.field("method") ??
    around.field("name") ??
    around.namedChildren()[1];
  return name?.text() ?? null;
}

export const nullableLookup: TreeRule = {
  kind: "tree",
  id: "nullable-lookup",
  title: "Result of a look-up is used without checking that it found something",
  severity: "medium",
  category: "correctness",
  why: "The call fails with an error about a missing value as soon as nothing matches, instead of handling that case.",
  fix: "Check the result first, use a safe access with a default, or call the variant that reports a missing record clearly.",
  confidence: 0.8,
  languages: ["javascript", "typescript", "tsx", "ruby", "csharp", "java", "php", "python"],
  inTests: false,
  trigger:
    /\bfind_by\b|\b(?:detect|find|findLast|findFirst|findAny|findOne|findBy\w{1,60}|first|last|match|search|fullmatch)\b.{0,200}(?:\.|->)|OrDefault|environ\.get|request\.\w{1,10}\.get/,
  *check(root, { language }): Iterable<RuleMatch> {
    const lookup = LOOKUPS[language];
    if (lookup === undefined) return;
    for (const call of callsIn(root, language, (name) =>
      /^(?:find\w*|detect|first|last|match|search|fullmatch|get|\w{4,8}OrDefault(?:Async)?(?:<.*)?)$/s.test(
        name,
      ),
    )) {
      if (!lookup.isNullable(call)) continue;
      const member = memberOf(valueOf(call.node));
      if (member === null || lookup.safeMember.test(member)) continue;
      // `if (items.find(…)) items.find(…).price`: the same look-up was checked before.
      const scope = functionAround(call.node) ?? root;
      if (scope.text().split(call.node.text()).length > 2) continue;
      const line = call.node.range().end.line + 1;
      yield {
        line,
        title: `${nameOr(call.name, "The look-up")} can give ${lookup.nothing}, and ${nameOr(`.${member}`, "the next call")} then fails`,
      };
    }
  },
  examples: {
    bad: [
      bad("app/models/order.rb", 2, "def total(id)\n  Order.find_by(id: id).total\nend\n"),
      bad("app/models/seat.rb", 2, "def seat(user)\n  Seat.where(user: user).order(:id).first.number\nend\n"),
      bad(
        "src/cart.js",
        2,
        "export function price(items, id) {\n  return items.find((item) => item.id === id).price;\n}\n",
      ),
      bad(
        "Orders.cs",
        3,
        "class Orders {\n  string Name(int id) {\n    return _orders.FirstOrDefault(o => o.Id == id).Name;\n  }\n}\n",
      ),
      bad(
        "OrdersAsync.cs",
        3,
        "class Orders {\n  async Task<string> Name(int id) {\n    return (await _db.Orders.FirstOrDefaultAsync(o => o.Id == id)).Name;\n  }\n}\n",
      ),
      bad(
        "src/Orders.java",
        3,
        "class Orders {\n  Order order(long id) {\n    return repository.findById(id).get();\n  }\n}\n",
      ),
      bad(
        "app/Orders.php",
        3,
        "<?php\nfunction total($id) {\n  return Order::where('id', $id)->first()->total;\n}\n",
      ),
      bad(
        "app/parse.py",
        4,
        "import re\n\ndef number(text):\n    return re.match(r'(\\d+)', text).group(1)\n",
      ),
      bad("app/config.py", 3, "import os\n\nHOSTS = os.environ.get('HOSTS').split(',')\n"),
    ],
    good: [
      good(
        "src/checked.js",
        "export function price(items) {\n  if (items.find((item) => item.on)) return items.find((item) => item.on).price;\n}\n",
      ),
      good("app/models/order.rb", "def total(id)\n  Order.find_by(id: id)&.total\nend\n"),
      good("app/models/found.rb", "def known?(id)\n  Order.find_by(id: id).present?\nend\n"),
      good("app/models/all.rb", "def names(users)\n  users.find { |user| user.admin? }&.name\nend\n"),
      good(
        "src/cart.js",
        "export function price(items, id) {\n  return items.find((item) => item.id === id)?.price;\n}\n",
      ),
      good(
        "src/cart.ts",
        "export function price(items: Item[], id: string) {\n  return items.find((item) => item.id === id)!.price;\n}\n",
      ),
      good(
        "src/db.js",
        "export function load(db) {\n  return db.collection('a').find({ id: 1 }).toArray();\n}\n",
      ),
      good(
        "Orders.cs",
        "class Orders {\n  string Name(int id) {\n    return _orders.FirstOrDefault(o => o.Id == id)?.Name;\n  }\n}\n",
      ),
      good(
        "src/Orders.java",
        "class Orders {\n  Order order(long id) {\n    return repository.findById(id).orElseThrow();\n  }\n}\n",
      ),
      good(
        "app/Orders.php",
        "<?php\nfunction total($id) {\n  return Order::where('id', $id)->first()?->total;\n}\n",
      ),
      good("app/config.py", "import os\n\nHOSTS = os.environ.get('HOSTS', '').split(',')\n"),
    ],
  },
};
