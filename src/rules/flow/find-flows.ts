/**
 * Finds the places of a file where outside input does harm: it reads each function once in the order of its text, follows
 * values through assignments, and looks at every sink. The rules share one result per file.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { FileView } from "../rule.ts";
import { functionKindsOf } from "../syntax/function-kinds.ts";
import { createEvaluator } from "./evaluate.ts";
import { checkedBy, isCheck } from "./guards.ts";
import { judgeValue, type Harm } from "./judge-value.ts";
import type { FlowLanguage, PlacedSink, Sink } from "./language.ts";
import { flowLanguageOf } from "./languages/all-languages.ts";
import { parametersOf } from "./parameters.ts";
import { createScope, type FlowScope } from "./scope.ts";
import { type CallShape, callOf, isCall, isNumberType, operatorOf, shapeOf } from "./shapes.ts";
import {
  type FlowKind,
  HARMLESS,
  type Hole,
  inOneFolder,
  joinValues,
  mapHoles,
  RANK,
  textValue,
  type Value,
  worstHole,
} from "./value.ts";

export type Flow = Harm & {
  readonly kind: FlowKind;
  /** 1-based line of the sink. */
  readonly line: number;
  /** Lines of the source and the assignments, in order. */
  readonly lines: readonly number[];
};

type Result = { readonly flows: readonly Flow[] } | { readonly error: unknown };

/** Cached: eight rules read the flows of the same file. A file that is too slow for one rule is so for all. */
const results = new WeakMap<SyntaxNode, Result>();

export function flowsIn(root: SyntaxNode, file: FileView): readonly Flow[] {
  const result = results.get(root) ?? compute(root, file);
  results.set(root, result);
  if ("error" in result) throw result.error;
  return result.flows;
}

function compute(root: SyntaxNode, file: FileView): Result {
  const language = flowLanguageOf(file.language);
  if (language === null) return { flows: [] };
  try {
    return { flows: walk(root, file, language) };
  } catch (error) {
    return { error };
  }
}

const kinds = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const BRANCHES = kinds(
  `if_statement else_clause elif_clause if unless elsif else if_modifier unless_modifier if_expression switch_statement
  expression_switch_statement switch_expression case when match_expression match_statement match_arm case_clause
  switch_case expression_case for_statement while_statement for_in_statement enhanced_for_statement foreach_statement
  for_expression while_expression loop_expression do_statement catch_clause except_clause rescue try_statement while
  switch_section case_statement switch_block_statement_group`,
);
const CONDITIONAL = kinds(
  "if_statement elif_clause if unless elsif if_modifier unless_modifier if_expression while_statement assert_statement guard_statement while",
);
const SWITCHES = kinds(
  "switch_statement expression_switch_statement switch_expression case match_expression match_statement",
);
const BODY = /block|statement|body|then|else|clause|elsif|declaration/;
const LOOPS = kinds(
  "for_in_statement enhanced_for_statement foreach_statement for_expression for_statement range_clause",
);
const ASSIGNMENTS = kinds(
  `variable_declarator assignment_expression augmented_assignment_expression assignment augmented_assignment
  named_expression short_var_declaration assignment_statement var_spec const_spec resource operator_assignment
  let_declaration let_condition compound_assignment_expr as_pattern`,
);
const DECLARATIONS = kinds(
  "variable_declarator short_var_declaration var_spec const_spec resource let_declaration",
);
const LISTS = kinds(
  "expression_list pattern_list tuple_pattern list_literal left_assignment_list array_pattern list_pattern tuple",
);
const CLOSURES: Readonly<Record<string, readonly string[]>> = {
  ruby: ["block", "do_block", "lambda"],
  rust: ["closure_expression"],
  python: ["lambda"],
  csharp: ["anonymous_method_expression"],
};
/** Methods that call their argument with their own data. */
const ITERATES =
  /^(?:forEach|map|flatMap|filter|each|each_with_index|collect|then|for_each|and_then|Select|ForEach|some|every|find|reduce)$/;
const CALLBACK =
  /^(?:arrow_function|function_expression|lambda|lambda_expression|anonymous_function|closure_expression|func_literal|block_argument)$/;
const CHECKS_ANYWHERE = /^(?:includes|has|in_array|Contains|include\?|test|hasOwnProperty|hasOwn)$/;

