/**
 * Go calls whose error is ignored. Covers well-known functions that return only an error, such functions of the same
 * file, and results that are nil when the ignored error isn't.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asCall, type Call } from "../syntax/calls.ts";
import { type TreeFacts, factsOf } from "../file-facts.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const ERROR_ONLY: ReadonlySet<string> = new Set(
  `json.Unmarshal xml.Unmarshal yaml.Unmarshal toml.Unmarshal proto.Unmarshal os.WriteFile ioutil.WriteFile os.MkdirAll
  os.Mkdir os.Rename os.Symlink os.Link os.Chmod os.Truncate http.ListenAndServe http.ListenAndServeTLS
  binary.Read gob.Register`.split(/\s+/),
);

const DECODE = /^json\.NewDecoder\(.*\)\.Decode$/s;

/** Database methods. Other libraries have methods with these names that return nothing. */
const DATABASE_METHODS = /^rows?\.Scan$|^(?:tx|txn|transaction)\.Commit$/;
const DATABASE_IMPORT = /"(?:database\/sql|github\.com\/(?:jmoiron\/sqlx|jackc\/pgx)[^"]*)"/;

/** Functions whose result is nil when they fail. */
const NIL_ON_ERROR: ReadonlySet<string> = new Set([
  "os.Open",
  "os.Create",
  "os.OpenFile",
  "http.Get",
  "http.Post",
  "net.Dial",
  "net.Listen",
  "sql.Open",
]);

/** Functions whose result is empty when they fail, which looks like valid input. */
const EMPTY_ON_ERROR: ReadonlySet<string> = new Set([
  "os.ReadFile",
  "ioutil.ReadFile",
  "io.ReadAll",
  "ioutil.ReadAll",
]);

/** Functions and methods of the file that return only an error: `save` and `*Store.save`. */
function errorFunctions(root: SyntaxNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of root.findAll({
    rule: { any: [{ kind: "function_declaration" }, { kind: "method_declaration" }] },
  })) {
    if (node.field("result")?.text() !== "error") continue;
    const name = node.field("name")?.text() ?? "";
    const type = receiverOf(node)?.type;
    found.add(type === undefined ? name : `${type}.${name}`);
  }
  return found;
}

function receiverOf(method: SyntaxNode): { name: string; type: string } | null {
  const match = /^\(\s*(\w+)\s+\*?(\w+)/.exec(method.field("receiver")?.text() ?? "");
  return match === null ? null : { name: match[1] ?? "", type: match[2] ?? "" };
}

function isDropped(call: Call, own: ReadonlySet<string>, facts: TreeFacts): boolean {
  const written = `${call.receiver}.${call.name}`;
  if (ERROR_ONLY.has(written) || DECODE.test(written)) return true;
  if (DATABASE_METHODS.test(written)) return facts.holds(DATABASE_IMPORT);
  // A function that gets a callback can return its error through it.
  if (call.args.some((arg) => arg.kind() === "func_literal")) return false;
  if (call.receiver === "")
    return own.has(call.name) && !/^(?:close|print|log|write|flush|must)/i.test(call.name);
  const outer = facts.outermostFunction(call.node);
  const receiver = outer === null ? null : receiverOf(outer);
  return (
    receiver?.name === call.receiver &&
    own.has(`${receiver.type}.${call.name}`) &&
    !/^(?:close|stop|flush|log|write|print|shutdown)/i.test(call.name)
  );
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const own = errorFunctions(root);
  const facts = factsOf(root, "go");
  for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
    const [expression] = statement.namedChildren();
    const call = expression === undefined ? null : asCall(expression);
    if (call === null || !isDropped(call, own, facts)) continue;
    if (isExplained(statement) || isLocalName(call, facts)) continue;
    yield {
      line: linesOf(statement).line,
      title: `Unchecked error returned by ${nameOr(call.name, "a call")}`,
    };
  }
  for (const declaration of root.findAll({ rule: { kind: "short_var_declaration", regex: ", _ :=" } })) {
    const call = asCall(declaration.field("right")?.namedChildren()[0] ?? declaration);
    const name = `${call?.receiver}.${call?.name}`;
    if (
      call !== null &&
      EMPTY_ON_ERROR.has(name) &&
      !isExplained(declaration) &&
      !/[Ee]rr/.test(call.node.text())
    )
      yield {
        line: linesOf(declaration).line,
        severity: "medium",
        title: `Unchecked error returned by ${nameOr(name, "a call")}`,
        detail: `If \`${name}\` fails, the result is empty or incomplete.`,
      };
    if (call === null || !NIL_ON_ERROR.has(name) || isExplained(declaration)) continue;
    if (isOnlyClosed(declaration, name)) continue;
    if (call.args.some((arg) => /os\.DevNull|httptest|Server\.URL/.test(arg.text()))) continue;
    yield {
      line: linesOf(declaration).line,
      title: `Unchecked error returned by ${nameOr(`${call.receiver}.${call.name}`, "a call")}`,
      detail: `If \`${call.receiver}.${call.name}\` fails, its result is nil and the next use panics.`,
    };
  }
}

/** `f, _ := os.Create(name)` and `f.Close()`, to create or touch a file: closing a nil file gives an error and doesn't panic. */
function isOnlyClosed(declaration: SyntaxNode, name: string): boolean {
  const value = declaration.field("left")?.namedChildren()[0]?.text() ?? "";
  return name.startsWith("os.") && declaration.next()?.text() === `${value}.Close()`;
}

function isExplained(statement: SyntaxNode): boolean {
  const after = statement.next();
  const before = statement.prev();
  const isComment = (node: SyntaxNode | null): boolean => node?.kind() === "comment";
  return isComment(before) || (isComment(after) && after?.range().start.line === statement.range().end.line);
}

/** True when a parameter or variable shadows the function's name. */
function isLocalName(call: Call, facts: TreeFacts): boolean {
  if (call.receiver !== "") return false;
  const text = facts.scopeText(call.node);
  const name = escapePattern(call.name);
  return new RegExp(`\\b${name}\\s*:=|[(,]\\s*${name}\\s+func`).test(text);
}

export const uncheckedGoError: TreeRule = {
  kind: "tree",
  id: "unchecked-go-error",
  title: "Unchecked error returned by a call",
  severity: "major",
  category: "reliability",
  why: "If the call fails, the code continues with unset values and the cause is lost.",
  fix: "Return or handle the error. If it's safe to ignore, assign it to `_` and say why in a comment.",
  confidence: 0.9,
  languages: ["go"],
  trigger: /^[ \t]*[\w.]+\(|, _ :=/m,
  check,
};
