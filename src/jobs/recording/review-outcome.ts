/** What a review came to, in short, and how two of them differ. */
import type { Publication } from "../../review/publication/publication.ts";
import type { RecordedAttempt, RecordedOutcome, RecordedFinding, UntoldFinding } from "./recording.ts";

export function outcomeOf(publication: Publication): RecordedOutcome {
  const { verdict, conclusion, notices, findings, dropped, receipt, passes, degradations } = publication;
  return {
    headline: verdict.headline,
    conclusion,
    notices,
    findings: findings.map(({ finding, anchor, severity, placement, suggestion }) => ({
      title: finding.title,
      path: anchor?.path ?? finding.path,
      side: anchor?.side ?? finding.sideHint,
      startLine: anchor?.startLine ?? null,
      endLine: anchor?.endLine ?? null,
      severity,
      category: finding.category,
      placement,
      suggestion: suggestion.kind,
    })),
    dropped: dropped.map(({ finding, anchor, severity, reason }) => ({
      title: finding.title,
      path: anchor?.path ?? finding.path,
      startLine: anchor?.startLine ?? null,
      severity,
      reason,
    })),
    receipt: receipt.entries.map(({ path, status, reason, lines }) => ({ path, status, reason, lines })),
    attempts: passes.map(({ name, model, step, outcome, stopReason, turns, findings: found, costUsd }) => ({
      pass: name,
      model,
      step,
      outcome,
      stopReason,
      turns,
      findings: found,
      costUsd,
    })),
    degradations: degradations.map(({ what, message }) => `${what}: ${message}`),
  };
}

/** Sentences for people; none when the two say the same. */
export function compareOutcomes(recorded: RecordedOutcome, replayed: RecordedOutcome): readonly string[] {
  return [
    ...compareText("the headline", recorded.headline, replayed.headline),
    ...compareText("the conclusion", recorded.conclusion, replayed.conclusion),
    ...compareListed("finding", recorded.findings, replayed.findings, placeOf),
    ...compareListed("dropped finding", recorded.dropped, replayed.dropped, placeOf),
    ...compareListed(
      "receipt",
      recorded.receipt,
      replayed.receipt,
      ({ path, status }) => `${path} ${status}`,
    ),
    ...compareListed(
      "notice",
      recorded.notices.map(asItem),
      replayed.notices.map(asItem),
      ({ text }) => text,
    ),
    ...compareListed("attempt", recorded.attempts, replayed.attempts, attemptOf),
  ];
}

/** What stands for a secret is not the same in all places: stars, also after its beginning, placeholders, marks of the publication. */
const MASKED = /\[masked:[a-z0-9-]{1,60}:[0-9a-f-]{1,20}\]|\[hidden\]|[\w-]{0,4}\*{4,}|\*+(?:\d+\*+)?/g;

/** The text with one star for whatever stands for a secret. */
export function withoutMasks(text: string): string {
  return text.replace(MASKED, "*");
}

function compareText(what: string, before: string, after: string): readonly string[] {
  return withoutMasks(before) === withoutMasks(after) ? [] : [`${what} "${before}" became "${after}"`];
}

function asItem(text: string): { readonly text: string } {
  return { text };
}

function placeOf({ title, path, startLine }: RecordedFinding | UntoldFinding): string {
  return `${path}${startLine === null ? "" : `:${startLine}`} "${title}"`;
}

function attemptOf({ pass, model, step }: RecordedAttempt): string {
  return `${pass}, ${model}, ${step}`;
}

/** Items of the same name are compared field by field, in their order; the others are gone or new. */
function compareListed<Item extends object>(
  what: string,
  recorded: readonly Item[],
  replayed: readonly Item[],
  nameOf: (item: Item) => string,
): readonly string[] {
  const keyOf = (item: Item): string => withoutMasks(nameOf(item));
  const left = Map.groupBy(replayed, keyOf);
  const differences = recorded.flatMap((item) => {
    const counterpart = left.get(keyOf(item))?.shift();
    if (counterpart === undefined) return [`${what} ${nameOf(item)} is gone`];
    return compareFields(item, counterpart).map((said) => `${what} ${nameOf(item)}: ${said}`);
  });
  const added = [...left.values()].flat().map((item) => `${what} ${nameOf(item)} is new`);
  return [...differences, ...added];
}

function compareFields(before: object, after: object): readonly string[] {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.entries(before).flatMap(([key, value]: [string, unknown]) => {
    const [was, is] = [withoutMasks(String(value)), withoutMasks(String(now.get(key)))];
    return was === is ? [] : [`${key} ${String(value)} became ${String(now.get(key))}`];
  });
}
