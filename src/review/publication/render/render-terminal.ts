/**
 * The review for a person at a terminal: findings under their code, then the verdict with its details. Text of the
 * repository is printed only after its control characters are made visible.
 */
import { printable } from "../../../base/printable.ts";
import { isAtLeast, SEVERITIES, SEVERITY_LABELS, type Severity } from "../../../base/severity.ts";
import { adviseRest } from "../compose/advise-failure.ts";
import { alsoReported, nameOfReporter, otherLineOf, wordsOfReport } from "../also-reported.ts";
import { createPaint, type Paint } from "./ansi.ts";
import { chooseSpread } from "../../findings/choose-spread.ts";
import { type Explained, explainOnce, needsExplanation } from "../explain-once.ts";
import { ruleUrl } from "./links.ts";
import { describeContents } from "../describe-contents.ts";
import { describeLeftOut } from "../compose/describe-left-out.ts";
import { describePass } from "../compose/describe-pass.ts";
import {
  describeInForce,
  describeLearning,
  describeSimilar,
  describeTaught,
  placeOfSimilar,
} from "../describe-memory.ts";
import type { CheckGap } from "../../findings/check-gap.ts";
import type { HiddenFinding, ResolvedFinding } from "../../findings/settle-prior.ts";
import type { OpenFinding, Publication, PublishedFinding, Verdict } from "../publication.ts";
import { renderDependencySections } from "./terminal-dependencies.ts";
import { renderCodeFrame } from "./render-code-frame.ts";
import { cutToWidth, displayWidth, heading, indent, wrapLine, wrapProse } from "./terminal-text.ts";
import { count, grouped } from "../../../base/count.ts";
import {
  describeAnalyser,
  describeCoverage,
  describeDropped,
  describeMode,
  describeModelNote,
  describeSarif,
  describeScope,
  describeUsage,
  isReadByRulesAlone,
  pathsOfGap,
  whyRulesAlone,
  withAdvice,
} from "../describe-details.ts";
import { describeVerification, type WithdrawnFinding, withdrawnOf } from "../describe-verification.ts";
import { noteOpen, placeOf, sectionUnplaced } from "../group-findings.ts";
import {
  countReadFiles,
  countSeverities,
  describeAmount,
  describeGap,
  describeReviewer,
  listOmissions,
  listSkimmed,
  type ReceiptLines,
  modelPasses,
  partPrefix,
  unshownOf,
} from "../words.ts";

export type PageOptions = {
  readonly color: boolean;
  readonly width: number;
  /** Shows at most this many findings. Omitted: all. */
  readonly max?: number;
  /** Shows findings of earlier reviews in full although there are new ones. Omitted: only when nothing is new. */
  readonly isAll?: boolean;
};

/** Wider prose is hard to read; a narrower page can't hold a code frame. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;

/** A longer replacement is opened in an editor. */
const MAX_SUGGESTION_LINES = 12;

/** Notes, problems and degradations are listed up to here each, then counted. */
const MAX_LISTED = 10;

const LABEL_COLUMNS = 12;

/** In the program's package; named when the program has no home page. */
const RULES_FILE = "docs/rules.md";

type Page = {
  readonly paint: Paint;
  readonly width: number;
  readonly codeWidth: number;
  readonly rulesUrl: string;
  /** A note on a finding of an earlier review; null for a new one. */
  readonly noteOf: (finding: PublishedFinding) => string | null;
};

/** "To see an open finding with its code, run kodiai show 3; …". */
function renderHowToSeeMore(stillOpen: readonly OpenFinding[], { paint, width }: Page): string[] {
  const number = stillOpen[0]?.judged.number ?? 1;
  const text = `To see an open finding with its code, run kodiai show ${number}. To see all of them, run kodiai review --all.`;
  return wrapLine(text, width).map(paint.dim);
}

/** One finding of an earlier review with its code, for `kodiai show`. */
export function renderShownFinding(
  published: PublishedFinding,
  options: PageOptions & { readonly rulesUrl: string | null; readonly note: string | null },
): string {
  const page: Page = { ...pageOf(options), noteOf: () => options.note };
  const sections =
    published.anchor === null
      ? renderUnplaced([published], page)
      : renderSeverity(published.severity, [published], page);
  return `${disarm(sections.map((lines) => lines.join("\n")).join("\n\n"))}\n`;
}

