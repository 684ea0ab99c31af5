/** A call that only computes a value, as a whole statement. The names are of each language's own library. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Patterns for the called function with its receiver. The last group is the name for the title. */
const PURE: Readonly<Record<string, RegExp>> = {
  go: /^(?:strings|bytes)\.(?:Trim(?:Space|Left|Right|Prefix|Suffix|Func)?|To(?:Lower|Upper|Title)|Replace(?:All)?|Split|Join|Repeat|Fields|Contains|HasPrefix|HasSuffix)$|^(?:fmt\.(?:Sprintf|Sprint|Sprintln|Errorf)|errors\.(?:New|Wrap|Wrapf|WithMessage)|strconv\.(?:Itoa|Quote|FormatInt)|filepath\.(?:Join|Base|Dir|Ext|Clean)|path\.(?:Join|Base|Dir|Clean)|context\.With(?:Value|Cancel|Timeout|Deadline)|slices\.(?:Clone|Contains|Compact|Insert|Delete)|maps\.Clone|url\.(?:QueryEscape|PathEscape)|html\.EscapeString|time\.(?:Now|Since|Until))$/,
  rust: /\.(?:iter|into_iter|iter_mut|chars|bytes|lines|keys|values)\(\)[^]*\.(?:map|filter|filter_map|take|skip|enumerate|rev|zip|chain|flat_map|cloned|copied)$|\.(?:to_string|to_owned|to_lowercase|to_uppercase|to_vec)$|^format!$/,
  java: /\.(?:trim|strip|toUpperCase|toLowerCase|substring|concat|intern|(?:plus|minus)(?:Days|Hours|Minutes|Months|Years|Seconds|Weeks)|isEmpty|isBlank)$|^[\w.]+\.(?:replace|replaceAll|replaceFirst)$|^String\.(?:format|valueOf|join)$|\.stream\(\)[^]*\.(?:map|filter|sorted|distinct|limit)$/,
  csharp:
    /\.(?:Trim|TrimStart|TrimEnd|ToUpper|ToLower|ToUpperInvariant|ToLowerInvariant|Substring|PadLeft|PadRight|Add(?:Days|Hours|Minutes|Seconds|Months|Years))$|^[\w.]+\.Replace$|^[sS]tring\.(?:Format|Join|Concat|IsNullOrEmpty)$/,
  ruby: /\.(?:strip|lstrip|rstrip|upcase|downcase|capitalize|swapcase|chomp|squeeze|to_s|to_sym|to_i|flatten|compact|uniq|reverse|rotate|gsub|sub|tr)$|^\w{0,20}(?:hash|options|opts|params|attrs|attributes|headers|config|settings|defaults)\.merge$/,
  php: /^\\?(?:trim|ltrim|rtrim|strtolower|strtoupper|ucfirst|ucwords|str_replace|substr|sprintf|htmlspecialchars|htmlentities|strip_tags|implode|explode|array_merge|array_filter|array_unique|array_reverse|array_values|array_keys|array_slice|array_diff|array_combine|number_format|nl2br|addslashes|strrev|str_pad|str_repeat|json_encode|urlencode|rawurlencode|intval|strlen|count|in_array|is_null|abs|round|floor|ceil|preg_quote|md5|sha1|hash)$/,
  c: /^(?:strlen|strcmp|strncmp|strcasecmp|memcmp|strchr|strrchr|strstr|toupper|tolower|abs|labs|isdigit|isalpha|isspace|atoi)$/,
  cpp: /^(?:std::)?(?:strlen|strcmp|strncmp|memcmp|strchr|toupper|tolower|abs|atoi)$|^std::(?:remove|remove_if|unique|to_string|max|min|find|find_if|count|accumulate)$|^[\w.>-]+(?:\.|->)(?:empty|substr|length|c_str)$/,
};

