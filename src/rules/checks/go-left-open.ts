/** A `return` of Go that leaves a file open or a lock taken, while other ways out of the same function close or unlock it. */
import { type TreeFacts, factsOf } from "../file-facts.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { leaves } from "../syntax/statement-lists.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const OPENED =
  /^(?:os\.(?:Open|Create|OpenFile|CreateTemp)|ioutil\.TempFile|net\.(?:Dial|DialTimeout|Listen)|zip\.OpenReader|tls\.Dial)\(/;
const LOCKED = /^([\w.]{1,80})\.(R?)Lock\(\)$/;

/** A function that locks or opens for its caller says so. */
const FOR_CALLER = /lock|acquire|open|main|begin/i;

/** A longer function isn't searched. */
const MAX_CHARS = 20_000;

/** Nor is one with more returns and releases. */
const MAX_WAYS = 100;

/** Functions that read or write, and keep nothing of what they get. */
const BORROWED =
  /\b(?:io\.(?:Copy|CopyN|ReadAll|ReadFull|WriteString)|ioutil\.ReadAll|bufio\.New\w{1,20}|(?:json|xml|yaml|gob|toml)\.New(?:De|En)coder|csv\.New(?:Reader|Writer)|fmt\.Fp?rint(?:f|ln)?|fmt\.Fprint(?:f|ln)?)\($/;

type Place = {
  readonly node: SyntaxNode;
  readonly start: number;
  /** Where the statements around it begin and end, and whether the last one of them returns. */
  readonly from: number;
  readonly to: number;
  readonly isLeft: boolean;
};

type Ways = { readonly returns: readonly Place[]; readonly calls: readonly (Place & { text: string })[] };

function listAround(node: SyntaxNode): SyntaxNode | null {
  return nearestAncestor(node, (one) => one.kind() === "statement_list");
}

type List = Pick<Place, "from" | "to" | "isLeft">;

/** Cached: a list of statements can hold thousands of returns. */
const lists = new WeakMap<SyntaxNode, List>();

function listOf(list: SyntaxNode): List {
  const known = lists.get(list);
  if (known !== undefined) return known;
  const { start, end } = list.range();
  const last = list.namedChildren().findLast((one) => one.kind() !== "comment");
  const isLeft = last?.kind() === "return_statement" || last?.text().startsWith("panic(") === true;
  const read = { from: start.index, to: end.index, isLeft };
  lists.set(list, read);
  return read;
}

function placeOf(node: SyntaxNode): Place | null {
  const list = listAround(node);
  return list === null ? null : { node, start: node.range().start.index, ...listOf(list) };
}

/** The returns and the calls of each function, without those of the functions inside it. */
function waysByFunction(root: SyntaxNode, facts: TreeFacts): ReadonlyMap<number, Ways> {
  const found = new Map<number, { returns: Place[]; calls: (Place & { text: string })[] }>();
  const rule = {
    any: [{ kind: "return_statement" }, { kind: "call_expression", regex: "\\.(?:R?Unlock|Close)\\(\\)$" }],
  };
  for (const node of root.findAll({ rule })) {
    const around = facts.functionsAround(node).at(-1);
    if (around === undefined) continue;
    const { start, end } = around.range();
    if (end.index - start.index > MAX_CHARS) continue;
    const ways = found.get(start.index) ?? { returns: [], calls: [] };
    found.set(start.index, ways);
    if (ways.returns.length + ways.calls.length > MAX_WAYS) continue;
    const place = placeOf(node);
    if (place === null) continue;
    if (node.kind() === "return_statement") ways.returns.push(place);
    else ways.calls.push({ ...place, text: node.text().slice(0, 100) });
  }
  return found;
}

type Held = { readonly node: SyntaxNode; readonly release: string; readonly after: number };

/** The first return that is reached while the thing is held; null when each one is after a release, or none ever releases it. */
function leftBy({ node, release, after }: Held, { returns, calls }: Ways): Place | null {
  const own = placeOf(node);
  if (own === null) return null;
  const releases = calls.filter((call) => call.text === release && call.start > after);
  if (releases.length === 0 || returns.length + calls.length > MAX_WAYS) return null;
  // The caller closes or unlocks what it gets back.
  const gives = new RegExp(`[\\s,&]${/^\w+/.exec(release)?.[0]}(?![\\w.])`);
  return (
    returns.find(
      (one) =>
        one.start > after &&
        one.start < own.to &&
        !one.node.text().includes(release) &&
        !gives.test(one.node.text()) &&
        !releases.some(
          (call) =>
            call.start < one.start && (!call.isLeft || (call.from <= one.start && one.start < call.to)),
        ),
    ) ?? null
  );
}

/** The text of the function, if it's short enough and releases nothing in a `defer` or in a function inside it. */
function searched(around: SyntaxNode, release: string): string | null {
  const { start, end } = around.range();
  if (end.index - start.index > MAX_CHARS) return null;
  if (FOR_CALLER.test(around.field("name")?.text() ?? "")) return null;
  const text = around.text();
  if (text.includes(`defer ${release}`)) return null;
  return text;
}

/** True when the function hands the variable to something that may close it. */
function isHandedOn(rest: string, name: string): boolean {
  for (const { index } of rest.matchAll(new RegExp(`(?<![\\w.])${name}\\b`, "g"))) {
    if (/^\.\w+/.test(rest.slice(index + name.length, index + name.length + 10))) continue;
    const before = rest.slice(Math.max(0, index - 60), index);
    if (BORROWED.test(before) || /\b(?:io|fmt)\.\w+\([^()\n]{1,40},\s*$/.test(before)) continue;
    return true;
  }
  return false;
}

/** Where the check of the error ends, in which nothing is open; null when another statement comes first, or it goes on after a failure. */
function endOfCheck(node: SyntaxNode, error: string): number | null {
  const asks = new RegExp(`\\b${error}\\b`);
  let end: number | null = null;
  for (let next = node.next(); next !== null; next = next.next()) {
    if (!next.isNamed() || next.kind() === "comment") continue;
    const condition = next.kind() === "if_statement" ? (next.field("condition")?.text() ?? "") : "";
    if (!asks.test(condition) || next.field("initializer") !== null) return end;
    const list = next
      .field("consequence")
      ?.namedChildren()
      .find((one) => one.kind() === "statement_list");
    const last = list?.namedChildren().findLast((one) => one.kind() !== "comment");
    if (last === undefined || !leaves(last, "go") || next.field("alternative") !== null) return null;
    if (condition === `${error} != nil`) end = next.range().end.index;
  }
  return end;
}

function* opened(root: SyntaxNode, facts: TreeFacts, ways: ReadonlyMap<number, Ways>): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "short_var_declaration" } })) {
    const names = node.field("left")?.namedChildren() ?? [];
    const name = names[0]?.text() ?? "";
    if (!OPENED.test(node.field("right")?.text().slice(0, 60) ?? "") || !/^[A-Za-z]\w{0,40}$/.test(name))
      continue;
    const around = facts.functionsAround(node).at(-1);
    if (around === undefined || node.parent()?.kind() !== "statement_list") continue;
    const release = `${name}.Close()`;
    const text = searched(around, release);
    if (text === null || text.includes("func(") || names.length !== 2) continue;
    const after = endOfCheck(node, names[1]?.text() ?? "");
    if (after === null) continue;
    const rest = text.slice(after - around.range().start.index);
    if (isHandedOn(rest, name)) continue;
    const known = ways.get(around.range().start.index) ?? { returns: [], calls: [] };
    const line = linesOf(node).line;
    if (!new RegExp(`\\b${name}\\.Close\\b`).test(rest)) {
      yield {
        line,
        missingIn: linesOf(around),
        title: `Resource leak: ${nameOr(name, "it")} is never closed`,
      };
      continue;
    }
    const left = leftBy({ node, release, after }, known);
    if (left !== null)
      yield {
        line: linesOf(left.node).line,
        also: [line],
        title: `Resource leak: this return leaves ${nameOr(name, "the file")} open`,
        detail: `It's opened on line ${line}.`,
      };
  }
}