function pageOf({
  color,
  width,
  rulesUrl,
}: PageOptions & Pick<Publication, "rulesUrl">): Omit<Page, "noteOf"> {
  return {
    paint: createPaint(color),
    width: Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH),
    codeWidth: Math.max(width, MIN_WIDTH),
    rulesUrl: rulesUrl ?? RULES_FILE,
  };
}

export function renderTerminal(publication: Publication, options: PageOptions): string {
  const { findings, stillOpen, resolved } = publication;
  const { max = Infinity, isAll = false } = options;
  // When nothing is new, the open findings are what there is to see.
  const isOpenWhole = isAll || findings.length === 0;
  const whole = isOpenWhole ? [...findings, ...stillOpen.map(({ judged }) => judged)] : findings;
  const chosen = chooseSpread(whole, Math.min(max, whole.length));
  const shown = whole.filter((finding) => chosen.has(finding));
  const placed = shown.filter(({ anchor }) => anchor !== null);
  const notes = new Map(stillOpen.map((open) => [open.judged.number, noteOpen(open)]));
  const base = pageOf({ ...options, rulesUrl: publication.rulesUrl });
  const page: Page = { ...base, noteOf: ({ number }) => notes.get(number) ?? null };
  const sections = [
    ...SEVERITIES.flatMap((severity) => renderSeverity(severity, placed, page)),
    ...renderUnplaced(
      shown.filter(({ anchor }) => anchor === null),
      page,
    ),
    ...renderRest(
      whole.filter((finding) => !chosen.has(finding)),
      page,
    ),
    ...(isOpenWhole
      ? []
      : renderEarlier("Still open", stillOpen, renderOpen, { page, max: max - chosen.size })),
    ...renderEarlier("Dismissed or accepted", publication.answered, renderOpen, { page, max }),
    ...renderEarlier("Ignored or suppressed", publication.hidden, renderResolution, { page, max }),
    ...renderEarlier("Withdrawn", withdrawnOf(publication.dropped), renderWithdrawn, {
      page,
      max,
    }),
    ...renderEarlier("Resolved", resolved, renderResolution, { page, max }),
    ...renderDependencySections(publication.dependencies, page),
    renderSummary(publication, page),
    ...(isOpenWhole || stillOpen.length === 0 ? [] : [renderHowToSeeMore(stillOpen, page)]),
  ];
  return `${disarm(sections.map((lines) => lines.join("\n")).join("\n\n"))}\n`;
}

/**
 * GitHub's runner executes lines of a workflow's output that start with `::` or contain `##[` as commands. Code and prose
 * under review must not become commands.
 */
function disarm(text: string): string {
  return text.replaceAll(/^( *)::/gm, "$1\\::").replaceAll("##[", "##\\[");
}

const ACCENTS: Readonly<Record<Severity, keyof Paint>> = {
  critical: "boldRed",
  "must-fix": "boldMagenta",
  major: "boldYellow",
  medium: "boldCyan",
  minor: "boldBlue",
};

function accentOf(severity: Severity, paint: Paint): (text: string) => string {
  return paint[ACCENTS[severity]];
}

function renderSeverity(severity: Severity, placed: readonly PublishedFinding[], page: Page): string[][] {
  const findings = placed.filter((finding) => finding.severity === severity);
  if (findings.length === 0) return [];
  const accent = accentOf(severity, page.paint);
  return [
    [heading(SEVERITY_LABELS[severity], findings.length, accent, page)],
    ...explainOnce(findings).map((explained) =>
      [
        renderPlace(explained.item, page),
        [""],
        renderCodeFrame(explained.item, { paint: page.paint, accent, width: page.codeWidth }),
        renderProse(explained, page),
      ].flat(),
    ),
  ];
}

/** Path and line in the form that editors and terminals open, then the facts, on a separate line in a narrow terminal. */
function renderPlace(published: PublishedFinding, { paint, width, noteOf }: Page): string[] {
  const { finding, anchor } = published;
  const place = printable(placeOf(published));
  const removed = anchor?.side === "old" ? ["removed code"] : [];
  const back = published.reopens === undefined ? [] : ["back again"];
  const note = noteOf(published);
  const named = [
    ...removed,
    ...back,
    finding.rule ?? finding.source,
    finding.category,
    ...(note === null ? [] : [note]),
  ];
  const facts = `(${published.number}) ${named.map(printable).join(" · ")}`;
  const isNarrow = displayWidth(place) + displayWidth(facts) + 2 > width;
  return isNarrow ? [paint.bold(place), paint.dim(facts)] : [`${paint.bold(place)}  ${paint.dim(facts)}`];
}

