/**
 * `record_finding`: writes a finding to the notebook at once, and answers where it was placed. A finding without a place is
 * written too, so that nothing is lost; recorded again with the exact text, it replaces the first.
 */
import * as z from "zod";
import { nearest } from "../base/nearest.ts";
import { CATEGORIES, isAtLeast, SEVERITIES } from "../base/severity.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { anchorFinding, type Located, locateFinding } from "../review/findings/anchor-finding.ts";
import type { Anchor, Finding } from "../review/findings/finding.ts";
import { MAX_MODEL_FINDINGS } from "../review/findings/gravest-of-model.ts";
import { isRepeated, isSame, type Placed } from "../review/findings/identify-findings.ts";
import { joinSeenAt } from "../review/findings/seen-at.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { maskSecrets } from "../base/secrets/mask-secrets.ts";
import { stripControls } from "../base/hidden-characters.ts";
import { hasBetterSuggestion, suggestionNotes } from "./check-suggestion.ts";
import { describeUnplaced } from "./describe-unplaced.ts";
import { type OutsidePlace, placeOutside } from "./place-outside.ts";
import { serialize } from "./serialize.ts";
import { currentEntries, type Notebook, type RecordedEntry } from "./notebook.ts";
import {
  changedFile,
  MAX_PATH_CHARS,
  namePath,
  notInRepository,
  quoteBack,
  refuse,
  treePath,
} from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** More can't be reported anyway; the review's details count those that are left out. */
const MAX_RECORDED = 4 * MAX_MODEL_FINDINGS;

/** An overall limit, including more severe findings that come later and findings that are recorded again. */
const MAX_ENTRIES = 2 * MAX_RECORDED;

/** High enough to be reported when a model gives no confidence. */
const DEFAULT_CONFIDENCE = 0.7;

const MAX_TITLE_CHARS = 300;
const MAX_BODY_CHARS = 4_000;

/** Of a quote that occurs several times. */
const MAX_NAMED_LINES = 10;

const MAX_QUOTE_CHARS = 4_000;

/** The prompt requests two to five lines; they may be compared with twenty thousand. */
const MAX_QUOTE_LINES = 50;

/** More than the longest suggestion that can be shown as code, and small enough for the size limit of an entry. */
const MAX_SUGGESTION_CHARS = 6_000;

const schema = z.object({
  path: z.string().min(1).max(MAX_PATH_CHARS).describe("The changed file, or one that the change breaks"),
  quote: z
    .string()
    .max(MAX_QUOTE_CHARS)
    .describe("Exact lines of the diff, without numbers and signs; empty for the whole file"),
  title: z.string().trim().min(1).max(MAX_TITLE_CHARS),
  body: z.string().trim().min(1).max(MAX_BODY_CHARS),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  line: z.int().min(1).optional().describe("Of the quote, if its text occurs several times"),
  side: z.enum(["new", "old"]).optional().describe("old: a removed line"),
  suggestion: z.string().max(MAX_SUGGESTION_CHARS).optional(),
  confidence: z.number().min(0).max(1).optional(),
  was_there_before: z.boolean().optional(),
  caused_by: z.string().max(MAX_PATH_CHARS).optional(),
});

type Args = z.infer<typeof schema>;

export const recordFinding: Tool<ReviewContext, Args> = {
  name: "record_finding",
  description: "Records one finding at once. The answer says where it was placed, or what to quote instead.",
  schema,
  execute: (args, context) => serialize(context.notebook, () => record(args, context)),
};

