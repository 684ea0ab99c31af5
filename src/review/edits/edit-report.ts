/** The texts that are published about edits: the description of a pull request, and the parts of an answer. Pure. */
import { count } from "../../base/count.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import { codeSpan, neutralise, neutraliseInline } from "../publication/render/safe-markdown.ts";
import type { LeftOutFix } from "./apply-suggestions.ts";
import type { FixLine } from "./fix-line.ts";
import { describeEditRefusal } from "./describe-edit-refusal.ts";
import {
  blockingOf,
  describeNotChecked,
  type EditFinding,
  type EditReview,
  listEditFindings,
} from "./edit-review.ts";
import type { EditRefusal, ProposedEdit } from "./edit.ts";
import { editedLines } from "./edited-lines.ts";

export type EditReport = {
  readonly edits: readonly ProposedEdit[];
  /** In the words of a model; "" for nothing to add. */
  readonly description: string;
  /** Paths of edited files that no parser checked. */
  readonly unchecked: readonly string[];
  /** The outcome of each finding of the request; empty if it names none. */
  readonly fixes: readonly FixLine[];
  /** Files in which tests were removed, because the request says so. */
  readonly testsRemovedIn: readonly string[];
  /** Files that were asked for or tried, and that policy doesn't let Kodiai edit. */
  readonly denied: readonly EditRefusal[];
  readonly review: EditReview;
};

/** Of a request in a description. The comment has the rest. */
const MAX_REQUEST_CHARS = 1_000;

export type EditRequestFacts = {
  readonly login: string;
  /** In the person's words, or what the command means. */
  readonly request: string;
  /** Where it was asked. */
  readonly place: { readonly name: string; readonly url: string };
  readonly skipsCi: boolean;
  /** Subjects of Kodiai's earlier commits on the branch, oldest first. */
  readonly earlier: readonly string[];
};

/** Kodiai's part of the description of the pull request. */
export function renderEditDescription(report: EditReport, facts: EditRequestFacts): string {
  const { login, request, place, skipsCi, earlier } = facts;
  const words = maskCredentials(request).slice(0, MAX_REQUEST_CHARS);
  return paragraphs([
    neutralise(maskCredentials(report.description)),
    `${codeSpan(login)} asked for this on [${neutraliseInline(place.name)}](${place.url}):`,
    quote(neutralise(words)),
    listEdits(report.edits),
    describeRemovedTests(report),
    describeFixes(report),
    describeDenied(report),
    describeFindings(report),
    describeChecks(report),
    describeEarlier(earlier),
    skipsCi ? SKIPS_CI : "",
    "Kodiai never merges. Review this like any other pull request.",
  ]);
}

/** The newest ones, because the list of commits has the rest. */
const MAX_EARLIER = 20;

function describeEarlier(earlier: readonly string[]): string {
  if (earlier.length === 0) return "";
  const lines = earlier
    .slice(-MAX_EARLIER)
    .map((subject) => `- ${neutraliseInline(maskCredentials(subject))}`);
  return ["Earlier commits of this pull request:", "", ...lines].join("\n");
}

const SKIPS_CI =
  "The commit has `[skip ci]`, because it contains commits of a fork: no workflow runs for them with this repository's secrets. Review them before you run any.";

/** The part of an answer below its first sentence. */
export function renderEditAnswer(report: EditReport, { skipsCi }: { readonly skipsCi: boolean }): string {
  return paragraphs([
    neutralise(maskCredentials(report.description)),
    listEdits(report.edits),
    describeRemovedTests(report),
    describeFixes(report),
    describeDenied(report),
    describeFindings(report),
    describeChecks(report),
    skipsCi ? SKIPS_CI : "",
  ]);
}

export function renderRefusals(refusals: readonly EditRefusal[]): string {
  const rules = refusals.map((refusal) => `- ${describeEditRefusal(refusal)}`);
  return [`Nothing was written. ${count(refusals.length, "rule")} refused the change:`, "", ...rules].join(
    "\n",
  );
}