/** The statement in an object of options. */
const SQL_FIELDS = ["sql", "text", "query", "raw"];

type ReportedSink = Pick<Sink, "kind" | "form" | "isForParameters" | "isAlways">;

type Step = { readonly node: SyntaxNode; readonly isLeaving: boolean };

function walk(root: SyntaxNode, file: FileView, language: FlowLanguage): readonly Flow[] {
  const flows: Flow[] = [];
  const checked = new Set<string>();
  const added = file.added.map(({ line }) => line);
  const functions = new Set([...functionKindsOf(file.language), ...(CLOSURES[file.language] ?? [])]);
  const fileText = root.text();
  const fileMatches = new Map<RegExp, boolean>();
  let functionCount = 0;
  let scope: FlowScope = createScope(functionCount, null);
  let branch = 0;
  const outerBranches: number[] = [];

  const hasFile = (pattern: RegExp): boolean => {
    const isHeld = fileMatches.get(pattern) ?? pattern.test(fileText);
    fileMatches.set(pattern, isHeld);
    return isHeld;
  };

  const { evaluate, memberOf, holeOf } = createEvaluator(language, () => scope, hasFile);

  const isTouched = (node: SyntaxNode): boolean => {
    const { start, end } = node.range();
    return hasLineBetween(added, start.line + 1, end.line + 1);
  };

  const bind = (target: SyntaxNode, value: Value, isDeclared: boolean): void => {
    const kind = target.kind();
    if (
      LISTS.has(kind) ||
      /^(?:tuple_struct_pattern|mut_pattern|reference_pattern|splat|as_pattern_target|ref_pattern|parenthesized_expression|captured_pattern|pair|by_ref)$/.test(
        kind,
      )
    ) {
      const parts = target.namedChildren();
      const names = kind === "tuple_struct_pattern" ? parts.slice(1) : parts;
      for (const part of names) if (part.kind() !== "string") bind(part, value, isDeclared);
    } else if (kind === "object_pattern" || kind === "struct_pattern") {
      for (const part of target.namedChildren()) bindProperty(part, value);
    } else if (
      kind === "assignment_pattern" ||
      kind === "object_assignment_pattern" ||
      kind === "rest_pattern"
    ) {
      const [inner] = target.namedChildren();
      if (inner !== undefined) bind(inner, value, isDeclared);
    } else {
      const shape = shapeOf(target);
      if (shape.is === "index") {
        // One entry of a list or table may be any of them.
        const base = shape.object.text();
        if (/^[$@]?\w+$/.test(base))
          scope.assign(
            base,
            joinValues([scope.find(base) ?? textValue(""), textValue(" "), through(value, target)]),
            true,
          );
        return;
      }
      const name = target.text();
      if (name.length > 60) return;
      const passed = through(value, target);
      if (isDeclared || shape.is === "member") scope.declare(name, passed);
      else scope.assign(name, passed, branch > 0);
    }
  };

  const bindProperty = (part: SyntaxNode, value: Value): void => {
    const kind = part.kind();
    const [key, inner] = part.namedChildren();
    if (kind === "shorthand_property_identifier_pattern" || kind === "identifier")
      bind(part, memberOf(value, part.text(), part), true);
    else if (kind === "rest_pattern" || kind === "rest") {
      if (key !== undefined) bind(key, value, true);
    } else if (
      key !== undefined &&
      inner !== undefined &&
      (kind === "pair_pattern" || kind === "field_pattern")
    )
      bind(inner, memberOf(value, key.text(), key), true);
    else if (key !== undefined) bind(key, memberOf(value, key.text(), key), true);
  };

  /** The value with the variable that it passes through. */
  const through = (value: Value, target: SyntaxNode): Value => {
    const name = target.text().slice(0, 60);
    const line = target.range().start.line + 1;
    const passed = mapHoles(value, (hole) =>
      hole.text === name ? hole : { ...hole, via: name, lines: [...hole.lines.slice(-6), line] },
    );
    return value.fields === undefined ? passed : { ...passed, fields: value.fields };
  };

  const enterFunction = (fn: SyntaxNode): void => {
    functionCount++;
    const data = iteratedData(fn);
    scope = createScope(functionCount, scope);
    outerBranches.push(branch);
    branch = 0;
    const parameters = parametersOf(fn);
    // `({ body, query }, res) => …` takes the request apart.
    const hasResponse = parameters.some(({ pattern }) =>
      /^(?:res|response|reply)$/.test(pattern.text().slice(0, 20)),
    );
    for (const [index, { pattern, type, marks }] of parameters.entries()) {
      const name = pattern.text().slice(0, 60);
      const role = isNumberType(type) ? "harmless" : language.roleOf({ name, type, marks, fn }, hasFile);
      const isText = /^[:&*?\s]*(?:mut\s+)?(?:'\w+\s+)?(?:string|String|str|\?string)\b/.test(type);
      const isItem = data !== null && index === 0 && role === "unknown";
      const rank = role === "outside" || role === "segment" ? RANK.outside : RANK.parameter;
      const hole: Value = isItem ? data : named(pattern, holeOf(pattern, rank, isText));
      const isRequest =
        role === "request" || (index === 0 && hasResponse && pattern.kind() === "object_pattern");
      if (role === "harmless") bind(pattern, HARMLESS, true);
      else if (role === "segment") bind(pattern, inOneFolder(hole), true);
      else bind(pattern, isRequest ? { ...hole, isRequest: true } : hole, true);
    }
  };

  /** What the data of `data.forEach(fn)` passes to the function, if it is outside input. */
  const iteratedData = (fn: SyntaxNode): Value | null => {
    const around = fn.parent();
    const callNode =
      around !== null && /^arguments?(?:_list)?$/.test(around.kind()) ? around.parent() : around;
    const call = callNode === null ? null : callOf(callNode);
    if (call === null || call.receiver === null || !ITERATES.test(call.name)) return null;
    const data = evaluate(call.receiver);
    const worst = worstHole(data);
    return worst !== null && worst.rank >= RANK.weak ? { pieces: [worst] } : null;
  };

  const leaveFunction = (): void => {
    scope = scope.outer ?? scope;
    branch = outerBranches.pop() ?? 0;
  };

  const report = (sink: ReportedSink, value: Value, node: SyntaxNode): void => {
    const harm = judgeValue(sink, value, checked) ?? (sink.isAlways === true ? anyHarm(value, node) : null);
    if (harm === null) return;
    flows.push({
      ...harm,
      kind: sink.kind,
      line: lineOf(node, harm.hole),
      lines: [harm.hole.line, ...harm.hole.lines],
    });
  };

  /** Any value that isn't a literal. */
  const anyHarm = (value: Value, node: SyntaxNode): Harm | null => {
    const hole =
      worstHole(value) ?? (value.pieces.length === 0 ? worstHole(holeOf(node, RANK.opaque)) : null);
    return hole === null ? null : { hole, place: null };
  };

  const visitCall = (call: CallShape): void => {
    const { name, args, receiver } = call;
    if (CHECKS_ANYWHERE.test(name) || (/valid|allow|assert|ensure|check|verif/i.test(name) && isCheck(call)))
      for (const arg of args)
        for (const piece of evaluate(arg).pieces) if (typeof piece === "object") checked.add(piece.key);
    const filled = language.fills?.(call) ?? null;
    if (filled !== null) {
      const rooted = filled.kind() === "unary_expression" ? (filled.namedChildren()[0] ?? filled) : filled;
      scope.assign(rooted.text(), holeOf(rooted, RANK.outside), false);
    }
    if (
      receiver !== null &&
      /^(?:append|Append|AppendFormat|AppendLine|push|push_str|WriteString|add|extend|unshift|concat|Fprintf)$/.test(
        name,
      )
    ) {
      const root = /^[$@]?\w+/.exec(receiver.text().slice(0, 60))?.[0] ?? "";
      // Go declares a builder without a value.
      const before = scope.find(root) ?? (name === "WriteString" ? textValue("") : null);
      if (before !== null && (receiver.text() === root || isCall(receiver)))
        scope.assign(
          root,
          joinValues([before, ...args.map((arg) => through(evaluate(arg), receiver))]),
          true,
        );
    }
    for (const sink of language.sinks.get(name) ?? []) if (isMet(sink, call)) visitSink(sink, call);
  };

  const isMet = (sink: Sink, { args, receiver }: CallShape): boolean => {
    if (
      sink.on === "none"
        ? receiver !== null
        : sink.on !== undefined && !sink.on.test(receiver?.text().slice(-160) ?? "")
    )
      return false;
    if (sink.file !== undefined && !hasFile(sink.file)) return false;
    if (sink.when === undefined && sink.unless === undefined) return true;
    const text = args.map((arg) => arg.text().slice(0, 300)).join(", ");
    return (sink.when?.test(text) ?? true) && sink.unless?.test(text) !== true;
  };

  const visitSink = (sink: Sink, { name, args, receiver, node }: CallShape): void => {
    if (sink.args === "receiver") {
      if (receiver !== null) report(sink, evaluate(receiver), node);
      return;
    }
    if (sink.args === "result") {
      report(sink, evaluate(node), node);
      return;
    }
    const nodes = sink.args === "all" ? args : (sink.args ?? [0]).flatMap((at) => args[at] ?? []);
    if (sink.form === "argv") {
      // Go's `CommandContext` has its context first.
      const argv = name.endsWith("Context") ? args.slice(1) : args;
      const value = joinValues(argv.flatMap((arg) => [evaluate(arg), textValue(" ")]));
      const last = argv.at(-1);
      if (last !== undefined) report(sink, value, last);
      return;
    }
    for (const arg of nodes) {
      if (CALLBACK.test(arg.kind())) continue;
      const value = evaluate(arg);
      // `{ text: "SELECT …", values: [id] }` has the statement and its parameters.
      const own = sink.kind === "sql" && value.fields !== undefined ? SQL_FIELDS : null;
      const part =
        own === null ? value : own.map((name) => value.fields?.get(name)).find((one) => one !== undefined);
      if (part !== undefined) report(sink, part, arg);
    }
  };

  const visitAssignment = (node: SyntaxNode): void => {
    const kind = node.kind();
    if (kind === "as_pattern") {
      const [value, target] = node.namedChildren();
      if (value !== undefined && target !== undefined) bind(target, evaluate(value), true);
      return;
    }
    const children = node.children();
    const at = children.findIndex(
      (child) => !child.isNamed() && /^(?::?=|[+.]=|\?\?=|\|\|=|<<=)$/.test(child.text()),
    );
    const valueNode = children.slice(at + 1).find((child) => child.isNamed());
    if (at === -1 || valueNode === undefined) return;
    const before = children
      .slice(0, at)
      .filter((child) => child.isNamed() && child.kind() !== "mutable_specifier");
    const [target] = before;
    if (target === undefined) return;
    const type =
      before
        .slice(1)
        .map((child) => child.text())
        .join(" ") || declaredType(node);
    const operator = children[at]?.text() ?? "";
    const isDeclared = DECLARATIONS.has(kind) && branch === 0;
    if (type !== "" && isNumberType(type)) {
      bind(target, HARMLESS, true);
      return;
    }
    bindEach(target, valueNode, operator, isDeclared);
  };

  const bindEach = (
    target: SyntaxNode,
    valueNode: SyntaxNode,
    operator: string,
    isDeclared: boolean,
  ): void => {
    if (LISTS.has(target.kind()) || LISTS.has(valueNode.kind())) {
      const targets = LISTS.has(target.kind()) ? target.namedChildren() : [target];
      const values = LISTS.has(valueNode.kind()) ? valueNode.namedChildren() : [valueNode];
      if (targets.length > 0 && (values.length === targets.length || target.kind() === "expression_list")) {
        for (const [index, one] of targets.entries()) {
          const value = values[index];
          // Go's second result is an error or a flag.
          if (value === undefined) bind(one, HARMLESS, isDeclared);
          else bindOne(one, evaluate(value), operator, isDeclared);
        }
        return;
      }
    }
    bindOne(target, evaluate(valueNode), operator, isDeclared);
  };

  const bindOne = (target: SyntaxNode, value: Value, operator: string, isDeclared: boolean): void => {
    const isAppending = /^(?:[+.]=|<<=)$/.test(operator);
    bind(
      target,
      isAppending ? joinValues([evaluateFresh(target), value]) : value,
      isDeclared && !isAppending,
    );
  };

  const evaluateFresh = (target: SyntaxNode): Value =>
    scope.find(target.text().slice(0, 60)) ?? evaluate(target);

  const visitLoop = (node: SyntaxNode): void => {
    const parts = node.namedChildren().filter((part) => !/type/.test(part.kind()));
    const isPhp =
      node.kind() === "foreach_statement" && node.children().some((child) => child.text() === "as");
    const [first, second] = parts;
    if (first === undefined || second === undefined || BODY.test(second.kind())) return;
    const [target, items] = isPhp ? [second, first] : [first, second];
    if (
      /^(?:lexical_declaration|assignment_expression|variable_declaration|local_variable_declaration|binary_expression)$/.test(
        target.kind(),
      )
    )
      return;
    const worst = worstHole(evaluate(items));
    const item: Value = worst === null ? evaluate(items) : { pieces: [worst] };
    if (target.kind() === "expression_list") {
      const names = target.namedChildren();
      const last = names.at(-1);
      if (last !== undefined && names.length > 1) bind(last, item, true);
    } else bind(target, item, true);
  };

  const visitConditions = (node: SyntaxNode, kind: string): void => {
    const parts = node.namedChildren();
    const isModifier = kind.endsWith("modifier");
    for (const part of isModifier ? parts.slice(1) : parts) {
      if (BODY.test(part.kind())) continue;
      for (const key of checkedBy(part, evaluate)) checked.add(key);
    }
  };

  const enter = (node: SyntaxNode, kind: string): void => {
    if (BRANCHES.has(kind)) branch++;
    if (CONDITIONAL.has(kind)) visitConditions(node, kind);
    else if (SWITCHES.has(kind)) {
      const subject = node.namedChildren()[0];
      if (subject !== undefined && !BODY.test(subject.kind()))
        for (const piece of evaluate(subject).pieces) if (typeof piece === "object") checked.add(piece.key);
    } else if (/^(?:&&|and)$/.test(operatorOf(node))) {
      const [left] = node.namedChildren();
      if (left !== undefined) for (const key of checkedBy(left, evaluate)) checked.add(key);
    }
    if (LOOPS.has(kind) && kind !== "range_clause") visitLoop(node);
  };

  const leave = (node: SyntaxNode, kind: string): void => {
    if (BRANCHES.has(kind)) branch--;
    if (kind === "range_clause") visitLoop(node);
    if (ASSIGNMENTS.has(kind)) visitAssignment(node);
    else if (isCall(node)) {
      const call = callOf(node);
      if (call !== null) visitCall(call);
    } else if (operatorOf(node) === "<<") {
      const [target, value] = node.namedChildren();
      if (target !== undefined && value !== undefined) bindOne(target, evaluate(value), "<<=", false);
    }
    if (language.placedKinds.has(kind)) {
      const placed: PlacedSink | null = language.placed(node);
      if (placed !== null) report(placed, evaluate(placed.value), placed.value);
    }
  };

  const open: Step[] = [{ node: root, isLeaving: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { node, isLeaving } = step;
    const kind = node.kind();
    const isFunction = functions.has(kind);
    if (isLeaving) {
      leave(node, kind);
      if (isFunction) leaveFunction();
      continue;
    }
    // Nothing outside a top-level function depends on what it does.
    if (isFunction && scope.outer === null && !isTouched(node)) continue;
    if (isFunction) enterFunction(node);
    enter(node, kind);
    open.push({ node, isLeaving: true });
    for (const child of node.namedChildren().toReversed()) open.push({ node: child, isLeaving: false });
  }
  return flows;
}

/** A pattern has the name of what it takes apart. */
function named(pattern: SyntaxNode, value: Value): Value {
  if (pattern.kind() === "object_pattern") return mapHoles(value, (hole) => ({ ...hole, text: "req" }));
  if (pattern.kind() !== "tuple_struct_pattern") return value;
  const text = pattern.namedChildren().at(-1)?.text() ?? "";
  return mapHoles(value, (hole) => ({ ...hole, text }));
}

/** Java and C# declare the type once for all names. */
function declaredType(node: SyntaxNode): string {
  if (node.kind() !== "variable_declarator") return "";
  const first = node.parent()?.namedChildren()[0];
  return first !== undefined && first.kind().endsWith("type") ? first.text() : "";
}

/** True when a sorted list has a number in a range. */
function hasLineBetween(lines: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (lines[low] ?? Infinity) <= to;
}

/** The line of the sink on which the value's name is. */
function lineOf(node: SyntaxNode, hole: Hole): number {
  const { start, end } = node.range();
  if (start.line === end.line) return start.line + 1;
  const name = hole.via ?? hole.text;
  const at = node
    .text()
    .split("\n")
    .findIndex((line) => line.includes(name));
  return start.line + 1 + Math.max(0, at);
}
