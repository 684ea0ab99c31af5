/** The result of a review as facts, and how two of them differ. */
import { withoutMasks } from "../../base/secrets/mask-secrets.ts";
import { stopCode } from "../../model/stop-code.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Facts, RecordedOutcome } from "./recording.ts";

export function outcomeOf(publication: Publication): RecordedOutcome {
  const { verdict, conclusion, notices, findings, dropped, receipt, passes, degradations } = publication;
  return {
    headline: verdict.headline,
    conclusion,
    notices: [...notices],
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
      stopReason: stopCode(stopReason),
      turns,
      findings: found,
      costUsd,
    })),
    degradations: degradations.map(({ what, message }) => `${what}: ${message}`),
  };
}

/** Sentences for people; none when both are the same. */
export function compareOutcomes(recorded: RecordedOutcome, replayed: RecordedOutcome): readonly string[] {
  const lists = (what: string, list: "findings" | "dropped" | "receipt" | "attempts", nameOf: NameOf) =>
    compareListed(what, { recorded: recorded[list], replayed: replayed[list] }, nameOf);
  const notices = { recorded: recorded.notices.map(asFacts), replayed: replayed.notices.map(asFacts) };
  return [
    ...compareText("the headline", recorded.headline, replayed.headline),
    ...compareText("the conclusion", recorded.conclusion, replayed.conclusion),
    ...lists("finding", "findings", positionOf),
    ...lists("dropped finding", "dropped", positionOf),
    ...lists("receipt", "receipt", ({ path, status }) => `${path} ${status}`),
    ...compareListed("notice", notices, ({ text }) => `${text}`),
    ...lists("attempt", "attempts", ({ pass, model, step }) => `${pass}, ${model}, ${step}`),
  ];
}

function compareText(what: string, before: string, after: string): readonly string[] {
  return withoutMasks(before) === withoutMasks(after) ? [] : [`${what} "${before}" became "${after}"`];
}

type NameOf = (facts: Facts) => string;

function asFacts(text: string): Facts {
  return { text };
}

function positionOf({ title, path, startLine }: Facts): string {
  return `${path}${startLine === null ? "" : `:${startLine}`} "${title}"`;
}

/** Compares items of the same name fact by fact, in their order; the others are gone or new. */
function compareListed(
  what: string,
  { recorded, replayed }: { readonly recorded: readonly Facts[]; readonly replayed: readonly Facts[] },
  nameOf: NameOf,
): readonly string[] {
  const keyOf = (item: Facts): string => withoutMasks(nameOf(item));
  const left = Map.groupBy(replayed, keyOf);
  const differences = recorded.flatMap((item) => {
    const counterpart = left.get(keyOf(item))?.shift();
    if (counterpart === undefined) return [`${what} ${nameOf(item)} is gone`];
    return compareFacts(item, counterpart).map((said) => `${what} ${nameOf(item)}: ${said}`);
  });
  const added = [...left.values()].flat().map((item) => `${what} ${nameOf(item)} is new`);
  return [...differences, ...added];
}

function compareFacts(before: Facts, after: Facts): readonly string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const [was, is] = [String(value), String(after[name])];
    return withoutMasks(was) === withoutMasks(is) ? [] : [`${name} ${was} became ${is}`];
  });
}
