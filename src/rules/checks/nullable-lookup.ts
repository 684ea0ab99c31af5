/**
 * Members of a look-up's result that are used without a check, although the look-up gives null when nothing matches: a
 * direct chain, or a variable whose first mention after the look-up is the use.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

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

/** Eloquent and Doctrine give a list for a list of keys. */
function isOneKey([first]: Call["args"]): boolean {
  return first !== undefined && !/array/.test(first.kind()) && !/(?:ids|keys|s)$/i.test(first.text());
}

/** A query method's name doesn't tell whether it gives one or a list; only an Optional has a `get` without an index. */
const JAVA_QUERY = /^find/;
const OPTIONAL_GET = /\.\s*get\(\s*\)/;

const LOOKUPS: Readonly<Record<string, Lookup>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  ruby: {
    isNullable: ({ name, node, receiver, args }) =>
      /^(?:find_by|find_by_(?!sql$)[a-z]\w{0,60}|detect)$/.test(name) ||
      (name === "match" && args[0]?.kind() === "regex") ||
      (name === "find" && node.namedChildren().some((child) => /^(?:do_)?block$/.test(child.kind()))) ||
      (/^(?:first|last)$/.test(name) && /\.where\b[^]{0,200}$/.test(receiver) && !/&\./.test(receiver)),
    safeMember:
      /^(?:nil\?|blank\?|present\?|presence|try|to_s|to_a|to_i|to_h|to_json|inspect|then|tap|is_a\?|kind_of\?|instance_of\?|respond_to\?|!|==|!=|dup|freeze|class|as_json|in\?|should|should_not|and_return|instance_variable_get|instance_variable_set|send|public_send|object_id)$/,
    nothing: "nil",
  },
  csharp: {
    isNullable: ({ name, receiver, args }) =>
      /^(?:First|Single|Last)OrDefault(?:Async)?(?:<[\w.]{1,60}>)?$/.test(name) ||
      (/^(?:Find|FindAsync)$/.test(name) &&
        /(?:^|\.)\w{0,20}(?:db|ctx|context)\w{0,20}\.[A-Z]\w{0,60}s$/i.test(receiver)) ||
      (name === "Find" && args.length === 1 && args[0]?.kind() === "lambda_expression") ||
      (/^FindBy(?:Id|Name|Email)Async$/.test(name) && /[uU]serManager|[rR]oleManager/.test(receiver)) ||
      name === "GetEnvironmentVariable",
    safeMember:
      /^(?:ToString|Equals|GetHashCode|CompareTo|Value|HasValue|GetValueOrDefault|ConfigureAwait|Key|Should|ShouldBe\w*|Result|GetAwaiter|ContinueWith|Wait|AsTask|To[A-Z]\w*|Is[A-Z]\w*|As[A-Z]\w*)$/,
    nothing: "null",
  },
  java: {
    isNullable: ({ name, receiver, args }) =>
      /^(?:findFirst|findAny|findById|findOne|findBy[A-Z]\w{0,60})$/.test(name) ||
      (name === "getenv" && receiver === "System" && args.length === 1) ||
      (/^get(?:Parameter|Header)$/.test(name) &&
        /^(?:req|request|httpRequest|servletRequest)$/.test(receiver)),
    safeMember:
      /^(?!get$|trim$|strip$|split$|length$|isEmpty$|isBlank$|equals\w*$|startsWith$|endsWith$|contains$|substring$|to(?:Lower|Upper)Case$|replace\w*$|matches$|charAt$|getBytes$|indexOf$)/,
    nothing: "nothing",
  },
  php: {
    isNullable: ({ name, receiver, args }) =>
      (name === "first" &&
        args.length === 0 &&
        /->|::/.test(receiver) &&
        /where|query|find/i.test(receiver)) ||
      (/^(?:find|firstWhere)$/.test(name) && /^[A-Z]\w{0,60}$/.test(receiver) && isOneKey(args)) ||
      (/^(?:find|findOneBy\w{0,60})$/.test(name) &&
        (name === "find" ? isOneKey(args) : args.length > 0) &&
        /(?:^\$|->)\w{0,60}[rR]epo(?:sitory)?$|getRepository\([^()]*\)$/.test(receiver)),
    safeMember: /^(?:toBe\w*|each|map)$/,
    nothing: "null",
  },
  python: {
    isNullable: ({ name, receiver, args }) =>
      (/^(?:match|search|fullmatch)$/.test(name) &&
        (receiver === "re" ||
          /^(?:\w{1,40}\.)?(?:[A-Z][A-Z0-9_]{1,40}|\w{0,40}(?:_re|regexp?|pattern|_rx))$/.test(receiver))) ||
      /^(?:one_or_none|scalar_one_or_none)$/.test(name) ||
      (name === "first" &&
        args.length === 0 &&
        /\.(?:filter|filter_by|exclude|order_by|objects)\b/.test(receiver)) ||
      (name === "get" &&
        args.length === 1 &&
        /^(?:os\.environ|request\.(?:args|form|GET|POST|headers|cookies|COOKIES|json))$/.test(receiver)),
    safeMember: /^(?:filter|order_by|where|limit|join|options)$/,
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
    !/^(?:member_expression|attribute|member_access_expression|member_call_expression|method_invocation|call|element_reference|subscript)$/.test(
      around.kind(),
    )
  )
    return null;
  if (around.children().some((child) => /^(?:\?\.|&\.|\?->|optional_chain)$/.test(child.kind()))) return null;
  if (/^(?:element_reference|subscript)$/.test(around.kind())) return "[]";
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

