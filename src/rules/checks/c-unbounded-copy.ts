/**
 * Copies into a fixed buffer without a bounds check. Only text from outside the function counts, and only when the
 * function never checks its length.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type CCall, cCallsIn, type CFunction, createFunctionLookup } from "../syntax/c-declarations.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

const NAMES: ReadonlySet<string> = new Set([
  "gets",
  "scanf",
  "fscanf",
  "strcpy",
  "strcat",
  "sprintf",
  "vsprintf",
]);
/** `%s` or `%[…]` with neither a width nor the star that discards the value. */
const UNBOUNDED_SCAN = /%(?:l|h)?(?:s|\[)/;
/** `%s` without a precision. */
const UNBOUNDED_PRINT = /%-?\d*s/;

type Copy = Pick<RuleMatch, "detail" | "severity">;

function copyOf(
  { node, name, args }: CCall,
  functionAround: (node: SyntaxNode) => CFunction | null,
): Copy | null {
  if (name === "gets") return args.length === 1 ? { detail: "`gets` doesn't limit the input length." } : null;
  if (name === "scanf" || name === "fscanf") {
    const format = args[name === "scanf" ? 0 : 1];
    if (format === undefined || !isText(format) || !UNBOUNDED_SCAN.test(format.text())) return null;
    return {
      detail: `\`${name}\` has no field width here, so the input length is unlimited.`,
      severity: "must-fix",
    };
  }
  const [target, source] = args;
  if (target?.kind() !== "identifier" || source === undefined) return null;
  const around = functionAround(node);
  if (around === null || around.declarationOf(target.text())?.isArray !== true) return null;
  if (name === "vsprintf")
    return { detail: `The formatted output can be longer than \`${target.text()}\`.`, severity: "major" };
  const sources = name === "sprintf" ? printedTexts(args) : [source];
  const outside = sources.find(
    (text) =>
      (isOutsideText(text, around) || isReadBuffer(text, target, around)) &&
      !isMeasured(text, target, around),
  );
  if (outside === undefined) return null;
  const detail = `\`${outside.text()}\` can be longer than \`${target.text()}\`.`;
  return isParameter(outside, around) ? { detail, severity: "major" } : { detail };
}

function isText(node: SyntaxNode): boolean {
  return node.kind() === "string_literal" || node.kind() === "concatenated_string";
}

/** The arguments that `%s` of a literal format prints; none when conversions and arguments don't pair up. */
function printedTexts(args: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const format = args[1];
  if (format?.kind() !== "string_literal") return [];
  const conversions =
    format
      .text()
      .replaceAll("%%", "")
      .match(/%[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t)?[a-zA-Z]/g) ?? [];
  const values = args.slice(2);
  if (conversions.length !== values.length || conversions.some((one) => one.includes("*"))) return [];
  return values.filter((_, index) => UNBOUNDED_PRINT.test(conversions[index] ?? ""));
}

/** Program arguments, environment variables, and `char *` parameters of the function. */
function isOutsideText(node: SyntaxNode, around: CFunction): boolean {
  if (node.kind() === "call_expression") return node.field("function")?.text() === "getenv";
  if (node.kind() === "subscript_expression") return node.text().startsWith("argv[");
  if (node.kind() !== "identifier") return false;
  const declared = around.declarationOf(node.text());
  if (isParameter(node, around)) return declared?.stars === 1 && /\bchar$/.test(declared.type);
  return /^getenv\(|^argv\[/.test(declared?.value?.text() ?? "");
}

/** Calls that fill a buffer from a socket, a file or the terminal. */
const READS = "(?:recv|recvfrom|recvmsg|read|fgets|fread|SSL_read|getline|BIO_read|fscanf|scanf)";

/** The size between the brackets of an array, when it is a number. */
function sizeOf(name: string, body: string): number {
  return Number(new RegExp(`(?<=char|t|\\W)${name}\\[(\\d{1,9})\\]`).exec(body)?.[1] ?? Number.NaN);
}

/** True when the text is, or starts inside, a local buffer that was read from outside and doesn't fit into the target. */
function isReadBuffer(node: SyntaxNode, target: SyntaxNode, around: CFunction): boolean {
  const text = node.text().replaceAll(/\s+/g, "");
  let name = /^&?(\w{1,60})(?:\+[\w()]{1,40}|\[[\w+]{1,40}\])?$/.exec(text)?.[1] ?? "";
  const declared = around.declarationOf(name);
  if (declared !== null && declared.stars === 1 && !declared.isParameter)
    name =
      /^(?:\([^()]*\))?(?:(?:strtok(?:_r)?|strchr|strstr|strrchr)\()?(\w{1,60})\b/.exec(
        declared.value?.text().replaceAll(/\s+/g, "") ?? "",
      )?.[1] ?? "";
  if (name === "" || around.declarationOf(name)?.isArray !== true) return false;
  const body = around.squeezed();
  if (!new RegExp(`(?<![\\w.>])${READS}\\([^;]{0,120}\\b${name}\\b`).test(body)) return false;
  const [from, to] = [sizeOf(name, body), sizeOf(target.text(), body)];
  return !Number.isNaN(to) && !(from <= to);
}

function isParameter(node: SyntaxNode, around: CFunction): boolean {
  return node.kind() === "identifier" && around.declarationOf(node.text())?.isParameter === true;
}

/** True when the function uses the length of the text or the size of the buffer anywhere. */
function isMeasured(source: SyntaxNode, target: SyntaxNode, around: CFunction): boolean {
  const body = around.squeezed();
  const name = source.text().replaceAll(/\s+/g, "");
  return (
    body.includes(`len(${name}`) ||
    body.includes(`sizeof(${target.text()}`) ||
    body.includes(`sizeof${target.text()}`)
  );
}

export const cUnboundedCopy: TreeRule = {
  kind: "tree",
  id: "c-unbounded-copy",
  title: "Possible buffer overflow: unbounded copy",
  severity: "critical",
  category: "security",
  why: "Input longer than the buffer overwrites adjacent memory. That crashes the program or lets an attacker run code.",
  fix: "Use a bounded variant (`fgets`, `snprintf`, `%63s`) and handle truncation.",
  languages: ["c", "cpp"],
  trigger: /\b(?:gets|f?scanf|strcpy|strcat|sprintf)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const call of cCallsIn(root, NAMES)) {
      const copy = copyOf(call, functionAround);
      if (copy !== null) yield { line: call.node.range().start.line + 1, ...copy };
    }
  },
};
