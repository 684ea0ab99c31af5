/**
 * Expressions of eight languages in one shape, for the engine that follows values. It goes by node kinds and positions and
 * never resolves a name.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type CallShape = {
  readonly is: "call";
  readonly node: SyntaxNode;
  readonly receiver: SyntaxNode | null;
  readonly name: string;
  readonly args: readonly SyntaxNode[];
};

type Shape =
  | CallShape
  | { readonly is: "name"; readonly name: string }
  | { readonly is: "member"; readonly object: SyntaxNode; readonly name: string }
  | { readonly is: "index"; readonly object: SyntaxNode; readonly key: SyntaxNode | null }
  | { readonly is: "text"; readonly parts: readonly (string | SyntaxNode)[] }
  | { readonly is: "joined"; readonly parts: readonly SyntaxNode[] }
  | { readonly is: "percent"; readonly format: SyntaxNode; readonly values: readonly SyntaxNode[] }
  | { readonly is: "choice"; readonly condition: SyntaxNode | null; readonly parts: readonly SyntaxNode[] }
  | { readonly is: "same"; readonly node: SyntaxNode }
  | { readonly is: "many"; readonly parts: readonly SyntaxNode[] }
  | { readonly is: "each"; readonly body: SyntaxNode; readonly clause: SyntaxNode }
  | { readonly is: "harmless" }
  | { readonly is: "unknown" };

const HARMLESS_SHAPE: Shape = { is: "harmless" };
const UNKNOWN_SHAPE: Shape = { is: "unknown" };

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const NAMES = words(
  "identifier name variable_name constant shorthand_property_identifier instance_variable global_variable this self",
);

const MEMBERS = words(
  `member_expression attribute selector_expression field_access member_access_expression field_expression
  nullsafe_member_access_expression scoped_property_access_expression conditional_access_expression`,
);

const INDEXES = words(
  "subscript_expression subscript index_expression array_access element_access_expression element_reference",
);

const CALLS = words(
  `call_expression new_expression call method_invocation object_creation_expression invocation_expression
  function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression
  implicit_object_creation_expression`,
);

const STRINGS = words(
  `string template_string interpreted_string_literal raw_string_literal string_literal verbatim_string_literal
  interpolated_string_expression encapsed_string heredoc heredoc_body nowdoc subshell shell_command_expression
  bare_string`,
);

const CONTENTS = words(
  `string_fragment multiline_string_fragment string_content string_literal_content raw_string_content
  interpreted_string_literal_content raw_string_literal_content heredoc_content nowdoc_string nowdoc_body escape_sequence
  escape_interpolation`,
);

const DELIMITERS = words(
  `string_start string_end raw_string_start raw_string_end interpolation_start interpolation_quote interpolation_brace
  heredoc_start heredoc_end heredoc_beginning interpolation_format_clause format_specifier type_conversion`,
);

/** Kinds that pass on the value of their first child, or of their last where the first is a type or a key. */
const SAME_FIRST = words(
  `parenthesized_expression as_expression satisfies_expression non_null_expression await_expression await spread_element
  type_assertion_expression reference_expression try_expression postfix_unary_expression parenthesized_statements
  error_suppression_expression as_pattern expression_statement jsx_expression template_substitution splat_argument
  array_element_initializer by_ref checked_expression literal_element clone_expression list_splat`,
);
const SAME_LAST = words(
  "argument keyword_argument pair type_conversion_expression keyed_element variable_unpacking throw_expression",
);

const MANY = words(
  `array list tuple object dictionary set hash array_creation_expression array_initializer composite_literal
  literal_value initializer_expression expression_list string_array array_expression tuple_expression sequence_expression
  implicit_array_creation_expression collection_expression argument_list arguments`,
);

const CHOICES = words("ternary_expression conditional_expression conditional");
const BINARIES = words("binary_expression binary_operator binary boolean_operator");
const EACH = words("list_comprehension set_comprehension generator_expression");

const CASTS = words("cast_expression type_cast_expression");

