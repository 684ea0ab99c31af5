/**
 * Reports a file that a change broke: it parsed before and doesn't any more, or it is new and doesn't parse. Linters report that of
 * JavaScript, Python and shell scripts. Texts that are templates, and files that tests need to be broken, are left out.
 */
import { isSample } from "../../base/path-kinds.ts";
import { removalGaps } from "../../review/change/walk-hunks.ts";
import type { SyntaxLanguage } from "../../syntax/syntax.ts";
import type { FileTexts, FileView, RuleMatch, TextRule } from "../rule.ts";
import { findCodeFault } from "../syntax/code-fault.ts";

const CODE_LANGUAGES: ReadonlySet<string> = new Set([
  "go",
  "java",
  "rust",
  "csharp",
  "ruby",
  "php",
  "css",
] satisfies readonly SyntaxLanguage[]);

const DATA_LANGUAGES: ReadonlySet<string> = new Set(["json", "yaml", "toml", "xml"]);

/** Text that a program replaces before anything parses the file. GitHub's expressions are values of YAML. */
const TEMPLATE = /(?<!\$)\{\{|\{%|<%|^\s*[%@](?:if|for|end)\b|@@\w+@@|^\s*#(?:if|else|end)/m;
const TEMPLATE_PATH =
  /(?:^|\/)(?:templates?|charts?|cookiecutter[^/]*|skeletons?|scaffold\w*|stubs?)\/|\{\{|\.(?:tmpl|tpl|j2|erb|in|dist|sample|example)(?:\.|$)/i;

/** Of data, in the line of the error and outside of texts: `@A@`, `%A%`, `${A}`, `$A`, `__A__`, and FreeMarker's `<#if`. */
const PLACEHOLDER = /@\w+@|(?<![\w%])%[A-Z_]{2,}%|\$\{|\$[A-Z_]{2,}|__[A-Z][A-Z_]*__|<\/?#[a-z]/;
const TEXT = /"(?:[^"\\\n]|\\.)*"/g;

/** In the line of the error: JSON5, Hjson and what programs write that know more numbers than JSON. */
const OTHER_JSON = /^\s*[{,]?\s*[A-Za-z_$][\w$]*\s*:|[{[:,]\s*(?:'|[+.]\d|-?(?:NaN|Infinity)\b)|^\s*#/;

/** The rest of the file is data for the program. */
const PHP_DATA = /__halt_compiler\s*\(/i;

/** Another rule reports it. */
const CONFLICT = /^<{7} \S/m;

const BROKEN_ON_PURPOSE = /broken|invalid|malformed|corrupt|unparsable|bad|error|fail|wrong|syntax|parse/i;

/** Readers of these accept comments and commas before a closing bracket. */
const WITH_COMMENTS =
  /(?:^|\/)(?:(?:ts|js)config[^/]*\.json|\.[\w.-]+|(?:turbo|nx|deno|biome|wrangler|renovate|api-extractor|language-configuration|angular|devcontainer|settings|launch|tasks|keybindings)\.json)$|\.(?:jsonc|json5|code-workspace|code-snippets)$|(?:^|\/)\.(?:vscode|devcontainer)\//i;
/** Its text is a path. */
const SYMLINK = "120000";

/** One value per line. */
const JSON_LINES = /\.(?:jsonl|ndjson)$/i;

const COMMENT_OR_COMMA = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|,(?=\s*[}\]])/g;

export const doesNotParse: TextRule = {
  kind: "text",
  id: "does-not-parse",
  title: "Syntax error: the file no longer parses",
  severity: "must-fix",
  proof: "unparsable",
  category: "correctness",
  why: "Whatever reads the file stops there with an error.",
  fix: "Correct the syntax, and let a parser read the whole file once.",
  isFor({ path, language, category, file }) {
    if (!CODE_LANGUAGES.has(language) && !DATA_LANGUAGES.has(language)) return false;
    if (file.newMode === SYMLINK || JSON_LINES.test(path) || TEMPLATE_PATH.test(path)) return false;
    if (file.status !== "added") return true;
    return category !== "test" && !isSample(path) && !BROKEN_ON_PURPOSE.test(path);
  },
  *check(view, texts) {
    const { after, before } = texts;
    if (after.trim() === "" || TEMPLATE.test(after) || CONFLICT.test(after)) return;
    if (view.language === "php" && PHP_DATA.test(after)) return;
    const fault = CODE_LANGUAGES.has(view.language) ? codeFault(view, texts) : dataFault(view, texts);
    if (fault === null) return;
    const { line, words } = fault;
    const title = `Syntax error: the file ${before === null ? "doesn't parse" : "no longer parses"}`;
    const said = words === "" ? "" : `: ${words}`;
    yield { ...placeFor(view, line), title, detail: `The parser stops at line ${line}${said}.` };
  },
};

type Fault = { readonly line: number; readonly words: string };

function codeFault({ language }: FileView, { before, after, parse }: FileTexts): Fault | null {
  const grammar = language as SyntaxLanguage;
  const tree = parse(grammar, after);
  if (tree === null) return null;
  const earlier = before === null ? null : parse(grammar, before);
  // Without a tree of the earlier text nothing shows that the grammar knows this code.
  return before !== null && earlier === null ? null : findCodeFault(grammar, earlier, tree);
}

function dataFault({ path, language }: FileView, { before, after, findFault }: FileTexts): Fault | null {
  const fault = findFault?.(after) ?? null;
  if (fault === null || findFault === null) return null;
  const line = (after.split("\n", fault.line)[fault.line - 1] ?? "").replaceAll(TEXT, "");
  if (PLACEHOLDER.test(line)) return null;
  const isStrict = before !== null && findFault(before) === null;
  if (language !== "json") return isStrict || before === null ? fault : null;
  if (isStrict && !WITH_COMMENTS.test(path)) return fault;
  if (before === null && (OTHER_JSON.test(line) || isJsonLines(after))) return null;
  // Comments and last commas are no fault where they always were, or where they are usual.
  if (before !== null && findFault(withoutComments(before)) !== null) return null;
  return findFault(withoutComments(after));
}

/** Several values, one per line, whatever the name of the file says. */
function isJsonLines(text: string): boolean {
  try {
    const values = text.trim().split("\n");
    for (const value of values) JSON.parse(value);
    return values.length > 1;
  } catch {
    return false;
  }
}

/** Lines stay where they are. */
function withoutComments(text: string): string {
  return text.replaceAll(
    COMMENT_OR_COMMA,
    (all: string, quoted?: string) => quoted ?? all.replaceAll(/[^\n]/g, " "),
  );
}

/** A parser can stop in the empty lines before the mistake. */
const MAX_LINES_AFTER_STOP = 2;

/** The line itself if the change added it; otherwise the last change above it or just below, where the cause is. */
function placeFor({ added, file }: FileView, line: number): Pick<RuleMatch, "line" | "also" | "missingIn"> {
  const before = added.findLast((each) => each.line <= line)?.line;
  const below = added.find((each) => each.line > line && each.line - line <= MAX_LINES_AFTER_STOP)?.line;
  const isNear = before !== undefined && line - before <= MAX_LINES_AFTER_STOP;
  const above = (isNear ? before : (below ?? before)) ?? added[0]?.line;
  const gaps = removalGaps(file);
  const gap = gaps.findLast((each) => each <= line) ?? gaps[0];
  const isGap = gap !== undefined && (above === undefined || (gap > above && gap <= line));
  if (isGap) return { line, missingIn: { line: gap, endLine: gap + 1 } };
  return { line, also: above === undefined ? [] : [above] };
}
