/** A variable in a GraphQL operation that its first line doesn't declare, in GraphQL files and in texts of other languages. */
import { nearest } from "../../base/nearest.ts";
import { nameOr, type RuleMatch, type TextRule } from "../rule.ts";

/** `query Name($id: ID!) {`; the first group has the declarations. */
const OPERATION =
  /\b(?:query|mutation|subscription)\s+(?:\w{1,100}\s*)?\(\s*(\$[^(){}]{1,2000})\)[^(){}`"']{0,200}\{/g;

/** A longer operation isn't read. */
const MAX_CHARS = 8_000;

/** Their variables look like those of GraphQL. */
const OWN_DOLLAR: ReadonlySet<string> = new Set(["php", "bash", "markdown"]);

/** The end of the braces that are open before `start`; -1 if the text ends first, or the literal does. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length && at - start < MAX_CHARS; at++) {
    const char = text.charAt(at);
    if (char === "`") return -1;
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at;
  }
  return -1;
}

function linesIn(text: string, from: number, to: number): number {
  return text.slice(from, to).split("\n").length - 1;
}

export const graphqlVariable: TextRule = {
  kind: "text",
  id: "graphql-variable",
  title: "Undeclared variable in a GraphQL operation",
  severity: "medium",
  category: "correctness",
  why: "A server refuses the whole operation, because its variables must be declared in its first line.",
  fix: "Declare the variable, or use the name that is declared.",
  isFor: ({ addedText, category, language }) =>
    category !== "test" && !OWN_DOLLAR.has(language) && /\$[A-Za-z_]/.test(addedText),
  *check(_file, { after }): Iterable<RuleMatch> {
    let [first, read] = [1, 0];
    for (const { 0: head, 1: declarations = "", index } of after.matchAll(OPERATION)) {
      first += linesIn(after, read, index);
      read = index;
      const start = index + head.length;
      const end = closingBrace(after, start);
      if (end === -1) continue;
      const declared = [...declarations.matchAll(/\$(\w{1,100})\s*:/g)].map(([, name]) => name ?? "");
      const body = after.slice(start, end).replaceAll(/#[^\n]*/g, (comment) => " ".repeat(comment.length));
      const used = [...body.matchAll(/(?<![\w$\\{])\$([A-Za-z_]\w{0,100})/g)];
      const unknown = used.find(([, name = ""]) => !declared.includes(name));
      const name = unknown?.[1];
      if (unknown === undefined || name === undefined || declared.length === 0) continue;
      const last = first + linesIn(after, index, start);
      const unused = declared.filter((one) => !used.some(([, other]) => other === one));
      const meant = unused.length === 1 ? unused[0] : nearest(name, declared);
      yield {
        line: last + linesIn(after, start, start + unknown.index),
        also: Array.from({ length: last - first + 1 }, (_, at) => last - at),
        title: `Undeclared variable: ${nameOr(`$${name}`, "one")} isn't in the first line of the operation`,
        ...(meant !== undefined && meant !== null && { detail: `\`$${meant}\` is.` }),
      };
    }
  },
};