/** Types whose values hold no text that an attacker could choose. */
const NUMBER_TYPE =
  /^[(:?&*\s]*(?:readonly\s+)?(?:number|bigint|boolean|bool|int|integer|long|short|byte|float|double|decimal|Integer|Long|Short|Double|Float|Boolean|BigDecimal|Guid|UUID|Uuid|DateTime|DateTimeOffset|DateOnly|Instant|LocalDate|LocalDateTime|Date|datetime|date|timedelta|Decimal|u?int(?:8|16|32|64)|float(?:32|64)|time\.(?:Time|Duration)|[iu](?:8|16|32|64|128|size)|f(?:32|64)|uuid\.UUID)(?![\w.<[])[\s?]*(?:\|\s*(?:null|None|undefined)\s*)?\)?$/;

export function isNumberType(type: string): boolean {
  return NUMBER_TYPE.test(type.trim());
}

const OPERATOR = /^(?:\+|\.|%|\|\||\?\?|\?:|or|and|&&)$/;

/** The operator of a binary expression, such as `+`; empty for others. */
export function operatorOf(node: SyntaxNode): string {
  return BINARIES.has(node.kind()) ? (node.children()[1]?.text() ?? "") : "";
}

export function isCall(node: SyntaxNode): boolean {
  return CALLS.has(node.kind());
}

export function isStringNode(node: SyntaxNode): boolean {
  return STRINGS.has(node.kind()) || node.kind() === "concatenated_string";
}

export function shapeOf(node: SyntaxNode): Shape {
  const kind = node.kind();
  if (NAMES.has(kind)) return { is: "name", name: node.text() };
  if (CALLS.has(kind)) return callOf(node) ?? UNKNOWN_SHAPE;
  if (MEMBERS.has(kind)) return memberOf(node);
  if (INDEXES.has(kind)) {
    const [object, key] = node.namedChildren().filter((child) => child.kind() !== "optional_chain");
    return object === undefined ? UNKNOWN_SHAPE : { is: "index", object, key: key ?? null };
  }
  if (STRINGS.has(kind)) return { is: "text", parts: [...stringParts(node)] };
  if (kind === "heredoc_beginning") {
    const body = heredocBody(node);
    return body === null ? UNKNOWN_SHAPE : { is: "text", parts: [...stringParts(body)] };
  }
  if (kind === "concatenated_string" || kind === "chained_string")
    return { is: "joined", parts: node.namedChildren() };
  if (BINARIES.has(kind)) return binaryShape(node);
  if (CHOICES.has(kind)) return choiceShape(node);
  if (CASTS.has(kind)) return castShape(node);
  if (SAME_FIRST.has(kind)) return sameAs(node.namedChildren()[0]);
  if (SAME_LAST.has(kind)) return sameAs(node.namedChildren().at(-1));
  if (MANY.has(kind)) return { is: "many", parts: node.namedChildren() };
  if (EACH.has(kind)) {
    const [body, clause] = node.namedChildren();
    return body === undefined || clause === undefined ? UNKNOWN_SHAPE : { is: "each", body, clause };
  }
  if (kind === "unary_expression") {
    // Go's address and dereference operators pass on the value; `!`, `-` and `typeof` don't.
    return /^[&*]$/.test(node.children()[0]?.text() ?? "") ? sameAs(node.namedChildren()[0]) : HARMLESS_SHAPE;
  }
  return /literal$|^(?:number|integer|float|true|false|null|nil|none|undefined|boolean|simple_symbol|comparison_operator|not_operator|prefix_unary_expression|unary|unary_operator|unary_op_expression|regex|update_expression|class_constant_access_expression|symbol)$/.test(
    kind,
  )
    ? HARMLESS_SHAPE
    : UNKNOWN_SHAPE;
}

function sameAs(node: SyntaxNode | undefined): Shape {
  return node === undefined ? UNKNOWN_SHAPE : { is: "same", node };
}

function memberOf(node: SyntaxNode): Shape {
  const parts = node.namedChildren().filter((child) => child.kind() !== "optional_chain");
  const [object] = parts;
  const last = parts.at(-1);
  if (object === undefined || last === undefined || last === object) return UNKNOWN_SHAPE;
  return { is: "member", object, name: last.text().replace(/^[.?]+/, "") };
}

/** The node as a call, or null. A Ruby method without arguments is a call, too. */
export function callOf(node: SyntaxNode): CallShape | null {
  const kind = node.kind();
  if (!CALLS.has(kind)) return null;
  const parts = node.namedChildren().filter((part) => !/comment|^type_arguments$/.test(part.kind()));
  return kind === "call" && isRubyCall(node) ? rubyCall(node, parts) : otherCall(node, parts);
}

function isRubyCall(node: SyntaxNode): boolean {
  const first = node.namedChildren()[0];
  const second = node.children()[1]?.text();
  return (
    second === "." ||
    second === "&." ||
    second === "::" ||
    /^(?:identifier|constant)$/.test(first?.kind() ?? "")
  );
}

function rubyCall(node: SyntaxNode, parts: readonly SyntaxNode[]): CallShape | null {
  const list = parts.find((part) => /^(?:argument_list|generator_expression)$/.test(part.kind()));
  const args = list === undefined ? [] : argumentsIn(list);
  const hasDot = /^(?:\.|&\.|::)$/.test(node.children()[1]?.text() ?? "");
  const [first, second] = parts;
  const named = hasDot ? second : first;
  if (named === undefined || first === undefined) return null;
  return { is: "call", node, receiver: hasDot ? first : null, name: named.text(), args };
}

function otherCall(node: SyntaxNode, parts: readonly SyntaxNode[]): CallShape | null {
  const listAt = parts.findIndex((part) =>
    /^(?:argument_list|arguments|template_string|generator_expression)$/.test(part.kind()),
  );
  const list = parts[listAt];
  // A tagged template has its template in place of the argument list, and the tag decides what becomes of the values.
  const args = list === undefined || list.kind() === "template_string" ? [] : argumentsIn(list);
  const before = listAt === -1 ? parts : parts.slice(0, listAt);
  const callee = before.at(-1);
  if (callee === undefined) return null;
  // Java and PHP have the receiver and the name as two children; the others have one callee.
  const [object] = before;
  if (before.length > 1 && object !== undefined)
    return { is: "call", node, receiver: object, name: callee.text(), args };
  const target = callee.kind() === "generic_function" ? (callee.namedChildren()[0] ?? callee) : callee;
  const kind = target.kind();
  if (MEMBERS.has(kind) || /^(?:scoped_identifier|qualified_name|scoped_type_identifier)$/.test(kind)) {
    const inner = target.namedChildren().filter((child) => child.kind() !== "optional_chain");
    const last = inner.at(-1);
    if (last === undefined) return null;
    const name = last
      .text()
      .replace(/^[.?]+/, "")
      .replace(/<[^]*$/, "");
    return { is: "call", node, receiver: inner.length > 1 ? (inner[0] ?? null) : null, name, args };
  }
  const name = /identifier$|^name$|^import$|generic_(?:name|type)$|^variable_name$/.test(kind)
    ? target.text()
    : "";
  return { is: "call", node, receiver: null, name: name.replace(/<[^]*$/, ""), args };
}

function argumentsIn(list: SyntaxNode): readonly SyntaxNode[] {
  if (list.kind() === "generator_expression") return [list];
  return list
    .namedChildren()
    .filter((child) => !child.kind().includes("comment"))
    .map((child) => (child.kind() === "argument" ? (child.namedChildren().at(-1) ?? child) : child));
}

function* stringParts(node: SyntaxNode): Iterable<string | SyntaxNode> {
  const children = node.namedChildren();
  if (children.length === 0) {
    yield node.text().replace(/^[a-zA-Z@$]{0,3}#{0,3}["'`]{1,3}|["'`]{1,3}#{0,3}$/g, "");
    return;
  }
  for (const child of children) {
    const kind = child.kind();
    if (DELIMITERS.has(kind)) continue;
    if (CONTENTS.has(kind)) yield child.text();
    else if (kind === "heredoc_body") yield* stringParts(child);
    else if (kind === "template_substitution" || kind === "interpolation") {
      const inner = child.namedChildren().find((part) => !DELIMITERS.has(part.kind()));
      if (inner !== undefined) yield inner;
    } else yield child;
  }
}

/** The body of a Ruby heredoc follows the statement that opens it. */
function heredocBody(beginning: SyntaxNode): SyntaxNode | null {
  for (let around = beginning.parent(); around !== null; around = around.parent()) {
    for (let next = around.next(); next !== null; next = next.next())
      if (next.kind() === "heredoc_body") return next;
  }
  return null;
}

function binaryShape(node: SyntaxNode): Shape {
  const operator = operatorOf(node);
  // Python joins paths with `/`.
  if (operator === "/" && node.kind() === "binary_operator")
    return { is: "joined", parts: operands(node, "/") };
  if (!OPERATOR.test(operator)) return HARMLESS_SHAPE;
  const parts = node.namedChildren();
  const [left, right] = parts;
  if (left === undefined || right === undefined) return HARMLESS_SHAPE;
  if (operator === "%") {
    if (!isStringNode(left)) return HARMLESS_SHAPE;
    const values = /^(?:tuple|array)$/.test(right.kind()) ? right.namedChildren() : [right];
    return { is: "percent", format: left, values };
  }
  if (operator !== "+" && operator !== ".") return { is: "choice", condition: null, parts: [left, right] };
  return { is: "joined", parts: operands(node, operator) };
}

/** A concatenation of hundreds of pieces is an equally deep tree, so it is read without recursion. */
function operands(node: SyntaxNode, operator: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  let left: SyntaxNode = node;
  while (operatorOf(left) === operator) {
    const [first, second] = left.namedChildren();
    if (first === undefined || second === undefined) break;
    found.push(second);
    left = first;
  }
  return [left, ...found.reverse()];
}

function choiceShape(node: SyntaxNode): Shape {
  const [first, second, third] = node.namedChildren();
  if (first === undefined || second === undefined) return UNKNOWN_SHAPE;
  // PHP's `a ?: b` has two parts.
  if (third === undefined) return { is: "choice", condition: null, parts: [first, second] };
  const isPython = node.children()[1]?.text() === "if";
  return isPython
    ? { is: "choice", condition: second, parts: [first, third] }
    : { is: "choice", condition: first, parts: [second, third] };
}

function castShape(node: SyntaxNode): Shape {
  const [type, value] = node.namedChildren();
  if (type === undefined || value === undefined) return UNKNOWN_SHAPE;
  // Rust has the value first.
  const isRust = node.kind() === "type_cast_expression";
  const typeText = (isRust ? value : type).text();
  return isNumberType(typeText) ? HARMLESS_SHAPE : sameAs(isRust ? type : value);
}
