/**
 * Conditions that a value must pass: a list of allowed values, a pattern, a prefix, a validator. After such a check the
 * value counts as harmless in the rest of the function. A check for presence, type or length isn't one.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callOf, type CallShape, isCall, operatorOf } from "./shapes.ts";
import type { Value } from "./value.ts";

/** A longer condition isn't a check of one value. */
const MAX_NODES = 200;

const CHECK =
  /^(?:includes|indexOf|has|hasOwn|hasOwnProperty|test|match|exec|startsWith|startswith|in_array|array_key_exists|array_search|preg_match|ctype_\w+|is_numeric|is_int|include\?|key\?|has_key\?|member\?|start_with\?|match\?|cover\?|Contains|ContainsKey|StartsWith|HasPrefix|MatchString|IsMatch|TryParse|isdigit|isdecimal|isnumeric|isalnum|isalpha|isidentifier|fullmatch|matches|contains|containsKey|contains_key|starts_with|isNaN|isInteger|isFinite|is_relative_to|IsLocal|Rel|commonpath|commonprefix|equals|equalsIgnoreCase|Equals|eql\?|some|every|find|any|get|Find|Any|is_match|parse|Atoi|Parse|strpos|str_contains|str_starts_with|str_ends_with|filter_var|all|compare|some\?|any\?)$/;
const CHECK_WORD =
  /valid|allow|safe|permit|trust|whitelist|known|support|check|verif|guard|ensure|assert|same_?origin|local|restrict|forbid|black_?list|deny|within|inside|legal|white|authori[sz]e|is_?in\b/i;
/** Facts about a value that leave its text free. */
const NO_CHECK =
  /^(?:is_?file|is_?dir\w*|exists?\w*|is_?(?:set|null|empty|string|array|blank|object|defined)\w*|IsNullOr\w+|isinstance|isSymbolicLink|isPresent|isAuthenticated|check_?password|authenticate\w*|find_?[bB]y\w*|check_(?:call|output))$/i;

/** The keys of the values that a condition checks. */
export function checkedBy(condition: SyntaxNode, evaluate: (node: SyntaxNode) => Value): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (node: SyntaxNode | null | undefined): void => {
    if (node === null || node === undefined) return;
    for (const piece of evaluate(node).pieces) if (typeof piece !== "string") keys.add(piece.key);
  };
  const open: SyntaxNode[] = [condition];
  for (let read = 0; read < MAX_NODES; read++) {
    const node = open.pop();
    if (node === undefined) break;
    const call = isCall(node) ? callOf(node) : null;
    if (call !== null && isCheck(call)) {
      add(call.receiver);
      for (const arg of call.args) add(arg);
    } else if (isComparison(node)) {
      for (const side of node.namedChildren()) add(side);
    }
    open.push(...node.namedChildren());
  }
  return keys;
}

/** True for a call that fails, throws or answers when a value isn't allowed. */
export function isCheck({ name, args, receiver }: CallShape): boolean {
  if (NO_CHECK.test(name)) return false;
  if (CHECK_WORD.test(name)) return true;
  if (!CHECK.test(name)) return /^(?:is|Is)[A-Z_]\w*$|^is_\w+$/.test(name);
  // A scheme says nothing about the host, and an ending nothing about the folder.
  const first = args[0]?.text() ?? "";
  if (/^["'](?:https?|ftp|file|data)?:?\/{0,2}["']$/i.test(first) && /http|ftp|file|data/i.test(first))
    return false;
  if (name === "get" || name === "find")
    return receiver !== null && /allow|valid|known|white|map|table/i.test(receiver.text().slice(0, 60));
  return true;
}

/** A comparison with a text or another value, or membership. Empty texts, null and numbers don't restrict a value. */
function isComparison(node: SyntaxNode): boolean {
  if (node.kind() === "comparison_operator") {
    const text = node.children()[1]?.text() ?? "";
    return /^(?:in|not in|==|!=)$/.test(text) && restricts(node);
  }
  return /^(?:===?|!==?|in|=~|!~|eq)$/.test(operatorOf(node)) && restricts(node);
}

function restricts(node: SyntaxNode): boolean {
  return node
    .namedChildren()
    .every(
      (side) =>
        !/^(?:null|nil|none|undefined|number|integer|true|false|\w*int\w*|null_literal)$/.test(side.kind()) &&
        !/^(?:""|''|None|nil|null|undefined|typeof\b.*)$/s.test(side.text().slice(0, 20)),
    );
}