async function record(args: Args, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass } = context;
  if (args.quote.split("\n").length > MAX_QUOTE_LINES)
    return refuse(
      `A quote has at most ${MAX_QUOTE_LINES} lines. Quote the lines that the author has to look at.`,
    );
  if (cleanTitle(args, context) === "" || cleanBody(args, context) === "")
    return refuse("A finding needs a readable title and body.");
  const file = changedFile(args.path, context);
  if (file === null && treePath(args.path, context.guard) === null) return notInRepository(args.path);
  const said = toFinding(args, file, context);
  const located = file === null ? NOT_FOUND : locateFinding(said, file);
  const outside = await placeOutside(said, located, context);
  const placed = place(said, { file, located, outside }, args, context);
  const earlier = currentEntries(notebook);
  // In other words it may be another defect, so it is recorded, and shown with the earlier one.
  const same = earlier.find((entry) => isRepeated(placed, placeAgain(entry, context)));
  const improved = same === undefined ? null : await improvable(same, placed, context);
  const landed = { ...placed, file, located, outside, hasSuggestion: said.suggestion !== null };
  if (same !== undefined && improved === null)
    return noteUnplaced(await addPlace(same, landed, context), landed, context);
  const isFull = improved === null && isOneTooMany(placed.finding, earlier);
  if (countFindings(notebook) >= MAX_ENTRIES || isFull)
    return refuse(
      `${earlier.length} findings are recorded. The ${MAX_MODEL_FINDINGS} most severe are reported, and this one isn't among them. Call finish_review.`,
    );
  const replaces =
    improved ?? (placed.anchor === null ? null : findUnplaced(asSeen(landed), earlier, context));
  const entry = { kind: "finding", pass: pass.name, finding: placed.finding, replaces } as const;
  const number = await notebook.append(entry);
  const lack = improved === null ? "that had no line" : "whose suggestion couldn't be offered";
  const recorded = `Recorded (${describeNumber(number, notebook)})${replaces === null ? "" : `, replacing the one ${lack}`}`;
  return noteUnplaced(await describePlace(recorded, landed, context), landed, context);
}

/** `finish_review` refuses to end a review in the same answer: the model hasn't read yet that the finding has no line. */
function noteUnplaced(answer: ToolResult, { finding }: Landed, { shown }: ReviewContext): ToolResult {
  if (answer.isError === true) shown.noteUnplaced(finding.title);
  return answer;
}

/** The number of an earlier duplicate whose suggestion is worse than the new one; null otherwise. */
async function improvable(
  earlier: RecordedEntry,
  placed: Placed,
  context: ReviewContext,
): Promise<number | null> {
  const isBetter = await hasBetterSuggestion(placed, placeAgain(earlier, context), context);
  return isBetter ? earlier.number : null;
}

/** A finding that is among the most severe is recorded even when the notebook is full. */
function isOneTooMany({ severity }: Finding, earlier: readonly RecordedEntry[]): boolean {
  const asGrave = earlier.filter(({ finding }) => isAtLeast(finding.severity, severity));
  return earlier.length >= MAX_RECORDED && asGrave.length >= MAX_MODEL_FINDINGS;
}

/** The number by which the model can take it back. */
function describeNumber(number: number, notebook: Notebook): string {
  return currentEntries(notebook).length > MAX_MODEL_FINDINGS
    ? `${number}; the ${MAX_MODEL_FINDINGS} most severe are reported`
    : String(number);
}

function cleanTitle({ title }: Args, { guard }: ReviewContext): string {
  return guard.unfence(stripControls(title)).replace(/\s+/g, " ").trim().toWellFormed();
}

function cleanBody({ body }: Args, { guard }: ReviewContext): string {
  return guard.unfence(stripControls(body)).trim().toWellFormed();
}

function toFinding(args: Args, file: ChangedFile | null, context: ReviewContext): Finding {
  const { guard, pass } = context;
  const cause =
    args.caused_by === undefined ? undefined : (changedFile(args.caused_by, context) ?? undefined);
  return {
    title: cleanTitle(args, context),
    body: cleanBody(args, context),
    severity: args.severity,
    category: args.category,
    // A path outside the change isn't restored: it could be a masked secret.
    path: file?.path ?? guard.unfence(stripControls(args.path)).replace(/\s+/g, " ").toWellFormed(),
    quote: guard.reveal(args.quote),
    lineHint: args.line ?? null,
    sideHint: args.side ?? (file?.status === "deleted" ? "old" : "new"),
    suggestion: usableSuggestion(args.suggestion, guard),
    confidence: args.confidence ?? DEFAULT_CONFIDENCE,
    evidence: [],
    source: "model",
    rule: null,
    pass: pass.name,
    ignoredBecause: null,
    ...(args.was_there_before === true ? { isExisting: true } : {}),
    ...(cause === undefined ? {} : { causedBy: cause.path }),
  };
}