/** Body, suggestion, and notes of the judging rules. */
function renderProse({ item, body, isRepeat }: Explained<PublishedFinding>, page: Page): string[] {
  const { finding, anchor, suggestion, notes } = item;
  const { paint, width } = page;
  const lines = body === "" ? [] : ["", ...indent(wrapProse(body, width - 2))];
  const url = ruleUrl(finding, page);
  if (url !== null && !isRepeat && needsExplanation(item)) lines.push("", `  ${paint.dim(`See ${url}`)}`);
  if (suggestion.kind === "verified") {
    const code = (sign: string, line: string): string =>
      cutToWidth(`${sign} ${printable(line)}`, page.codeWidth - 2);
    const removed = limited(anchor?.lines ?? []).map((line) => paint.red(code("-", line)));
    const added = limited(replacementLines(suggestion.replacement)).map((line) =>
      paint.green(code("+", line)),
    );
    lines.push("", `  ${paint.bold("Suggested change")}`, ...indent([...removed, ...added]));
  }
  if (suggestion.kind === "prose") {
    const why = wrapLine(`Unverified suggestion (${suggestion.reason})`, width - 2);
    lines.push("", ...indent(why.map(paint.bold)), ...indent(wrapProse(suggestion.text, width - 2)));
  }
  const more = [
    ...alsoReported(item).map((report) => {
      const line = otherLineOf(report, item);
      const by = `${nameOfReporter(report)}${line === null ? "" : `, for line ${line}`}`;
      const words = wordsOfReport(report, item);
      return `Also reported by ${by}: ${printable([report.title, ...(words === null ? [] : [words])].join(". "))}`;
    }),
    ...notes.map((note) => `Note: ${note}`),
  ];
  if (more.length > 0)
    lines.push("", ...indent(more.flatMap((line) => wrapLine(line, width - 2)).map(paint.dim)));
  return lines;
}

function replacementLines(replacement: string): string[] {
  return replacement === "" ? [] : replacement.replace(/\r?\n$/, "").split(/\r?\n/);
}

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_SUGGESTION_LINES;
  return rest > 0 ? [...lines.slice(0, MAX_SUGGESTION_LINES), `… ${count(rest, "more line")}`] : [...lines];
}

function renderUnplaced(findings: readonly PublishedFinding[], page: Page): string[][] {
  const { paint, width } = page;
  const sections: string[][] = [];
  for (const { title: label, findings: group } of sectionUnplaced(findings)) {
    if (group.length === 0) continue;
    sections.push([heading(label, group.length, paint.bold, page)]);
    for (const explained of explainOnce(group)) {
      const published = explained.item;
      const accent = accentOf(published.severity, paint);
      const title = `${SEVERITY_LABELS[published.severity]}: ${published.finding.title}`;
      const [quoted] = published.finding.quote.split("\n", 1);
      sections.push([
        ...renderPlace(published, page),
        "",
        ...indent(wrapLine(title, width - 2).map(accent)),
        ...(quoted === undefined || quoted === ""
          ? []
          : indent(wrapLine(`Quoted code: ${quoted.trim()}`, width - 2).map(paint.dim))),
        ...renderProse(explained, page),
      ]);
    }
  }
  return sections;
}

/** Counts the findings that --max leaves out. */
function renderRest(findings: readonly PublishedFinding[], { paint, width }: Page): string[][] {
  if (findings.length === 0) return [];
  const severities = countSeverities(findings.map(({ severity }) => severity));
  const text = `… and ${count(findings.length, "more finding")} (${severities}), not shown because of --max`;
  return [wrapLine(text, width).map(paint.bold)];
}

/** Findings of earlier reviews under their heading, two lines each. */
function renderEarlier<Item>(
  label: string,
  items: readonly Item[],
  render: (item: Item, page: Page) => readonly string[],
  { page, max }: { readonly page: Page; readonly max: number },
): string[][] {
  if (items.length === 0) return [];
  const shown = items.slice(0, max);
  const rest = items.length - shown.length;
  return [
    [
      heading(label, items.length, page.paint.bold, page),
      ...shown.flatMap((item) => render(item, page)),
      ...(rest === 0 ? [] : [page.paint.bold(`… and ${grouped(rest)} more, not shown because of --max`)]),
    ],
  ];
}

