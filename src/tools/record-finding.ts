/**
 * `record_finding`: writes a finding into the notebook the moment it is made, and tells the model where it landed. What
 * cannot be placed is written too, so that nothing is lost; said again with the exact text, it takes the place of the first.
 */
import * as z from "zod";
import { nearest } from "../base/nearest.ts";
import { CATEGORIES, isAtLeast, SEVERITIES } from "../base/severity.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { anchorFinding, type Located, locateFinding } from "../review/findings/anchor-finding.ts";
import type { Finding } from "../review/findings/finding.ts";
import { MAX_MODEL_FINDINGS } from "../review/findings/gravest-of-model.ts";
import { isSame, type Placed } from "../review/findings/identify-findings.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { stripControls } from "../review/untrusted/hidden-characters.ts";
import { hasBetterSuggestion, suggestionNotes } from "./check-suggestion.ts";
import { describeUnplaced } from "./describe-unplaced.ts";
import { serialize } from "./serialize.ts";
import type { Notebook, NotebookEntry } from "./notebook.ts";
import { changedFile, MAX_PATH_CHARS, namePath, refuse, sayBack } from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** More are not reported, whatever comes; the review's details count those that are left out. */
const MAX_RECORDED = 4 * MAX_MODEL_FINDINGS;

/** Graver ones that come later, and findings that are recorded again, cannot go on for ever either. */
const MAX_ENTRIES = 2 * MAX_RECORDED;

/** Sure enough to be told, for a model that does not say. */
const DEFAULT_CONFIDENCE = 0.7;

const MAX_TITLE_CHARS = 300;
const MAX_BODY_CHARS = 4_000;

const MAX_QUOTE_CHARS = 4_000;

/** Two to five are asked for; what they are compared with can be twenty thousand lines. */
const MAX_QUOTE_LINES = 50;

/** More than the longest suggestion that may be told as code. With the rest it stays below what an entry may have. */
const MAX_SUGGESTION_CHARS = 6_000;

const schema = z.object({
  path: z.string().min(1).max(MAX_PATH_CHARS).describe("The changed file"),
  quote: z
    .string()
    .max(MAX_QUOTE_CHARS)
    .describe(
      "The exact line or lines of the diff it is about, without numbers and signs; empty for the whole file",
    ),
  title: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TITLE_CHARS)
    .describe("The defect and its consequence, in under 80 characters"),
  body: z
    .string()
    .trim()
    .min(1)
    .max(MAX_BODY_CHARS)
    .describe("What happens and when, why, what to do; 1 to 4 sentences"),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  line: z
    .int()
    .min(1)
    .optional()
    .describe("Line of the quote; a hint only, when the same text stands in several places"),
  side: z.enum(["new", "old"]).optional().describe('"old" when a removed line is quoted'),
  suggestion: z
    .string()
    .max(MAX_SUGGESTION_CHARS)
    .optional()
    .describe("Complete replacement for exactly the quoted lines"),
  confidence: z.number().min(0).max(1).optional().describe("0 to 1"),
});

type Args = z.infer<typeof schema>;
type RecordedEntry = Extract<NotebookEntry, { kind: "finding" }> & { readonly number: number };

export const recordFinding: Tool<ReviewContext, Args> = {
  name: "record_finding",
  description:
    "Records one finding, at once and for good. The answer says where it landed, or what to quote instead. The 50 gravest of a review are reported.",
  schema,
  execute: (args, context) => serialize(context.notebook, () => record(args, context)),
};

async function record(args: Args, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass } = context;
  if (args.quote.split("\n").length > MAX_QUOTE_LINES)
    return refuse(
      `A quote has at most ${MAX_QUOTE_LINES} lines. Quote those that the author has to look at.`,
    );
  if (cleanTitle(args, context) === "" || cleanBody(args, context) === "")
    return refuse("A finding needs a title and a body that can be read.");
  const file = changedFile(args.path, context);
  const said = toFinding(args, file, context);
  const located = file === null ? NOT_FOUND : locateFinding(said, file);
  const placed = place(said, located, args, context);
  const earlier = standingEntries(notebook);
  const same = earlier.find((entry) => isSame(placed, placeAgain(entry, context)));
  const improved = same === undefined ? null : await improvable(same, placed, context);
  if (same !== undefined && improved === null)
    return describeRepeated(same, { ...placed, file, located }, context);
  const isFull = improved === null && isOneTooMany(placed.finding, earlier);
  if (countFindings(notebook) >= MAX_ENTRIES || isFull)
    return refuse(
      `${earlier.length} findings are recorded, of which the ${MAX_MODEL_FINDINGS} gravest are reported; this one would not be among them. Call finish_review.`,
    );
  const replaces = improved ?? (placed.anchor === null ? null : findUnplaced(placed, earlier, context));
  const entry = { kind: "finding", pass: pass.name, finding: placed.finding, replaces } as const;
  await notebook.append(entry);
  const count = standingEntries(notebook).length;
  const lack = improved === null ? "that had no place" : "whose suggestion could not be offered";
  const recorded = `Recorded (${describeCount(count)})${replaces === null ? "" : `, instead of the one ${lack}`}`;
  return describePlace(recorded, { ...placed, file, located }, context);
}

/** The number of an earlier finding that says the same, when its suggestion is worth less than the new one. */
async function improvable(
  earlier: RecordedEntry,
  placed: Placed,
  context: ReviewContext,
): Promise<number | null> {
  const isBetter = await hasBetterSuggestion(placed, placeAgain(earlier, context), context);
  return isBetter ? earlier.number : null;
}

