/**
 * Variables that a PHP function reads and never sets. A name that could be set in a way the tree doesn't show (by
 * reference, `extract`, an included file) is ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const SCOPE = /^(?:function_definition|method_declaration|anonymous_function)$/;

/** Code that sets variables without naming them. */
const SETS_UNNAMED =
  /\b(?:extract|parse_str|eval|get_defined_vars|include|include_once|require|require_once)\b|\$\$|\$\{/;

const PREDEFINED =
  /^\$(?:this|_[A-Z]+|GLOBALS|argv|argc|http_response_header|php_errormsg|HTTP_RAW_POST_DATA)$/;

/** Built-in functions that take their arguments by value: a name passed to any other function may be set by it. */
const BY_VALUE =
  /^\\?(?:count|strlen|implode|explode|json_encode|in_array|htmlspecialchars|htmlentities|array_merge|array_map|array_filter|array_keys|array_values|sprintf|printf|trim|ltrim|rtrim|strtolower|strtoupper|ucfirst|number_format|is_null|is_array|is_string|is_int|is_numeric|intval|floatval|strval|round|floor|ceil|abs|max|min|date|strtotime|md5|sha1|hash|substr|strpos|file_exists|file_get_contents|urlencode|print_r|var_dump|usleep|str_contains|str_starts_with|str_ends_with|array_key_exists|array_sum|array_slice)$/;

/** The function or closure whose variables a node uses. Arrow functions use those of the function around them. */
function scopeOf(node: SyntaxNode): SyntaxNode | null {
  return nearestAncestor(
    node,
    (ancestor) => SCOPE.test(ancestor.kind()) || ancestor.kind() === "class_declaration",
  );
}

/** True when the name is set here, or could be. */
function isSet(mention: SyntaxNode): boolean {
  let inner = mention;
  // `$list[] = 1` and `$config['a']['b'] = 1` create the array.
  for (let up = inner.parent(); up !== null; inner = up, up = up.parent()) {
    const kind = up.kind();
    if (
      kind === "subscript_expression" &&
      up.namedChildren()[0]?.range().start.index === inner.range().start.index
    )
      continue;
    if (kind === "assignment_expression" || kind === "reference_assignment_expression")
      return (
        up.field("left")?.range().start.index === inner.range().start.index || kind.startsWith("reference")
      );
    if (kind === "augmented_assignment_expression") return /\?\?=/.test(up.text());
    if (kind === "binary_expression") return /^\?\?$/.test(up.children()[1]?.text() ?? "");
    if (kind === "argument") return !isByValue(up);
    if (kind === "foreach_statement")
      return inner.range().start.index !== up.namedChildren()[0]?.range().start.index;
    if (kind === "pair" || kind === "array_element_initializer") {
      if (up.parent()?.kind() === "foreach_statement") return true;
      if (up.parent()?.kind() !== "list_literal") return false;
      continue;
    }
    return /^(?:list_literal|by_ref|catch_clause|global_declaration|static_variable_declaration|unset_statement|error_suppression_expression|\w+_parameter|property_element|reference_modifier)$/.test(
      kind,
    );
  }
  return false;
}

function isByValue(argument: SyntaxNode): boolean {
  const call = argument.parent()?.parent();
  return call?.kind() === "function_call_expression" && BY_VALUE.test(call.field("function")?.text() ?? "");
}

type Names = {
  readonly scope: SyntaxNode;
  readonly set: Set<string>;
  readonly read: Map<string, SyntaxNode>;
};

/** The names of every function and closure of a file, by the position of the function. */
function namesByScope(root: SyntaxNode): ReadonlyMap<number, Names> {
  const scopes = new Map<number, Names>();
  const namesAt = (scope: SyntaxNode): Names => {
    const at = scope.range().start.index;
    const known = scopes.get(at) ?? { scope, set: new Set<string>(), read: new Map<string, SyntaxNode>() };
    scopes.set(at, known);
    return known;
  };
  for (const mention of root.findAll({ rule: { kind: "variable_name" } })) {
    const name = mention.text();
    if (PREDEFINED.test(name) || mention.parent()?.kind() === "scoped_property_access_expression") continue;
    let scope = scopeOf(mention);
    if (scope !== null && isInUseClause(mention)) {
      // The clause sets the name for the closure, and reads it in the function around.
      namesAt(scope).set.add(name);
      scope = scopeOf(scope);
    }
    if (scope === null || scope.kind() === "class_declaration") continue;
    const { set, read } = namesAt(scope);
    if (isSet(mention)) set.add(name);
    else if (!read.has(name)) read.set(name, mention);
  }
  return scopes;
}

function isInUseClause(mention: SyntaxNode): boolean {
  const parent = mention.parent();
  const list = parent?.kind() === "by_ref" ? parent.parent() : parent;
  return list?.kind() === "anonymous_function_use_clause";
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const scopes = namesByScope(root);
  for (const { scope, set, read } of scopes.values()) {
    const missing = [...read].filter(([name]) => !set.has(name));
    if (missing.length === 0) continue;
    const text = scope.text();
    if (SETS_UNNAMED.test(text) || scope.has({ rule: { kind: "ERROR" } })) continue;
    for (const [name, mention] of missing) {
      if (new RegExp(`@(?:var|global)\\b[^\\n]{0,100}\\${name}\\b`).test(text)) continue;
      const outer = scope.kind() === "anonymous_function" ? scopeOf(scope) : null;
      const isNotPassed = outer !== null && scopes.get(outer.range().start.index)?.set.has(name) === true;
      yield {
        line: mention.range().start.line + 1,
        missingIn: linesOf(scope),
        title: isNotPassed
          ? `Undefined variable: ${nameOr(name, "it")} isn't passed to this closure with \`use\``
          : `Undefined variable: ${nameOr(name, "it")} is never set in this function`,
      };
    }
  }
}

export const phpUndefinedVariable: TreeRule = {
  kind: "tree",
  id: "php-undefined-variable",
  title: "Undefined variable: it is read but never set in its function",
  severity: "must-fix",
  category: "correctness",
  why: "PHP gives null and a warning for a variable that was never set. A function doesn't see the variables around it, and a closure only those it lists in `use`.",
  fix: "Use the name that was set, set the variable first, pass it as a parameter, or list it in `use`.",
  languages: ["php"],
  inTests: true,
  afterRemoval: true,
  trigger: /\$\w/,
  check: (root) => check(root),
};
