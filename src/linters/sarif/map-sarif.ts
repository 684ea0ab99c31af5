/** Turns the results of a SARIF file into findings about the change. Every result is a finding or counted with the reason. */
import { severityRank } from "../../base/severity.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import { ignoreReason, noteMissingReason } from "../../review/findings/ignore-comment.ts";
import { describeResult, describeSecret, readMessage } from "./describe-result.ts";
import { gradeResult } from "./grade-result.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "./json-values.ts";
import type { SarifLog } from "./parse-sarif.ts";
import {
  changedPart,
  type LineFix,
  type LineRange,
  linesOfRegion,
  quoteOf,
  type ShownFile,
  shownFileOf,
  wholeLineFix,
} from "./place-result.ts";
import { type PathContext, resolvePath } from "./resolve-path.ts";
import { resolveRule, type ToolRules, toolRulesOf } from "./resolve-rule.ts";

/** A person reads no more, and each finding is searched for in the change. */
const MAX_FINDINGS = 1_000;

/** A result with more locations lists the places of one problem; the first on a changed line is enough. */
const MAX_LOCATIONS = 20;

const MAX_REASON_CHARS = 300;

export type SarifContext = Pick<PathContext, "roots" | "folder"> & { readonly change: Change };

/** Why a result isn't a finding. */
type Skip = keyof SarifReport["skipped"];

export function mapSarif({ name, runs }: SarifLog, { change, roots, folder }: SarifContext): SarifReport {
  const files = new Map(
    change.files.filter(({ status }) => status !== "deleted").map((file) => [file.path, file]),
  );
  const shown = new Map<string, ShownFile>();
  const paths: PathContext = { roots, folder, isChanged: (path) => files.has(path) };
  const mapping: Mapping = { files, shown, paths, seen: new Set() };
  const skipped: Record<Skip, number> = { ...NONE };
  const findings: Finding[] = [];
  for (const run of runs) {
    const tool = toolRulesOf(run);
    for (const result of listOf(run["results"])) {
      const mapped = mapResult(objectOf(result), { run, tool }, mapping);
      if (typeof mapped === "string") skipped[mapped]++;
      else findings.push(mapped);
    }
  }
  const kept = findings.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
  skipped.overLimit = Math.max(0, kept.length - MAX_FINDINGS);
  return {
    file: name,
    tools: distinctTools(runs.map(toolRulesOf)),
    results: runs.reduce((sum, run) => sum + listOf(run["results"]).length, 0),
    findings: kept.slice(0, MAX_FINDINGS),
    skipped,
  };
}

const NONE: Readonly<Record<Skip, number>> = {
  unchanged: 0,
  unmapped: 0,
  withoutLine: 0,
  passed: 0,
  known: 0,
  repeated: 0,
  overLimit: 0,
};

type Mapping = {
  readonly files: ReadonlyMap<string, ChangedFile>;
  /** Filled on demand: most files have no result. */
  readonly shown: Map<string, ShownFile>;
  readonly paths: PathContext;
  /** Fingerprints of the results so far. */
  readonly seen: Set<string>;
};

type RunOfTool = { readonly run: JsonObject; readonly tool: ToolRules };

function mapResult(result: JsonObject, { run, tool }: RunOfTool, mapping: Mapping): Finding | Skip {
  const kind = stringOf(result["kind"]);
  if (kind !== "" && kind !== "fail") return "passed";
  const baseline = stringOf(result["baselineState"]);
  if (baseline === "unchanged" || baseline === "absent") return "known";
  const place = placeOf(result, run, mapping);
  if (typeof place === "string") return place;
  const rule = resolveRule(result, tool);
  if (isRepeated(result, `${rule.id}\0${place.file.path}`, mapping)) return "repeated";
  const message = readMessage(result, rule);
  const { severity, category, confidence, isSecret } = gradeResult(result, rule, message);
  const { title, body } = isSecret ? describeSecret(rule, tool) : describeResult(message, rule, tool);
  const { lines, file, fix } = place;
  const before = lines === null ? null : (file.lines.get(lines.start - 1)?.text ?? null);
  return {
    title,
    body: `${body}${noteMissingReason(before, rule.id)}`,
    severity,
    category,
    path: file.path,
    quote: lines === null ? "" : quoteOf(lines, file),
    lineHint: lines?.start ?? null,
    sideHint: "new",
    suggestion: fix?.replacement ?? null,
    confidence,
    evidence: [`reported by ${tool.name}${tool.version === null ? "" : ` ${tool.version}`}`],
    source: "sarif",
    rule: rule.id,
    pass: "sarif",
    ...(isSecret ? { isSecret } : {}),
    // `kodiai-ignore-next-line semgrep/rule -- reason` works as for built-in rules.
    ignoredBecause: suppressedBecause(result, tool) ?? ignoreReason(before, rule.id),
  };
}

