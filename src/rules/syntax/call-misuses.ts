/** The calls that `misused-call` reports: each is an entry with its languages and names. `is` sees only the call and the code right around it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "./ancestors.ts";
import { asCall, type Call } from "./calls.ts";
import { functionAround } from "./function-kinds.ts";

type CallMisuse = {
  readonly languages: readonly string[];
  readonly names: readonly string[];
  readonly is: (call: Call) => boolean;
  readonly problem: string;
  readonly detail: string;
  readonly fix: string;
};

/** A longer argument isn't one of these mistakes. */
const MAX_CHARS = 200;

function textOf(node: SyntaxNode | null | undefined): string {
  if (node === null || node === undefined) return "";
  const { start, end } = node.range();
  return end.index - start.index <= MAX_CHARS ? node.text() : "";
}

function isSame(one: SyntaxNode | null | undefined, other: SyntaxNode): boolean {
  return one?.range().start.index === other.range().start.index;
}

function isIn(node: SyntaxNode, kinds: RegExp): boolean {
  return kinds.test(node.parent()?.kind() ?? "");
}

function namedBefore(node: SyntaxNode): SyntaxNode | null {
  let before = node.prev();
  while (before !== null && !before.isNamed()) before = before.prev();
  return before;
}

const SCRIPT = ["javascript", "typescript", "tsx"];
const BARE_NUMBER = /^(?:[2-9]|[1-9]\d{1,8})$/;