/** A quote as a finding about the file, to look for its place. */
export function quotedFinding(quote: string, file: ChangedFile, context: ReviewContext): Finding {
  const nothing = { title: "", body: "", severity: "minor", category: "correctness" } as const;
  return toFinding({ ...nothing, path: file.path, quote }, file, context);
}

const NOT_FOUND: Located = { kind: "not-found" };

type Found = {
  readonly file: ChangedFile | null;
  readonly located: Located;
  /** Where its code is outside the change; null when it is in the diff. */
  readonly outside: OutsidePlace | null;
};

/**
 * A placed finding quotes the code at its place, so that it can be found again. One outside the change and an unplaced one keep the
 * model's quote if it has secrets, which stay masked. A suggestion is for the quoted lines, so it doesn't move to those that cause it.
 */
function place(
  finding: Finding,
  { file, located, outside }: Found,
  { quote }: Args,
  { guard }: ReviewContext,
): Placed {
  if (outside?.kind === "caused") {
    const { anchor } = outside.cause;
    const there = { path: anchor.path, ...quoting(anchor), seenAt: [outside.seenAt], suggestion: null };
    return { finding: { ...finding, ...there }, anchor };
  }
  if (located.kind === "placed") {
    const { anchor } = located;
    return { finding: { ...finding, ...quoting(anchor) }, anchor };
  }
  const kept = { ...finding, quote: guard.unfence(guard.holdsSecret(quote) ? quote : finding.quote) };
  if (outside?.kind === "seen") {
    const { seenAt, lines } = outside;
    const code = lines.join("\n");
    const isSafe = !guard.holdsSecret(quote) && maskSecrets(code) === code;
    const own = { path: seenAt.path, lineHint: seenAt.startLine, sideHint: "new", seenAt: [seenAt] } as const;
    const seen = { ...kept, ...own, ...(isSafe ? { quote: code } : {}) };
    return { finding: seen, anchor: anchorFinding(seen, file) };
  }
  return { finding: file === null ? { ...kept, seenAt: [] } : kept, anchor: null };
}

function quoting({ lines, startLine, side }: Anchor): Pick<Finding, "quote" | "lineHint" | "sideHint"> {
  return { quote: lines.join("\n"), lineHint: startLine, sideHint: side };
}

/** A suggestion is published, so one with a masked value is dropped. */
function usableSuggestion(suggestion: string | undefined, guard: Guard): string | null {
  if (suggestion === undefined || guard.holdsSecret(suggestion)) return null;
  return guard.unfence(guard.reveal(suggestion));
}

/** Searching for a missing quote in a large file is slow, and every finding is compared with all earlier ones. */
const placedBefore = new WeakMap<Finding, Placed>();

function placeAgain({ finding }: RecordedEntry, { change }: ReviewContext): Placed {
  const known = placedBefore.get(finding);
  if (known !== undefined) return known;
  const file = change.files.find(({ path }) => path === finding.path) ?? null;
  const placed = { finding, anchor: anchorFinding(finding, file) };
  placedBefore.set(finding, placed);
  return placed;
}

function countFindings(notebook: Notebook): number {
  return notebook.entries().filter(({ kind }) => kind === "finding").length;
}

/** The number of an earlier duplicate whose quote wasn't found, or which is only listed while this one is on a changed line. */
function findUnplaced(
  { finding, anchor }: Placed,
  earlier: readonly RecordedEntry[],
  context: ReviewContext,
): number | null {
  const isUnplaced = (entry: RecordedEntry): boolean => {
    const there = placeAgain(entry, context).anchor;
    const isListed = entry.finding.seenAt !== undefined && there?.isChanged === false;
    return entry.finding.quote.trim() !== "" && (there === null || (isListed && anchor?.isChanged === true));
  };
  const isDuplicate = (entry: RecordedEntry): boolean =>
    isSame({ finding, anchor: null }, { finding: entry.finding, anchor: null });
  return earlier.find((entry) => isDuplicate(entry) && isUnplaced(entry))?.number ?? null;
}

type Landed = Placed & Found & { readonly hasSuggestion: boolean };

/** An earlier record of a finding that moved to its cause has the path where the model saw it. */
function asSeen({ finding, anchor, outside }: Landed): Placed {
  return outside?.kind === "caused"
    ? { finding: { ...finding, path: outside.seenAt.path }, anchor }
    : { finding, anchor };
}