/** A use under one of these may run only when something was found, or in another order. */
const CONDITIONAL =
  /^(?:if|unless|elsif|else|when|case|rescue|while|until)$|^(?:if|unless|while|until|rescue)_modifier$|(?:if|while|switch|do|match)_(?:statement|expression)|conditional|ternary|switch_|case_|catch|except|elif|else_|arrow_function|function_(?:declaration|expression|definition)|lambda|anonymous|closure|^(?:do_)?block$|^method$|method_d|class_d|comprehension|generator/;

/** The innermost node at a position. */
function nodeAt(scope: SyntaxNode, index: number): SyntaxNode {
  let node = scope;
  for (;;) {
    const inner = node.children().find((child) => {
      const { start, end } = child.range();
      return start.index <= index && index < end.index;
    });
    if (inner === undefined) return node;
    node = inner;
  }
}

/** More mentions in comments and texts aren't read. */
const MAX_MENTIONS = 5;

/** The first mention of a name after a position, when it uses a member without a check. */
function firstUseOf(name: string, after: SyntaxNode, list: SyntaxNode): Use | null {
  if (!/^[$@]?[A-Za-z_]\w{0,60}$/.test(name)) return null;
  const { start, end } = list.range();
  const from = after.range().end.index;
  const rest = list.text().slice(from - start.index);
  const mention = new RegExp(`(?<![\\w$@.:>-])${escapePattern(name)}(?![\\w:])`, "g");
  for (const found of rest.matchAll(mention).take(MAX_MENTIONS)) {
    // An early exit may depend on what was found.
    if (
      /\b(?:return|throw|raise|continue|break|next|exit|abort|fail|panic|yield)\b/.test(
        exits(rest, found.index),
      )
    )
      return null;
    const inner = nodeAt(list, from + found.index);
    if (/comment|string|heredoc|text/.test(inner.kind())) continue;
    const named = inner.kind() === "$" || inner.parent()?.kind() === "variable_name" ? inner.parent() : inner;
    if (named === null) return null;
    for (
      let around = named.parent();
      around !== null && around.range().start.index > start.index;
      around = around.parent()
    )
      if (
        CONDITIONAL.test(around.kind()) ||
        /^(?:&&|\|\||and|or|\?\?)$/.test(around.children()[1]?.text() ?? "")
      ) {
        if (around.range().start.index < from && around.range().end.index >= end.index) break;
        // The left side of `a.x && b` is evaluated always.
        if (around.range().start.index !== named.range().start.index) return null;
      }
    // `item!.price` only quiets the compiler.
    const asserted = named.parent();
    const member = memberOf(asserted?.kind() === "non_null_expression" ? asserted : named);
    return member === null ? null : { member, line: named.range().start.line + 1 };
  }
  return null;
}

/** The text before the statement that has the mention. */
function exits(rest: string, index: number): string {
  const before = rest.slice(0, index);
  return before.slice(0, Math.max(before.lastIndexOf("\n"), before.lastIndexOf(";"), 0));
}

const STATEMENT_LIST =
  /^(?:body_statement|then|else|do|block_body|begin|program|block|statement_block|compound_statement|module|constructor_body|switch_section|declaration_list|ensure)$/;

/** The member that is used on the variable that a value is assigned to. */
function useOfVariable(value: SyntaxNode): Use | null {
  const assignment = value.parent();
  if (
    assignment === null ||
    !/^(?:variable_declarator|assignment|assignment_expression)$/.test(assignment.kind())
  )
    return null;
  const target = assignment.field("left") ?? assignment.field("name") ?? assignment.namedChildren()[0];
  if (target === undefined || target.range().start.index === value.range().start.index) return null;
  return useInList(target.text(), assignment);
}