type Place = {
  readonly file: ShownFile;
  /** Null for a result about a whole new file. */
  readonly lines: LineRange | null;
  readonly fix: LineFix | null;
};

/** The first location on a changed line. Without one, the reason of the location that came closest. */
function placeOf(result: JsonObject, run: JsonObject, mapping: Mapping): Place | Skip {
  const reasons = new Set<Skip>();
  for (const location of listOf(result["locations"]).slice(0, MAX_LOCATIONS)) {
    const physical = objectOf(objectOf(location)["physicalLocation"]);
    const place = placeAt(physical, run, mapping);
    if (typeof place === "string") reasons.add(place);
    else return withFix(place, result, { run, mapping });
  }
  return (
    (["unchanged", "withoutLine", "unmapped"] as const).find((each) => reasons.has(each)) ?? "withoutLine"
  );
}

function placeAt(physical: JsonObject, run: JsonObject, mapping: Mapping): Place | Skip {
  const path = resolvePath(objectOf(physical["artifactLocation"]), run, mapping.paths);
  if (path === null) return "unmapped";
  const file = shownFile(path, mapping);
  if (file === null) return "unchanged";
  const region = objectOf(physical["region"]);
  const range = linesOfRegion(region);
  if (range === null) {
    const isAboutFile = Object.keys(region).length === 0;
    return isAboutFile && file.isNew ? { file, lines: null, fix: null } : "withoutLine";
  }
  const lines = changedPart(range, file);
  if (lines === null) return "unchanged";
  return quoteOf(lines, file).trim() === "" ? "withoutLine" : { file, lines, fix: null };
}

function shownFile(path: string, { files, shown }: Mapping): ShownFile | null {
  const file = files.get(path);
  if (file === undefined) return null;
  const known = shown.get(path) ?? shownFileOf(file);
  shown.set(path, known);
  return known;
}

/** A fix may replace more lines than the result is about; the finding is then about those. */
function withFix(
  place: Place,
  result: JsonObject,
  { run, mapping }: { readonly run: JsonObject; readonly mapping: Mapping },
): Place {
  const { lines, file } = place;
  const fix = wholeLineFix(result, file, (location) => resolvePath(location, run, mapping.paths));
  const isHere =
    fix !== null && lines !== null && fix.lines.start <= lines.start && fix.lines.end >= lines.end;
  return isHere ? { file, lines: fix.lines, fix } : place;
}

/** Fingerprints that identify a result. Gitleaks and others put facts about the commit next to them. */
const IDENTIFYING = /^(?:primaryLocationLineHash|matchBasedId|kodiai)\b/;

/** True for a result that another run or another part of the file has reported already. */
function isRepeated(result: JsonObject, subject: string, { seen }: Mapping): boolean {
  const fingerprints = { ...objectOf(result["partialFingerprints"]), ...objectOf(result["fingerprints"]) };
  const name = Object.keys(fingerprints).find((each) => IDENTIFYING.test(each));
  const value = name === undefined ? "" : stringOf(fingerprints[name]);
  if (value === "") return false;
  const key = `${subject}\0${name}\0${value}`;
  return seen.has(key) || !seen.add(key);
}

/** A result is suppressed unless one of its suppressions is rejected or still under review. */
function suppressedBecause(result: JsonObject, { name }: ToolRules): string | null {
  const suppressions = listOf(result["suppressions"]).map(objectOf);
  const isAccepted = (each: JsonObject) => ["", "accepted"].includes(stringOf(each["status"]));
  if (suppressions.length === 0 || !suppressions.every(isAccepted)) return null;
  const reason = suppressions
    .map((each) => stringOf(each["justification"]))
    .find((each) => each.trim() !== "");
  const cleaned = reason?.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return `suppressed in ${name}${cleaned === undefined ? "" : `: ${cleaned.slice(0, MAX_REASON_CHARS)}`}`;
}

function distinctTools(tools: readonly ToolRules[]): SarifReport["tools"] {
  const distinct = new Map(tools.map(({ name, version }) => [`${name}\0${version}`, { name, version }]));
  return [...distinct.values()];
}