function* locked(root: SyntaxNode, facts: TreeFacts, ways: ReadonlyMap<number, Ways>): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "call_expression", regex: "\\.R?Lock\\(\\)$" } })) {
    const [, mutex, kind = ""] = LOCKED.exec(node.text()) ?? [];
    if (mutex === undefined || node.parent()?.kind() !== "expression_statement") continue;
    const around = facts.functionsAround(node).at(-1);
    if (around === undefined) continue;
    const release = `${mutex}.${kind}Unlock()`;
    const text = searched(around, release);
    if (text === null) continue;
    const known = ways.get(around.range().start.index);
    const inside = text.split(release).length - 1;
    // A release that isn't a call of this function itself is in one inside it.
    if (known === undefined || inside !== known.calls.filter((call) => call.text === release).length)
      continue;
    const left = leftBy({ node, release, after: node.range().end.index }, known);
    const line = linesOf(node).line;
    if (left !== null)
      yield {
        line: linesOf(left.node).line,
        also: [line],
        title: `Lock never released: this return leaves ${nameOr(mutex, "the mutex")} locked`,
        detail: `It's locked on line ${line}.`,
        fix: "Unlock before this return, or with `defer` right after locking.",
      };
  }
}

export const goLeftOpen: TreeRule = {
  kind: "tree",
  id: "go-left-open",
  title: "Resource leak: a return leaves a file open or a mutex locked",
  severity: "medium",
  category: "reliability",
  why: "An open file is lost to the process, and the next one who needs the lock waits forever.",
  fix: "Close it with `defer` right after the error check.",
  confidence: 0.9,
  languages: ["go"],
  afterRemoval: true,
  trigger: [
    /\bos\.(?:Open|Create)|\bTempFile\(|\bnet\.(?:Dial|Listen)|\bOpenReader\(|\btls\.Dial\(|Lock\(\)|Unlock\(\)|\.Close\(\)/,
    /^\s*return\b/m,
  ],
  needs:
    /\.R?Lock\(\)|\bos\.(?:Open|Create)|\bTempFile\(|\bnet\.(?:Dial|Listen)|\bOpenReader\(|\btls\.Dial\(/,
  *check(root): Iterable<RuleMatch> {
    const facts = factsOf(root, "go");
    const ways = waysByFunction(root, facts);
    yield* opened(root, facts, ways);
    yield* locked(root, facts, ways);
  },
};
