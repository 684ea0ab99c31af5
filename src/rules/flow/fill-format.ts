/** Inserts values into a format string: `%s`, `{}` and `{name}`. A verb that prints only numbers leaves no hole. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { HARMLESS, textValue, type Value } from "./value.ts";

const PERCENT = /%(?:\((\w+)\)|\[\d+\]|\d+\$)?[-+ #0]{0,3}[\d*]{0,4}(?:\.\d{1,4})?([a-zA-Z%])/g;
const BRACE = /\{([^{}]{0,60})\}/g;
const NUMBER_VERB = /^[diufFegxXobct%]$/;

/** The values in order of their appearance, with the text between them. */
export function fillFormat(
  format: string,
  style: "percent" | "brace",
  values: readonly SyntaxNode[],
  evaluate: (node: SyntaxNode) => Value,
  nameValue: (name: string) => Value | null,
): Value[] {
  const filled: Value[] = [];
  let last = 0;
  let used = 0;
  for (const match of format.matchAll(style === "percent" ? PERCENT : BRACE)) {
    filled.push(textValue(format.slice(last, match.index)));
    last = match.index + match[0].length;
    if (style === "percent" && NUMBER_VERB.test(match[2] ?? "")) {
      if (match[2] === "%") filled.push(textValue("%"));
      else used++;
      if (match[2] !== "%") filled.push(HARMLESS);
      continue;
    }
    const key = /^\w*/.exec(match[1] ?? "")?.[0] ?? "";
    const isPosition = key === "" || /^\d+$/.test(key);
    const at = key === "" ? used++ : Number(key);
    const node = isPosition ? values[at] : keyword(values, key);
    const value = node === undefined ? nameValue(key) : evaluate(node);
    filled.push(value ?? (values[0] === undefined ? textValue("x") : evaluate(values[0])));
  }
  filled.push(textValue(format.slice(last)));
  return filled;
}

function keyword(values: readonly SyntaxNode[], name: string): SyntaxNode | undefined {
  return values.find(
    (value) => value.kind() === "keyword_argument" && value.namedChildren()[0]?.text() === name,
  );
}