/** `".json"`, `"https://"`, `"refs/heads/"`: a beginning or an end, not a set of characters. */
const AFFIX =
  /^(["'])(?=[^"']*[./:_-])(?=[^"']*(?:[A-Za-z]{3}|\.[a-z]{2}["']))(?!.*(?:abc|ABC|a-z))[\w./:-]+\1$/;

/** Makes its value when the definition is read. */
const COMPUTED =
  /^(?:(?:datetime\.)?(?:datetime|date|dt)\.(?:now|utcnow|today)|timezone\.now|time\.time|(?:uuid\.)?uuid[14])\(.*\)$/;

const EMPTY_COLLECTION = /^(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\)|Hash\.new|Array\.new)$/;

/** The call that a `name=value` argument belongs to. */
function callWithKeyword(node: SyntaxNode, keyword: string): Call | null {
  const argument = node.parent();
  if (argument?.kind() !== "keyword_argument" || argument.field("name")?.text() !== keyword) return null;
  const call = argument.parent()?.parent();
  return call === null || call === undefined ? null : asCall(call);
}

export const CALL_MISUSES: readonly CallMisuse[] = [
  {
    languages: ["go"],
    names: ["Sleep", "After", "NewTimer", "NewTicker", "Tick", "WithTimeout"],
    is: ({ receiver, args }) =>
      /^(?:time|context)$/.test(receiver) && BARE_NUMBER.test(textOf(args[receiver === "time" ? 0 : 1])),
    problem: "Wrong unit: a bare number is nanoseconds",
    detail: "The time is over at once.",
    fix: "Multiply by a unit, as in `5 * time.Second`.",
  },
  {
    languages: ["go"],
    names: ["Replace"],
    is: ({ receiver, args }) => /^(?:strings|bytes)$/.test(receiver) && textOf(args[3]) === "0",
    problem: "Empty replacement: a limit of 0 replaces nothing",
    detail: "The last argument is the number of replacements.",
    fix: "Use `-1`, or `ReplaceAll`.",
  },
  {
    languages: ["go"],
    names: ["Trim", "TrimLeft", "TrimRight"],
    is: ({ receiver, args }) => /^(?:strings|bytes)$/.test(receiver) && AFFIX.test(textOf(args[1])),
    problem: "Too much removed: the text is taken as a set of characters",
    detail:
      "Every character of the set is removed at the end, in any order, also those that belong to the value.",
    fix: "Use `TrimPrefix` or `TrimSuffix`.",
  },
  {
    languages: ["go"],
    names: ["Lock", "RLock"],
    is: ({ node }) => {
      const statement = node.parent();
      if (statement?.kind() !== "defer_statement") return false;
      return textOf(node) !== "" && textOf(namedBefore(statement)) === textOf(node);
    },
    problem: "Deadlock: `defer` locks a second time",
    detail: "The lock is never released.",
    fix: "Defer the `Unlock`.",
  },
  {
    languages: ["python"],
    names: ["strip", "lstrip", "rstrip"],
    is: ({ args }) => args.length === 1 && AFFIX.test(textOf(args[0])),
    problem: "Too much removed: the text is taken as a set of characters",
    detail:
      "Every character of the set is removed at the end, in any order, also those that belong to the value.",
    fix: "Use `removeprefix` or `removesuffix`.",
  },
  {
    languages: ["php"],
    names: ["trim", "ltrim", "rtrim"],
    is: ({ receiver, args }) => receiver === "" && AFFIX.test(textOf(args[1])),
    problem: "Too much removed: the text is taken as a set of characters",
    detail:
      "Every character of the set is removed at the end, in any order, also those that belong to the value.",
    fix: "Compare with `str_starts_with` or `str_ends_with`, and cut with `substr`.",
  },
  {
    languages: ["python"],
    names: ["sub", "subn"],
    is: ({ receiver, args }) => receiver === "re" && /^re\.[A-Z]/.test(textOf(args[3])),
    problem: "Misplaced flag: it's taken as the number of replacements",
    detail: "The fourth argument is `count`.",
    fix: "Write `flags=`.",
  },
  {
    languages: ["python"],
    names: ["split"],
    is: ({ receiver, args }) => receiver === "re" && /^re\.[A-Z]/.test(textOf(args[2])),
    problem: "Misplaced flag: it's taken as the number of splits",
    detail: "The third argument is `maxsplit`.",
    fix: "Write `flags=`.",
  },
  {
    languages: ["python"],
    names: ["join"],
    is: ({ receiver, args }) =>
      receiver === "os.path" && args.slice(1).some((part) => /^["']\/[^"']/.test(textOf(part))),
    problem: "Lost folder: a part that starts with `/` discards those before it",
    detail: "`os.path.join` starts again at an absolute path.",
    fix: "Remove the leading `/`.",
  },
  {
    languages: SCRIPT,
    names: ["resolve"],
    is: ({ receiver, args }) =>
      receiver === "path" && args.slice(1).some((part) => /^["'`]\/\w/.test(textOf(part))),
    problem: "Lost folder: a part that starts with `/` discards those before it",
    detail: "`path.resolve` starts again at an absolute path.",
    fix: "Remove the leading `/`, or use `path.join`.",
  },
  {
    languages: ["python"],
    names: ["Thread", "Process", "Timer"],
    is: ({ args }) =>
      args.some((arg) =>
        /^(?:target|function)\s*=\s*(?!.*(?:partial|wrap|make|create|build|get_))[\w.]+\([^]*\)$/.test(
          textOf(arg),
        ),
      ),
    problem: "Early call: the function runs here, not in the thread",
    detail: "The thread gets what the function returned.",
    fix: "Pass the function without `()`, and its arguments in `args`.",
  },
  {
    languages: ["python"],
    names: ["sleep"],
    is: ({ node, receiver }) =>
      receiver === "time" && functionAround(node)?.children()[0]?.kind() === "async",
    problem: "Blocked event loop: `time.sleep` in an async function",
    detail: "No other task runs in that time.",
    fix: "Use `await asyncio.sleep(…)`.",
  },
  {
    languages: ["python"],
    names: ["sleep"],
    is: ({ node, receiver }) => receiver === "asyncio" && isIn(node, /^expression_statement$/),
    problem: "Missing `await`: nothing waits here",
    detail: "Without `await` the call only makes a coroutine.",
    fix: "Write `await asyncio.sleep(…)`.",
  },
  {
    languages: ["python"],
    names: ["sort", "shuffle"],
    is: ({ node, name, receiver, args }) => {
      if (!isIn(node, /^assignment$/) || !isSame(node.parent()?.field("right"), node)) return false;
      if (name === "shuffle") return receiver === "random";
      return args.length > 0 && args.every((arg) => /^(?:key|reverse)\s*=/.test(textOf(arg)));
    },
    problem: "Lost list: the method changes it in place and gives `None`",
    detail: "The variable is `None` afterwards.",
    fix: "Call the method as a statement, or use `sorted(…)` or `random.sample(…)`.",
  },
  {
    languages: ["python"],
    names: ["now", "utcnow", "today", "time", "uuid1", "uuid4"],
    is: ({ node }) => {
      if (!COMPUTED.test(textOf(node))) return false;
      if (isIn(node, /^(?:typed_)?default_parameter$/)) return true;
      return /(?:Field|Column|mapped_column)$/.test(callWithKeyword(node, "default")?.name ?? "");
    },
    problem: "Frozen default: it's computed once, when the file is loaded",
    detail: "Every later call or row gets the same value.",
    fix: "Pass the function itself, or use `None` and compute the value in the body.",
  },
  {
    languages: ["python"],
    names: ["run", "call", "check_call", "check_output", "Popen"],
    is: ({ receiver, args }) =>
      receiver === "subprocess" &&
      /^(["'])[\w./-]+ [^"']*\1$/.test(textOf(args[0])) &&
      !args.some((arg) => /^(?:shell|executable)\s*=|^\*\*/.test(textOf(arg))),
    problem: "Unknown program: the whole text is taken as its name",
    detail: "Without a shell, nothing splits the text at its spaces.",
    fix: "Pass a list: the program and each of its arguments.",
  },
  {
    languages: ["python"],
    names: ["get", "post", "put", "patch", "delete"],
    is: ({ receiver, name, args }) =>
      receiver === "requests" &&
      (textOf(args[1]) === "headers" || (name !== "get" && textOf(args[2]) === "headers")),
    problem: "Misplaced headers: they are sent as something else",
    detail: "The second argument is the query or the body, and the third is JSON.",
    fix: "Write `headers=headers`.",
  },
  {
    languages: ["python"],
    names: ["fromkeys"],
    is: ({ receiver, args }) => receiver === "dict" && EMPTY_COLLECTION.test(textOf(args[1])),
    problem: "Shared value: all keys have the same collection",
    detail: "A change at one key shows at all of them.",
    fix: "Use a comprehension, as in `{key: [] for key in keys}`.",
  },
  {
    languages: ["ruby"],
    names: ["new"],
    is: ({ receiver, args }) =>
      (receiver === "Array" && args.length === 2 && EMPTY_COLLECTION.test(textOf(args[1]))) ||
      (receiver === "Hash" && args.length === 1 && /^(?:\[\]|\{\})$/.test(textOf(args[0]))),
    problem: "Shared value: all places have the same collection",
    detail: "A change at one place shows at all of them.",
    fix: "Pass a block that makes a new one.",
  },
  {
    languages: ["php"],
    names: ["json_decode"],
    is: ({ node, args }) =>
      args.length === 1 &&
      isIn(node, /^subscript_expression$/) &&
      isSame(node.parent()?.namedChildren()[0], node),
    problem: "Object read as an array: the call stops with an error",
    detail: "Without `true`, objects become instances of `stdClass`.",
    fix: "Pass `true` as the second argument.",
  },
  {
    languages: ["java"],
    names: ["split", "replaceAll", "replaceFirst"],
    is: ({ args }) => /^"[.|*+?^$]"$/.test(textOf(args[0])),
    problem: "Unescaped character: the text is a regular expression",
    detail: "In it, this character doesn't stand for itself.",
    fix: "Escape it with two backslashes, or use `Pattern.quote`.",
  },
  {
    languages: ["java"],
    names: ["BigDecimal"],
    is: ({ args }) =>
      args.length === 1 &&
      /^\d*\.\d+[dD]?$/.test(textOf(args[0])) &&
      !/\.(?:0|5|25|75|125)$/.test(textOf(args[0])),
    problem: "Inexact number: a `double` isn't exactly this value",
    detail: "The number has dozens of further digits.",
    fix: 'Use a text, as in `new BigDecimal("0.1")`.',
  },
  {
    languages: ["java"],
    names: ["abs"],
    is: ({ receiver, args }) =>
      receiver === "Math" && /^(?:[\w.]+\.)?(?:hashCode|nextInt|nextLong)\(\)$/.test(textOf(args[0])),
    problem: "Negative result: `Math.abs` of the smallest number is negative",
    detail: "Hash codes and random numbers can be `MIN_VALUE`, which has no positive counterpart.",
    fix: "Use `Math.floorMod`, or `nextInt` with a bound.",
  },
  {
    languages: ["java"],
    names: ["getBoolean", "getInteger", "getLong"],
    is: ({ receiver, args }) =>
      /^(?:Boolean|Integer|Long)$/.test(receiver) &&
      args.length === 1 &&
      /^[a-z]\w*(?:\.\w+(?:\(\))?){0,3}$/.test(textOf(args[0])),
    problem: "System property instead of the value",
    detail: "The method reads the system property of this name. It doesn't parse the text.",
    fix: "Use `parseBoolean`, `parseInt` or `parseLong`.",
  },
  {
    languages: ["java"],
    names: ["notNull", "notEmpty", "notBlank", "hasText", "hasLength", "requireNonNull", "checkNotNull"],
    is: ({ receiver, args }) =>
      /^(?:\w*Validate|Assert|Objects|Preconditions|)$/.test(receiver) &&
      args.length === 1 &&
      textOf(args[0]).startsWith('"'),
    problem: "Empty check: the message is checked, not a value",
    detail: "A text in the code is never null or empty.",
    fix: "Pass the value first, and the message after it.",
  },
  {
    languages: ["csharp"],
    names: ["ArgumentNullException"],
    is: ({ node, args }) => {
      const named = /^nameof\((\w+)\)$/.exec(textOf(args[0]))?.[1];
      const branch = nearestAncestor(node, (one) => /^if_statement$|function|method/.test(one.kind()));
      const checked = /^(\w+) (?:==|is) null$/.exec(textOf(branch?.field("condition")))?.[1];
      // A setter checks its `value` and names the property.
      return named !== undefined && checked !== undefined && named !== checked && checked !== "value";
    },
    problem: "Wrong name: the error names another parameter than the one that was checked",
    detail: "The reader of the error looks at the wrong value.",
    fix: "Name the parameter of the condition, or check the one that is named.",
  },
  {
    languages: ["csharp"],
    names: ["ForEach"],
    is: ({ args }) =>
      args[0]?.kind() === "lambda_expression" && /^async\b/.test(args[0].children()[0]?.text() ?? ""),
    problem: "Lost async callback: `ForEach` doesn't wait for it",
    detail: "The callback is `async void`, so its exception ends the process.",
    fix: "Use `foreach` with `await`, or `Task.WhenAll`.",
  },
  {
    languages: SCRIPT,
    names: ["then"],
    is: ({ args }) =>
      /^(?:async )?\(?(\w+)\)? => \1\.(?:json|text|blob|arrayBuffer|formData)$/.test(textOf(args[0])),
    problem: "Missing call: the next step gets the method itself",
    detail: "Without `()` the body isn't read.",
    fix: "Add `()`.",
  },
  {
    languages: SCRIPT,
    names: ["json", "text", "blob", "arrayBuffer", "formData"],
    is: ({ receiver }) => /^fetch\([^]*\)$/.test(receiver) && !/\)\s*\.\w/.test(receiver),
    problem: "Missing `await`: a promise has no such method",
    detail: "`fetch` gives a promise of the response.",
    fix: "Write `(await fetch(…))`, or use `then`.",
  },
  {
    languages: SCRIPT,
    names: ["map", "forEach", "filter", "reduce"],
    is: ({ receiver }) => /^(?:new )?Array\([\w.]{1,60}\)$/.test(receiver),
    problem: "Skipped callback: a new array has only holes",
    detail: "Array methods skip holes, so the callback never runs.",
    fix: "Use `Array.from({ length: n }, callback)`.",
  },
  {
    languages: SCRIPT,
    names: ["all", "allSettled", "race", "any"],
    is: ({ receiver, args: [first] }) =>
      receiver === "Promise" && first !== undefined && asCall(first)?.name === "forEach",
    problem: "Nothing to wait for: `forEach` gives `undefined`",
    detail: "The call is rejected at once, because `undefined` isn't iterable.",
    fix: "Use `map`.",
  },
  {
    languages: SCRIPT,
    names: ["setTimeout", "setInterval"],
    is: ({ args }) => /^(?:set[A-Z]\w*|resolve|reject)\([^]*\)$/.test(textOf(args[0])),
    problem: "Early call: the function runs now, not later",
    detail: "The timer gets what it returned.",
    fix: "Pass a function, as in `() => …`.",
  },
  {
    languages: SCRIPT,
    names: ["indexOf"],
    is: ({ node }) =>
      isIn(node, /^parenthesized_expression$/) &&
      /^if_statement$/.test(node.parent()?.parent()?.kind() ?? ""),
    problem: "Wrong condition: `indexOf` gives -1 when nothing is found, which is true",
    detail: "A match at the start gives 0, which is false.",
    fix: "Use `includes`.",
  },
  {
    languages: SCRIPT,
    names: ["join"],
    is: ({ node, args }) => {
      if (!/^["']\s?,\s?["']$/.test(textOf(args[0]))) return false;
      const target = node.parent();
      const name = textOf(target?.field("left") ?? target?.field("key"));
      return /(?:^|[.["'])cookie["'\]]*$/i.test(name);
    },
    problem: "Wrong separator: cookies are separated by `; `",
    detail: "A server reads all of it as one cookie.",
    fix: 'Use `join("; ")`.',
  },
];
