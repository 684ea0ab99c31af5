/** Turns diagnostics of a tool into findings: those on lines that the change added, in our words and severities. */
import { ignoreReason, noteMissingReason } from "../review/floor/lines/ignore-comment.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { AnalyserName } from "./analyser.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { FileToAnalyse } from "./analysers.ts";
import { disabledIn } from "./disable-comments.ts";
import type { Diagnostic } from "./engine.ts";

/** A longer quote no longer points to a specific place. */
const MAX_QUOTE_LINES = 10;

/** A place of this many lines counts as changed if any of them is. In a longer one only the first line says what changed. */
const MAX_PLACE_LINES = 4;

/** An added line this far above a certain problem is its cause, and a diff still shows both. */
const MAX_LINES_BELOW_CAUSE = 3;

/** Per file. Judging makes one comment of them. */
const MAX_HITS_PER_RULE = 20;

/** The share of correct diagnostics that every row of a table must have. */
const CONFIDENCE = 0.95;

export type CheckedFile = {
  readonly file: FileToAnalyse & { readonly text: string };
  readonly diagnostics: readonly Diagnostic[];
};

export function toFindings(
  name: AnalyserName,
  rules: ReadonlyMap<string, AnalyserRule>,
  { file, diagnostics }: CheckedFile,
): readonly Finding[] {
  const lines = file.text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const disabledBecause = disabledIn(name, lines);
  const perRule = new Map<AnalyserRule, number>();
  return diagnostics.flatMap((diagnostic) => {
    const rule = rules.get(diagnostic.rule);
    if (rule === undefined || !isWanted(name, rule, file)) return [];
    const { message } = diagnostic;
    if (rule.accepts?.({ message, line: lines[diagnostic.line - 1] ?? "" }) === false) return [];
    const place = placeOf(diagnostic, rule, file);
    const sameRule = perRule.get(rule) ?? 0;
    if (place === null || sameRule >= MAX_HITS_PER_RULE) return [];
    perRule.set(rule, sameRule + 1);
    const ignoredBecause =
      ignoreReason(lines[place.line - 2] ?? null, `${name}/${rule.id}`) ??
      disabledBecause({ rule: rule.id, ...place });
    const hit = { rule, place, ignoredBecause, message };
    return [toFinding(name, hit, file, lines)];
  });
}

type Place = Pick<Diagnostic, "line" | "endLine">;

type Hit = {
  readonly rule: AnalyserRule;
  readonly place: Place;
  readonly ignoredBecause: string | null;
  readonly message: string;
};

function isWanted(
  name: AnalyserName,
  { id, inTests }: AnalyserRule,
  { isTest, config }: FileToAnalyse,
): boolean {
  const own = config.analysers[name];
  if (isTest && inTests === false) return false;
  if (own === "off" || (own !== "on" && own.ignore.includes(id))) return false;
  return config.floor.enabled && config.floor.rules[`${name}/${id}`] !== "off";
}

/** The place to report; null when the change didn't cause the problem. */
function placeOf(
  { line, endLine, related = [] }: Diagnostic,
  { isCertainAnywhere }: AnalyserRule,
  { added }: FileToAnalyse,
): Place | null {
  const isAdded = (each: number): boolean => added.has(each);
  const span = Math.min(endLine - line + 1, MAX_PLACE_LINES);
  const isShort = endLine - line < MAX_PLACE_LINES;
  const place = { line, endLine };
  if (isAdded(line) || (isShort && range(line, span).some(isAdded))) return place;
  if (isCertainAnywhere !== true) return null;
  const other = related.find(isAdded);
  if (other !== undefined) return { line: other, endLine: other };
  return range(line - MAX_LINES_BELOW_CAUSE, MAX_LINES_BELOW_CAUSE).some(isAdded) ? place : null;
}

function range(start: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => start + index);
}

function toFinding(
  name: AnalyserName,
  { rule, place, ignoredBecause, message }: Hit,
  { path, config }: FileToAnalyse,
  lines: readonly string[],
): Finding {
  const id = `${name}/${rule.id}`;
  const setting = config.floor.rules[id];
  return {
    title: typeof rule.title === "string" ? rule.title : rule.title(message),
    body: `${rule.why}${noteMissingReason(lines[place.line - 2] ?? null, id)}\n\n${rule.fix}`,
    severity: setting === undefined || setting === "on" || setting === "off" ? rule.severity : setting,
    category: rule.category,
    path,
    quote: lines.slice(place.line - 1, Math.min(place.endLine, place.line - 1 + MAX_QUOTE_LINES)).join("\n"),
    lineHint: place.line,
    sideHint: "new",
    suggestion: null,
    confidence: CONFIDENCE,
    evidence: [],
    source: "analyser",
    rule: id,
    pass: "floor",
    ignoredBecause,
    ...(rule.dependsOnPlace === true ? { isExisting: false } : {}),
  };
}
