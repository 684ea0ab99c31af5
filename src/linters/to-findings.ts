/** Turns diagnostics of a tool into findings: those on lines that the change added, in our words and severities. */
import { describeRest } from "../review/findings/describe-rest.ts";
import { ignoreReason, noteMissingReason } from "../review/findings/ignore-comment.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { AnalyserName } from "./analyser.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { FileToAnalyse } from "./analysers.ts";
import { disabledIn } from "./disable-comments.ts";
import type { Diagnostic } from "./engine.ts";
import { type CausedPlace, causedPlace } from "./caused-place.ts";

/** A longer quote no longer points to a specific place. */
const MAX_QUOTE_LINES = 10;

/** Per file. Judging makes one comment of them, which names the lines of the others. */
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
  const hits = diagnostics.flatMap((diagnostic): readonly Hit[] => {
    const rule = rules.get(diagnostic.rule);
    if (rule === undefined || !isWanted(name, rule, file)) return [];
    const { message } = diagnostic;
    const [line = "", next = ""] = lines.slice(diagnostic.line - 1, diagnostic.line + 1);
    if (rule.accepts?.({ message, line, next, text: file.text, from: diagnostic.line }) === false) return [];
    const place = causedPlace(diagnostic, rule, file.added);
    if (place === null) return [];
    const ignoredBecause =
      ignoreReason(lines[place.line - 2] ?? null, `${name}/${rule.id}`) ??
      disabledBecause({ rule: rule.id, ...place });
    return [{ rule, place, ignoredBecause, message }];
  });
  // Ignored ones are grouped separately, so they don't displace others.
  const groups = Map.groupBy(hits, ({ rule, ignoredBecause }) => `${rule.id} ${ignoredBecause === null}`);
  return [...groups.values()].flatMap((group) => {
    const rest = group.slice(MAX_HITS_PER_RULE).map(({ place }) => place.line);
    return group
      .slice(0, MAX_HITS_PER_RULE)
      .map((hit, index) => toFinding(name, hit, { file, lines, rest: index === 0 ? rest : [] }));
  });
}

type Hit = {
  readonly rule: AnalyserRule;
  readonly place: CausedPlace;
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

type Around = {
  readonly file: FileToAnalyse;
  readonly lines: readonly string[];
  /** Lines with the same problem that have no finding of their own. */
  readonly rest: readonly number[];
};

function toFinding(
  name: AnalyserName,
  { rule, place, ignoredBecause, message }: Hit,
  { file: { path, config }, lines, rest }: Around,
): Finding {
  const id = `${name}/${rule.id}`;
  const setting = config.floor.rules[id];
  return {
    title: typeof rule.title === "string" ? rule.title : rule.title(message),
    body: `${rule.why}${describeRest(rest)}${noteMissingReason(lines[place.line - 2] ?? null, id)}\n\n${rule.fix}`,
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
    ...(rule.proof === undefined ? {} : { proof: rule.proof }),
    ...(rule.dependsOnPlace === true ? { isExisting: false } : {}),
  };
}
