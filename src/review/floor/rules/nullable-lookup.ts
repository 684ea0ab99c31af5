/**
 * Members of a look-up's result that are used without a check, although the look-up gives null when nothing matches: a
 * direct chain, or a variable whose first mention after the look-up is the use.
 */
import { escapePattern } from "../../../base/escape-pattern.ts";
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
      (/^(?:match|search|fullmatch)$/.test(name) &&
        (receiver === "re" ||
          /^(?:\w{1,40}\.)?(?:[A-Z][A-Z0-9_]{1,40}|\w{0,40}(?:_re|regexp?|pattern|_rx))$/.test(receiver))) ||
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

type Use = { readonly member: string; readonly line: number };

/** Code that expects the failure. */
const EXPECTS_FAILURE =
  /\b(?:AttributeError|NoMethodError|NullReferenceException|NullPointerException|NoSuchElementException|TypeError)\b/;

/** The first mention of the variable that a look-up is assigned to, when it uses a member without a check. */
function firstUseOf(value: SyntaxNode, scope: SyntaxNode): Use | null {
  const assignment = value.parent();
  if (
    assignment === null ||
    !/^(?:variable_declarator|assignment|assignment_expression)$/.test(assignment.kind())
  )
    return null;
  // `if (session = find_by(…))` checks the value.
  if (
    !/^(?:body_statement|then|else|do|block_body|begin|program|expression_statement|\w*declaration)$/.test(
      assignment.parent()?.kind() ?? "",
    )
  )
    return null;
  const target = assignment.field("left") ?? assignment.field("name") ?? assignment.namedChildren()[0];
  const name = target?.text() ?? "";
  if (!/^[$@]?[A-Za-z_]\w{0,60}$/.test(name)) return null;
  const from = assignment.range().end.index - scope.range().start.index;
  const rest = scope.text().slice(from);
  const found = new RegExp(`(?<![\\w$@.:])${escapePattern(name)}(?!\\w)`).exec(rest);
  if (found === null) return null;
  const member = /^(?:!?\.|->)([A-Za-z_]\w{0,60}[?!]?)(?!\s*=[^=])/.exec(
    rest.slice(found.index + name.length),
  )?.[1];
  // A use in another branch or callback may run in another order.
  const between = rest.slice(0, found.index);
  if (
    member === undefined ||
    /[{}]|\b(?:else|elsif|elif|when|case|end|do|rescue|except|def|lambda)\b|=>/.test(between)
  )
    return null;
  const line = assignment.range().end.line + 1 + (between.split("\n").length - 1);
  return { member, line };
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
    /\bfind_by\b|\b(?:detect|find|findLast|findFirst|findAny|findOne|findBy\w{1,60}|first|last|match|search|fullmatch)\b|OrDefault|environ\.get|request\.\w{1,10}\.get/,
  *check(root, { language }): Iterable<RuleMatch> {
    const lookup = LOOKUPS[language];
    if (lookup === undefined) return;
    for (const call of callsIn(root, language, (name) =>
      /^(?:find\w*|detect|first|last|match|search|fullmatch|get|\w{4,8}OrDefault(?:Async)?(?:<.*)?)$/s.test(
        name,
      ),
    )) {
      if (!lookup.isNullable(call)) continue;
      const value = valueOf(call.node);
      const scope = functionAround(call.node) ?? root;
      const chained = memberOf(value);
      const use =
        chained === null
          ? firstUseOf(value, scope)
          : { member: chained, line: call.node.range().end.line + 1 };
      if (use === null || lookup.safeMember.test(use.member) || EXPECTS_FAILURE.test(scope.text())) continue;
      // `if (items.find(…)) items.find(…).price`: the same look-up was checked before.
      if (scope.text().split(call.node.text()).length > 2) continue;
      yield {
        line: use.line,
        title: `${nameOr(call.name, "The look-up")} can give ${lookup.nothing}, and ${nameOr(`.${use.member}`, "the next call")} then fails`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "app/services/refresh.rb",
        3,
        "def refresh(token)\n  session = Session.find_by(token: token)\n  session.update!(seen: true)\nend\n",
      ),
      bad(
        "src/price.ts",
        4,
        "export function price(items: Item[], id: string) {\n  const item = items.find((one) => one.id === id);\n\n  return item.price * 2;\n}\n",
      ),
      bad(
        "Named.cs",
        4,
        "class Named {\n  async Task<string> Name(int id) {\n    var order = await _db.Orders.FirstOrDefaultAsync(o => o.Id == id);\n    return order.Name;\n  }\n}\n",
      ),
      bad(
        "app/number.py",
        5,
        "import re\n\ndef number(text):\n    found = re.search('x', text)\n    return found.group(1)\n",
      ),
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
      bad(
        "app/line.py",
        6,
        "import re\n\nLINE = re.compile(r'(\\d+) (.*)')\n\ndef parse(text):\n    return LINE.match(text).groups()\n",
      ),
      bad(
        "src/plan.ts",
        3,
        "export function price(plans: Plan[], id: string) {\n  const plan = plans.find((one) => one.id === id);\n  return plan!.price;\n}\n",
      ),
      bad("app/config.py", 3, "import os\n\nHOSTS = os.environ.get('HOSTS').split(',')\n"),
    ],
    good: [
      good(
        "app/services/refresh.rb",
        "def refresh(token)\n  session = Session.find_by(token: token)\n  return if session.nil?\n  session.update!(seen: true)\nend\n",
      ),
      good(
        "src/price.ts",
        "export function price(items: Item[], id: string) {\n  const item = items.find((one) => one.id === id);\n  if (!item) return 0;\n  return item.price;\n}\n",
      ),
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