/** The same problem at another place outside the change is added to the earlier finding. */
async function addPlace(same: RecordedEntry, landed: Landed, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass } = context;
  const { seenAt = [] } = joinSeenAt([same.finding, landed.finding]);
  const isNew = seenAt.length > (same.finding.seenAt ?? []).length;
  if (!isNew || countFindings(notebook) >= MAX_ENTRIES) return describeRepeated(same, landed, context);
  const finding = { ...same.finding, seenAt };
  await notebook.append({ kind: "finding", pass: pass.name, finding, replaces: same.number });
  return { text: `Already recorded, as ${quoteBack(same.finding.title)}. This place was added to it.` };
}

function describeRepeated(same: RecordedEntry, landed: Landed, context: ReviewContext): ToolResult {
  const name = `(${same.number}) ${quoteBack(same.finding.title)}`;
  if (landed.file === null || landed.anchor !== null || landed.finding.quote.trim() === "")
    return { text: `Already recorded, as ${name}. Nothing was added.` };
  return describeUnplaced(`Already recorded, as ${name}`, { ...landed, file: landed.file }, context);
}

async function describePlace(recorded: string, landed: Landed, context: ReviewContext): Promise<ToolResult> {
  const { finding, anchor, file, located, outside } = landed;
  if (outside?.kind === "caused" || outside?.kind === "seen") return describeSeen(recorded, landed, context);
  if (file === null) return describeOutside(recorded, landed, context);
  const name = namePath(file.path, context.guard);
  if (finding.quote.trim() === "") return { text: `${recorded}: ${name}, the whole file.` };
  if (anchor === null) return describeUnplaced(recorded, { finding, file, located }, context);
  const { startLine, endLine, side, method, isChanged } = anchor;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  const notes = [
    ...(method === "fuzzy" ? ["The quote differs slightly from the code."] : []),
    ...(isChanged ? [] : ["These lines aren't changed, so the severity is at most medium."]),
    ...(await suggestionNotes(finding, anchor, context)),
  ];
  return { text: [`${recorded}: ${name}, ${lines}, ${side} side.`, ...notes].join(" ") };
}

function describeSeen(recorded: string, landed: Landed, { guard }: ReviewContext): ToolResult {
  const { anchor, outside, file, hasSuggestion } = landed;
  if (anchor === null || (outside?.kind !== "caused" && outside?.kind !== "seen"))
    return { text: `${recorded}.` };
  const where = `${recorded}: ${namePath(anchor.path, guard)}, line ${anchor.startLine}`;
  if (outside.kind === "seen") {
    const advice = file === null ? "" : " If a line of the diff causes it, record it again with that line.";
    return { text: `${where}. The change doesn't touch this line, so the finding will be listed.${advice}` };
  }
  const { path, startLine } = outside.seenAt;
  const seen = `seen at line ${startLine} of ${namePath(path, guard)}`;
  const lost = hasSuggestion ? " The suggestion is left out, because it isn't for that line." : "";
  return { text: `${where}, ${anchor.side} side, where a changed declaration causes it; ${seen}.${lost}` };
}

/** The finding is listed without a line. */
function describeOutside(
  recorded: string,
  { finding: { path }, outside }: Landed,
  { change, guard }: ReviewContext,
): ToolResult {
  const listed = `${quoteBack(path)} isn't changed, so the finding will only be listed`;
  if (outside === null) return { text: `${recorded}. ${listed}.` };
  if (outside.kind === "ambiguous") {
    const lines = outside.lines.slice(0, MAX_NAMED_LINES).join(", ");
    const text = `${recorded}, but ${listed}, and its quote occurs ${outside.lines.length} times there (line ${lines}). To replace it, record it again with the right line number.`;
    return { text, isError: true };
  }
  const near = nearest(
    path,
    change.files.map((file) => file.path),
  );
  const hint = near === null ? "" : ` Did you mean ${namePath(near, guard)}?`;
  return {
    text: `${recorded}, but ${listed}, and its quote wasn't found there. To replace it, record it again with the exact text of a line.${hint}`,
    isError: true,
  };
}