/** `if (session = find_by(…))` checks the value, so only whole statements count. */
function useInList(name: string, part: SyntaxNode): Use | null {
  let statement = part;
  let list = part.parent();
  while (list !== null && /^(?:expression_statement|\w*declaration(?:_statement)?)$/.test(list.kind())) {
    statement = list;
    list = list.parent();
  }
  return list !== null && STATEMENT_LIST.test(list.kind()) ? firstUseOf(name, statement, list) : null;
}

/** True when the type was tested before the cast, or when the cast only reaches an interface. */
function isKnownType(cast: SyntaxNode): boolean {
  const [value, type] = cast.namedChildren();
  if (/^IDictionary<string, object\??>$/.test(type?.text() ?? "")) return true;
  const name = /^\w+$/.exec(value?.text() ?? "")?.[0] ?? "this";
  return new RegExp(`\\b${name}\\s+is\\b|\\btypeof\\(|\\bGetType\\(\\)`).test(
    functionAround(cast)?.text() ?? "",
  );
}

type Found = { readonly node: SyntaxNode; readonly what: string; readonly use: Use };

function* uncheckedLookups(root: SyntaxNode, language: string, lookup: Lookup): Iterable<Found> {
  for (const call of callsIn(root, language, (name) => NAMES.test(name))) {
    if (!lookup.isNullable(call)) continue;
    const { node } = call;
    const value = valueOf(node);
    const chained = memberOf(value);
    const use =
      chained === null ? useOfVariable(value) : { member: chained, line: node.range().end.line + 1 };
    if (use !== null) yield { node, what: call.name.replace(/<.*/s, ""), use };
  }
  if (language !== "csharp") return;
  for (const node of root.findAll({ rule: { kind: "as_expression" } })) {
    if (isKnownType(node)) continue;
    const around = node.parent();
    const chained = around?.kind() === "parenthesized_expression" ? memberOf(around) : null;
    const use = chained === null ? useOfVariable(node) : { member: chained, line: node.range().end.line + 1 };
    if (use !== null) yield { node, what: "as", use };
  }
  for (const { node, args } of callsIn(root, language, (name) => name === "TryGetValue")) {
    const statement = node.parent();
    const name = /^out\s+(?:var|[\w.<>?]+)\s+(\w+)$/.exec(args[1]?.parent()?.text() ?? "")?.[1];
    if (statement?.kind() !== "expression_statement" || name === undefined) continue;
    const use = useInList(name, node);
    if (use !== null) yield { node, what: "TryGetValue", use };
  }
}

const NAMES =
  /^(?:find\w*|detect|first|firstWhere|last|match|search|fullmatch|get|one_or_none|scalar_one_or_none|Find\w*|getenv|getParameter|getHeader|GetEnvironmentVariable|\w{4,8}OrDefault(?:Async)?(?:<.*)?)$/s;

export const nullableLookup: TreeRule = {
  kind: "tree",
  id: "nullable-lookup",
  title: "Unchecked look-up: the result is used without checking that there is one",
  severity: "medium",
  category: "correctness",
  why: "The call fails with an error about a missing value as soon as nothing matches, instead of handling that case.",
  fix: "Check the result first, use a safe access with a default, or call the variant that reports a missing record clearly.",
  confidence: 0.8,
  languages: ["javascript", "typescript", "tsx", "ruby", "csharp", "java", "php", "python"],
  trigger:
    /\bfind_by|\b(?:detect|find|findLast|findFirst|findAny|findOne\w{0,60}|findBy\w{1,60}|first|firstWhere|last|match|search|fullmatch|Find\w{0,30}|as|TryGetValue|getenv|getParameter|getHeader|GetEnvironmentVariable)\b|OrDefault|or_none\b|environ\.get|request\.\w{1,10}\.get|[!=]=? ?(?:null|nil|None)\b/,
  *check(root, { language, lines }): Iterable<RuleMatch> {
    const lookup = LOOKUPS[language];
    if (lookup === undefined) return;
    for (const { node, what, use } of uncheckedLookups(root, language, lookup)) {
      const scope = functionAround(node) ?? root;
      if (lookup.safeMember.test(use.member) || EXPECTS_FAILURE.test(scope.text())) continue;
      // Members of C# begin with a capital letter. Others are those of a tuple, which is never null.
      if (language === "csharp" && /^[a-z]/.test(use.member)) continue;
      if (language === "java" && JAVA_QUERY.test(what) && !OPTIONAL_GET.test(lines?.[use.line - 1] ?? ""))
        continue;
      // `if (items.find(…)) items.find(…).price`: the same look-up was checked before.
      if (scope.text().split(node.text()).length > 2) continue;
      yield {
        line: use.line,
        also: [node.range().start.line + 1],
        title: `Unchecked look-up: ${nameOr(what, "it")} can give ${lookup.nothing}, and ${nameOr(use.member === "[]" ? "" : `.${use.member}`, "the next call")} then fails`,
      };
    }
  },
};