/** "(3) Major: Title", and below it where it is now. */
function renderOpen({ judged, prior, place, ...rest }: OpenFinding, page: Page): readonly string[] {
  const { severity, finding } = judged;
  const label = `${SEVERITY_LABELS[severity]}:`;
  const accent = isAtLeast(severity, "major") ? accentOf(severity, page.paint) : page.paint.dim;
  const at = place === null ? prior.path : `${place.path}:${place.startLine}`;
  return renderTwoLines(
    `(${judged.number})`,
    accent(label),
    { title: finding.title, at, note: noteOpen(rest) },
    page,
  );
}

/** "(2) Title", and below it where it was and why it is resolved or hidden. */
function renderResolution(
  { prior, because }: ResolvedFinding | HiddenFinding,
  page: Page,
): readonly string[] {
  return renderTwoLines(`(${prior.number})`, "", { title: prior.title, at: prior.path, note: because }, page);
}

/** The title is wrapped, never cut: it says what is wrong. */
function renderTwoLines(
  number: string,
  label: string,
  { title, at, note }: { readonly title: string; readonly at: string; readonly note: string | null },
  { paint, width }: Page,
): readonly string[] {
  const margin = " ".repeat(displayWidth(number) + 1);
  const [first = "", ...more] = wrapLine(title, width - displayWidth(`${margin}${label} `));
  const place = wrapLine(note === null ? at : `${at}: ${note}`, width - margin.length).map(paint.dim);
  return [
    `${number} ${label === "" ? "" : `${label} `}${first}`,
    ...[...more, ...place].map((line) => `${margin}${line}`),
  ];
}

type Row = readonly [label: string, text: string];

function renderSummary(publication: Publication, page: Page): string[] {
  const { paint, width } = page;
  const { verdict, change, details, findings, stillOpen, resolved } = publication;
  const isRuled =
    findings.length + stillOpen.length + resolved.length > 0 || publication.dependencies !== null;
  const rows: readonly Row[] = [
    ...publication.notices.map((notice): Row => ["Notice", notice]),
    ...listRest(publication),
    ...publication.overview.map(({ pass, text }): Row => ["Summary", `${partPrefix(pass)}${text}`]),
    ["Change", change.description],
    ...listContents(publication),
    ...listScope(publication),
    ...listReceipt(publication),
    ...listed(publication.receipt.gaps.map(describeGapWithPaths)).map((text): Row => ["Not checked", text]),
    ...listVerification(publication),
    ...listDropped(publication),
    ...listed(listMemory(publication)).map((text): Row => ["Memory", text]),
    ...details.analysers.map((report): Row => ["Linters", describeAnalyser(report)]),
    ["Config", details.configOrigin],
    ...details.sarif.map((file): Row => ["SARIF", describeSarif(file)]),
    ...listUsage(publication),
    ...listed(change.notes).map((note): Row => ["Note", note]),
    ...listed(details.configProblems).map((problem): Row => ["Problem", problem]),
    ...listed(publication.degradations.map(describeDegradation)).map((text): Row => ["Degraded", text]),
  ];
  return [
    ...(isRuled ? [paint.dim("─".repeat(width))] : []),
    ...wrapLine(verdict.headline, width).map(accentOfVerdict(verdict, paint)),
    "",
    ...renderRows(rows, page),
  ];
}

function listContents({ overview, change, details }: Publication): Row[] {
  if (overview.length > 0) return [];
  return describeContents(change.contents, details.riskSignals).map((line) => ["Contents", line]);
}

function listRest({ conclusion }: Publication): Row[] {
  const advice = adviseRest(conclusion);
  return advice === null ? [] : [["Next", advice]];
}

/** Labels in a separate column, each printed once for consecutive rows that share it. */
function renderRows(rows: readonly Row[], { paint, width }: Page): string[] {
  return rows.flatMap(([label, text], index) => {
    const shown = rows[index - 1]?.[0] === label ? "" : label;
    return wrapLine(text, width - LABEL_COLUMNS).map(
      (line, lineIndex) => `${paint.dim((lineIndex === 0 ? shown : "").padEnd(LABEL_COLUMNS))}${line}`,
    );
  });
}

function accentOfVerdict({ outcome, highest }: Verdict, paint: Paint): (text: string) => string {
  if (outcome === "clean") return paint.boldGreen;
  if (outcome === "incomplete") return paint.boldYellow;
  return highest === null ? paint.bold : accentOf(highest, paint);
}