/** `isAskedTwice`: a model has seen the findings and had one chance to fix them. */
export function renderBlocked(
  review: EditReview,
  { isAskedTwice }: { readonly isAskedTwice: boolean },
): string {
  const blocking = blockingOf(review);
  const [is, them] = blocking.length === 1 ? ["a problem", "it"] : ["problems", "them"];
  const tried = isAskedTwice ? ` The model was asked once to fix ${them}, and didn't.` : "";
  return [
    `Nothing was pushed. The edits would add ${is} that must be fixed first.${tried}`,
    listEditFindings(blocking).join("\n"),
    "Ask again and say how to do it, or make the change yourself.",
  ].join("\n\n");
}

/** For the model that made the edits: one line per sentence. */
export function explainFindings(findings: readonly EditFinding[]): readonly string[] {
  return findings.flatMap(({ severity, title, body, path, line }) => [
    `${severity}, ${path}${line === null ? "" : ` line ${line}`}: ${title}`,
    ...body.split("\n"),
  ]);
}

function listEdits(edits: readonly ProposedEdit[]): string {
  return edits
    .map((edit) => {
      const { added, removedCount } = editedLines(edit);
      const kind = edit.before === null ? " (new)" : edit.after === null ? " (deleted)" : "";
      const mode = edit.isExecutable === undefined ? "" : `, ${edit.isExecutable ? "" : "not "}executable`;
      return `- ${codeSpan(edit.path)}${kind}: +${added.size} −${removedCount}${mode}`;
    })
    .join("\n");
}

const LEFT_OUT: Readonly<Record<LeftOutFix["reason"], string>> = {
  "not-open": "it isn't open any more",
  "no-suggestion": "it has no verified suggestion",
  unreadable: "its file can't be read",
  changed: "its lines have changed since",
  ambiguous: "its lines are in the file more than once",
  overlaps: "its lines overlap with",
};

/** A line for each finding. */
function describeFixes({ fixes }: Pick<EditReport, "fixes">): string {
  return fixes.map(describeFix).join("\n");
}

export function describeFix({ number, result }: FixLine): string {
  if (result === "suggestion") return `- Finding ${number}: done, by its verified suggestion.`;
  if (result === "already") return `- Finding ${number}: done already, in this pull request.`;
  if (result === "model") return `- Finding ${number}: done, by the model.`;
  const why = maskCredentials(result.notDone).replace(/[.\s]{1,10}$/, "");
  return `- Finding ${number}: not done. ${neutraliseInline(why.charAt(0).toUpperCase() + why.slice(1))}.`;
}

/** Completes "Not done: …". */
export function describeLeftOutFix({ reason, other }: Pick<LeftOutFix, "reason" | "other">): string {
  return `${LEFT_OUT[reason]}${other === null ? "" : ` finding ${other}`}`;
}

function describeRemovedTests({ testsRemovedIn }: EditReport): string {
  if (testsRemovedIn.length === 0) return "";
  return `**Tests were removed or merged**, as the request says: ${testsRemovedIn.map(codeSpan).join(", ")}.`;
}

function describeDenied({ denied }: EditReport): string {
  if (denied.length === 0) return "";
  const lines = denied.map((refusal) => `- ${describeEditRefusal(refusal)}`);
  return ["Not done, because Kodiai may not edit it:", "", ...lines].join("\n");
}

function describeFindings({ review }: EditReport): string {
  if (review.findings.length === 0) return "";
  return ["The checks report about the new lines:", "", ...listEditFindings(review.findings)].join("\n");
}

function describeChecks({ edits, unchecked, testsRemovedIn, review }: EditReport): string {
  const written = edits.filter(({ after }) => after !== null).length;
  const parsed = written - unchecked.length;
  const parses = parsed === 1 ? "the edited file parses" : `${parsed} edited files parse`;
  const checked = [
    ...(parsed === 0 ? [] : [parses]),
    "no credential on a new line",
    ...(testsRemovedIn.length === 0 ? ["no test removed"] : []),
    ...review.checked.map(neutraliseInline),
  ];
  return [
    `Checked: ${checked.join(", ")}.`,
    ...(unchecked.length === 0 ? [] : [`Not checked by a parser: ${unchecked.map(codeSpan).join(", ")}.`]),
    ...(review.notChecked.length === 0 ? [] : [`Not checked: ${describeNotChecked(review.notChecked)}.`]),
    "No test was run.",
  ].join(" ");
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}
