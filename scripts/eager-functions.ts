/**
 * Makes V8 compile every function of a bundle together with the bundle. Node caches only what V8 has compiled at that moment, so every
 * process would compile the other functions again at their first call. V8 treats a function in parentheses as one that is called at
 * once, and compiles it. The parentheses have no other effect. A declaration becomes a variable above all other code, where it was
 * hoisted before.
 */
import { parseAst } from "rolldown/parseAst";

type Syntax = { readonly type: string; readonly start: number; readonly end: number };

export function compileEagerly(code: string): string {
  const { body } = parseAst(code);
  const functions: Syntax[] = [];
  for (const statement of body) findExpressions(statement, functions);
  const textOf = withParentheses(code, functions);
  const imports: string[] = [];
  const declared: string[] = [];
  const rest: string[] = [];
  for (const statement of body) {
    const text = textOf(statement);
    if (statement.type === "ImportDeclaration") imports.push(text);
    else if (statement.type === "FunctionDeclaration" && statement.id !== null)
      declared.push(`${statement.id.name}=(${text})`);
    else rest.push(text);
  }
  const variables = declared.length === 0 ? [] : [`var ${declared.join(",")};`];
  return [...imports, ...variables, ...rest, ""].join("\n");
}

/** Finds arrow functions and function expressions below `at`. A method can't be put in parentheses; functions inside it can. */
function findExpressions(at: Syntax, found: Syntax[], isMethod = false): void {
  const isFunction = at.type === "ArrowFunctionExpression" || at.type === "FunctionExpression";
  if (isFunction && !isMethod) found.push(at);
  for (const [key, value] of Object.entries(at))
    for (const child of Array.isArray(value) ? value : [value])
      if (isSyntax(child)) findExpressions(child, found, key === "value" && holdsMethod(at));
}

function holdsMethod(at: Syntax): boolean {
  if (at.type === "MethodDefinition") return true;
  return at.type === "Property" && (Reflect.get(at, "method") === true || Reflect.get(at, "kind") !== "init");
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function withParentheses(code: string, functions: readonly Syntax[]): (part: Syntax) => string {
  const marks = functions
    .flatMap(({ start, end }) => [
      { at: start, mark: "(" },
      { at: end, mark: ")" },
    ])
    .toSorted((a, b) => a.at - b.at);
  return ({ start, end }) => {
    const pieces: string[] = [];
    let from = start;
    for (const { at, mark } of marks) {
      const isInside = mark === "(" ? at >= start && at < end : at > start && at <= end;
      if (!isInside) continue;
      pieces.push(code.slice(from, at), mark);
      from = at;
    }
    return pieces.join("") + code.slice(from, end);
  };
}