/** What is graver than most is recorded all the same. */
function isOneTooMany({ severity }: Finding, earlier: readonly RecordedEntry[]): boolean {
  const asGrave = earlier.filter(({ finding }) => isAtLeast(finding.severity, severity));
  return earlier.length >= MAX_RECORDED && asGrave.length >= MAX_MODEL_FINDINGS;
}

function describeCount(count: number): string {
  return count > MAX_MODEL_FINDINGS
    ? `${count}; the ${MAX_MODEL_FINDINGS} gravest are reported`
    : String(count);
}

function cleanTitle({ title }: Args, { guard }: ReviewContext): string {
  return guard.unfence(stripControls(title)).replace(/\s+/g, " ").trim().toWellFormed();
}

function cleanBody({ body }: Args, { guard }: ReviewContext): string {
  return guard.unfence(stripControls(body)).trim().toWellFormed();
}

function toFinding(args: Args, file: ChangedFile | null, context: ReviewContext): Finding {
  const { guard, pass } = context;
  return {
    title: cleanTitle(args, context),
    body: cleanBody(args, context),
    severity: args.severity,
    category: args.category,
    // What is no file of the change stays as the model said it: turned back, it could be a secret.
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
  };
}

const NOT_FOUND: Located = { kind: "not-found" };

/**
 * A finding that has a place quotes what is there, so that it's found there again. One that has none keeps the words of the model,
 * in which secrets are masked.
 */
function place(finding: Finding, located: Located, { quote }: Args, { guard }: ReviewContext): Placed {
  if (located.kind === "placed") {
    const { anchor } = located;
    const there = { quote: anchor.lines.join("\n"), lineHint: anchor.startLine, sideHint: anchor.side };
    return { finding: { ...finding, ...there }, anchor };
  }
  const said = guard.holdsSecret(quote) ? quote : finding.quote;
  return { finding: { ...finding, quote: guard.unfence(said) }, anchor: null };
}

/** A suggestion is published: whatever was masked for the model stays masked for everybody. */
function usableSuggestion(suggestion: string | undefined, guard: Guard): string | null {
  if (suggestion === undefined || guard.holdsSecret(suggestion)) return null;
  return guard.unfence(guard.reveal(suggestion));
}

/** Looking for a quote that is not there takes long in a large file, and every finding is compared with all before it. */
const placedBefore = new WeakMap<Finding, Placed>();

function placeAgain({ finding }: RecordedEntry, { change }: ReviewContext): Placed {
  const known = placedBefore.get(finding);
  if (known !== undefined) return known;
  const file = change.files.find(({ path }) => path === finding.path);
  const placed = { finding, anchor: file === undefined ? null : anchorFinding(finding, file) };
  placedBefore.set(finding, placed);
  return placed;
}

/** Findings that no later one replaces. */
function standingEntries(notebook: Notebook): readonly RecordedEntry[] {
  const found = notebook.entries().filter((entry) => entry.kind === "finding");
  const replaced = new Set(found.map(({ replaces }) => replaces));
  return found.filter(({ number }) => !replaced.has(number));
}

function countFindings(notebook: Notebook): number {
  return notebook.entries().filter(({ kind }) => kind === "finding").length;
}

/** The number of an earlier finding that says the same and whose quote was not found. */
function findUnplaced(
  { finding }: Placed,
  earlier: readonly RecordedEntry[],
  context: ReviewContext,
): number | null {
  const isUnplaced = (entry: RecordedEntry): boolean =>
    entry.finding.quote.trim() !== "" && placeAgain(entry, context).anchor === null;
  const saysSame = (entry: RecordedEntry): boolean =>
    isSame({ finding, anchor: null }, { finding: entry.finding, anchor: null });
  return earlier.find((entry) => saysSame(entry) && isUnplaced(entry))?.number ?? null;
}

type Landed = Placed & { readonly file: ChangedFile | null; readonly located: Located };

function describeRepeated(same: RecordedEntry, landed: Landed, context: ReviewContext): ToolResult {
  const name = sayBack(same.finding.title);
  if (landed.file === null || landed.anchor !== null || landed.finding.quote.trim() === "")
    return { text: `Already recorded, as ${name}. Nothing was added.` };
  return describeUnplaced(`Already recorded, as ${name}`, { ...landed, file: landed.file }, context);
}

async function describePlace(
  recorded: string,
  { finding, anchor, file, located }: Landed,
  context: ReviewContext,
): Promise<ToolResult> {
  if (file === null) return describeOutside(recorded, finding, context);
  const name = namePath(file.path, context.guard);
  if (finding.quote.trim() === "") return { text: `${recorded}: ${name}, the file as a whole.` };
  if (anchor === null) return describeUnplaced(recorded, { finding, file, located }, context);
  const { startLine, endLine, side, method, isChanged } = anchor;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  const notes = [
    ...(method === "fuzzy" ? ["The quote differs a little from what is there."] : []),
    ...(isChanged ? [] : ["These lines are not changed: it is told as medium at most."]),
    ...(await suggestionNotes(finding, anchor, context)),
  ];
  return { text: [`${recorded}: ${name}, ${lines}, ${side} side.`, ...notes].join(" ") };
}

function describeOutside(recorded: string, { path }: Finding, { change, guard }: ReviewContext): ToolResult {
  const near = nearest(
    path,
    change.files.map((file) => file.path),
  );
  const hint = near === null ? "" : ` Did you mean ${namePath(near, guard)}?`;
  return {
    text: `${recorded}, but ${sayBack(path)} is not changed, so it will not be told: quote a line of the diff where the cause is.${hint}`,
    isError: true,
  };
}