function describeGapWithPaths(gap: CheckGap): string {
  const { paths, more } = pathsOfGap(gap);
  const named = [...paths, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(", ");
  return `${describeGap(gap)}${named === "" ? "" : `: ${named}`}`;
}

function listScope(publication: Publication): Row[] {
  const read = describeScope(publication);
  return read === null ? [] : [["Read", read]];
}

function listReceipt({ receipt, details }: Publication): Row[] {
  if (receipt.entries.length === 0) return [];
  const omissions = listOmissions(receipt).map((omission): Row => {
    const named = namePaths(omission);
    const amount = describeAmount(omission);
    return omission.isReadByRules
      ? ["Reviewed", `${amount} by built-in rules only (${whyRulesAlone(omission)}): ${named}`]
      : ["Skipped", `${amount} (${omission.label}): ${named}${withAdvice(omission)}`];
  });
  const read: Row = ["Reviewed", `${describeCoverage(receipt)}, by ${describeReviewer(details)}`];
  const isRead = countReadFiles(receipt).now > 0 && !isReadByRulesAlone(receipt);
  const skimmed = listSkimmed(receipt);
  return [
    ...(isRead ? [read] : []),
    ...(skimmed === null ? [] : [["Skimmed", `${describeAmount(skimmed)}: ${namePaths(skimmed)}`] as const]),
    ...omissions,
    ["Mode", describeMode(details.mode)],
  ];
}

function namePaths({ files, paths }: ReceiptLines): string {
  const rest = files - paths.length;
  return [
    ...paths.map(({ path, part }) => `${printable(path)}${part}`),
    ...(rest > 0 ? [`${grouped(rest)} more`] : []),
  ].join(", ");
}

function listVerification({ verification }: Publication): Row[] {
  return verification === null
    ? []
    : [["Checked", `again by a second reading: ${describeVerification(verification)}`]];
}

function renderWithdrawn(
  { finding, anchor, severity, detail, decidedBy }: WithdrawnFinding,
  { paint, width }: Page,
): string[] {
  const place = printable(placeOf({ finding, anchor }));
  const decided = decidedBy === null ? "" : ` (${decidedBy.path}:${decidedBy.line})`;
  const lines = wrapLine(`${SEVERITY_LABELS[severity]}: ${finding.title}: ${detail}${decided}`, width - 2);
  return [paint.bold(place), ...indent(lines.map(paint.dim))];
}

function listDropped({ dropped: all, findings }: Publication): Row[] {
  const dropped = unshownOf(all);
  if (dropped.length === 0) return [];
  const number = count(dropped.length, findings.length === 0 ? "finding" : "more finding");
  const why = describeDropped(dropped);
  return [["Not shown", `${number} (${why}). Use --format json to list them.`]];
}

function listMemory({
  memory: { similar, learnings, suppressions, taught },
}: Publication): readonly string[] {
  return [
    ...similar.map((each) => `Similar: ${each.title}, ${placeOfSimilar(each)} (${describeSimilar(each)})`),
    ...learnings.map((each) => {
      const from = each.provenance === null ? "" : `, ${each.provenance}`;
      return `Learning: ${each.text} (${describeLearning(each)}${from})`;
    }),
    ...suppressions.map((each) => `Suppressed by feedback: ${describeInForce(each)}`),
    ...taught.map((each) => `Changed by feedback: ${describeTaught(each)}`),
  ];
}

function listUsage({ usage, details, passes }: Publication): Row[] {
  const modelNote = describeModelNote(details);
  const leftOut = describeLeftOut(passes);
  return [
    ...(modelNote === null ? [] : [["Model", modelNote] as const]),
    ...(usage === null ? [] : [["Model", describeUsage(usage)] as const]),
    ...modelPasses({ passes }).map((pass): Row => ["Pass", describePass(pass)]),
    ...(leftOut === null ? [] : [["Left out", `of the prompt: ${leftOut}`] as const]),
  ];
}

function describeDegradation({ what, message, count: number }: Publication["degradations"][number]): string {
  return `${what}: ${message}${number > 1 ? ` (${grouped(number)} times)` : ""}`;
}

function listed(texts: readonly string[]): string[] {
  const rest = texts.length - MAX_LISTED;
  return rest > 0 ? [...texts.slice(0, MAX_LISTED), `… and ${grouped(rest)} more`] : [...texts];
}