/** Methods of texts whose names maps and lists have too: these need a literal to replace, and a literal or a name for it. */
const AMBIGUOUS = /\.[rR]eplace(?:All|First)?$/;
const TWO_TEXTS = /^\(\s*["'][^]*,\s*(?:"[^"]*"|'[^']*'|[\w.]+)\s*\)$/;

/** Methods that change the object when it builds a text, and the places that declare one. */
const CHANGES_BUILDER = /(\w+)\.(?:[rR]eplace(?:All|First)?|[tT]rim(?:Start|End)?)$/;
const BUILDER =
  /\b\w*(?:StringBuilder|StringBuffer|StrBuilder)\??\s+(\w+)|\b(\w+)\s*=\s*(?:new\s+)?[\w.]*(?:StringBuilder|StringBuffer|StrBuilder)(?![^;\n]{0,200}\.[tT]oString\(\);)/g;

/** A longer statement does more than one thing. */
const MAX_CHARS = 300;

function calledIn(
  statement: SyntaxNode,
  language: string,
  isBuilder: (name: string) => boolean,
): string | null {
  const kind = statement.kind();
  if (kind !== "expression_statement" && language !== "ruby") return null;
  const { start, end } = statement.range();
  if (end.index - start.index > MAX_CHARS) return null;
  const inner = kind === "expression_statement" ? statement.namedChildren()[0] : statement;
  if (inner === undefined || !CALL.test(inner.kind())) return null;
  if (kind === "expression_statement" && language !== "go" && !statement.text().endsWith(";")) return null;
  const parts = inner.namedChildren();
  // A block does work of its own.
  if (parts.some((part) => /^(?:block|do_block)$/.test(part.kind()))) return null;
  const list = parts.find((part) => /^(?:arguments?|argument_list|token_tree)$/.test(part.kind()));
  const callee = inner
    .text()
    .slice(0, (list?.range().start.index ?? end.index) - start.index)
    .trim();
  // The body of a Ruby heredoc follows the call.
  if (callee.includes("<<")) return null;
  if (PURE[language]?.test(callee) !== true || hasWork(inner.text(), language)) return null;
  if (AMBIGUOUS.test(callee) && !TWO_TEXTS.test(list?.text() ?? "")) return null;
  const changed = CHANGES_BUILDER.exec(callee)?.[1];
  if (changed !== undefined && isBuilder(changed)) return null;
  return callee.replace(/^[^]*\.(?=\w+$)/, language === "go" ? `${callee.split(".", 1)[0]}.` : "");
}

const CALL =
  /^(?:call|call_expression|method_invocation|invocation_expression|function_call_expression|macro_invocation)$/;

/** True when an argument does something, so that the call may be there for it. */
function hasWork(text: string, language: string): boolean {
  if (language === "php") return /->|::|=(?![=>])|\+\+|--/.test(text);
  return /\+\+|--|[^=!<>]=[^=>]/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}

/** Names that the file declares as a text builder anywhere. */
function buildersIn(root: SyntaxNode, language: string): ReadonlySet<string> {
  if (language !== "java" && language !== "csharp") return new Set();
  return new Set([...root.text().matchAll(BUILDER)].map(([, typed, assigned]) => typed ?? assigned ?? ""));
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  let builders: ReadonlySet<string> | null = null;
  const isBuilder = (name: string): boolean => (builders ??= buildersIn(root, language)).has(name);
  for (const statements of statementListsIn(root, language)) {
    // The last expression of a Ruby body is its value; a guarded one tells by raising.
    const isGuarded = statements.some((one) => /^(?:rescue|ensure)$/.test(one.kind()));
    const checked = language === "ruby" ? (isGuarded ? [] : statements.slice(0, -1)) : statements;
    for (const statement of checked) {
      const name = calledIn(statement, language, isBuilder);
      if (name === null || isGuardedBlock(statement)) continue;
      yield {
        ...linesOf(statement),
        title: `Discarded result: the value of ${nameOr(name, "a call")} is never used`,
      };
    }
  }
}

/** Inside `try` a call may be there only for its exception. */
function isGuardedBlock(statement: SyntaxNode): boolean {
  return statement.parent()?.parent()?.kind() === "try_statement";
}

export const unusedResult: TreeRule = {
  kind: "tree",
  id: "unused-result",
  title: "Discarded result: the call only computes a value",
  severity: "major",
  category: "correctness",
  why: "The call returns a new value and changes nothing, so the statement has no effect.",
  fix: "Assign or return the result, or remove the call.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /\w\s*\(|\.\w+$|!\(/m,
  check: (root, { language }) => check(root, language),
};
