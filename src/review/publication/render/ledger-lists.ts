/** Earlier findings in Markdown: those that are still open or hidden, and those that were resolved. */
import { grouped } from "../../../base/count.ts";
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import type { PriorFinding } from "../../context/prior-review.ts";
import type { HiddenFinding, ResolvedFinding } from "../../findings/settle-prior.ts";
import type { Place } from "../../change/map-places.ts";
import type { OpenFinding, Publication } from "../publication.ts";
import { noteOpen } from "../group-findings.ts";
import { codeSpan } from "./safe-markdown.ts";
import { type Links, renderPathLink, safeUrl } from "./links.ts";
import { item } from "./list-item.ts";
import { collapse, fitBlocks, renderEntries } from "./markdown-blocks.ts";

/** The rest is collapsed. */
const MAX_STILL_OPEN = 30;

/** Escaping makes titles and paths longer; new findings take precedence. */
const MAX_EARLIER_CHARS = 8_000;

/** "- (3) Major: Title, `a.ts:5`, [thread](…)". */
export function listOpen(open: readonly OpenFinding[], links: Links): readonly string[] {
  return open.map(({ prior, judged, place, ...rest }) => {
    const note = noteOpen(rest);
    const name = nameOf(judged);
    return `- (${prior.number}) ${name}, ${linkOf(prior.path, place, links)}${threadOf(prior)}${note === null ? "" : ` (${note})`}`;
  });
}

/** "- (3) Major: Title, `a.ts:5`, [thread](…): dismissed by `ada`: not in production". A name in a code span notifies no one. */
function listAnswered(answered: readonly OpenFinding[], links: Links): readonly string[] {
  return answered.map(({ prior, judged, place, state, carriedAs }) => {
    const name = nameOf(judged);
    const by = prior.verdict === undefined ? "" : ` by ${codeSpan(prior.verdict.by)}`;
    const words = prior.verdict?.reason ?? "";
    const reason = words === "" ? "" : `: ${item(words)}`;
    return `- (${prior.number}) ${name}, ${linkOf(prior.path, place, links)}${threadOf(prior)}: ${noteOpen({ state, carriedAs })}${by}${reason}`;
  });
}

function nameOf({ severity, finding }: OpenFinding["judged"]): string {
  return `${SEVERITY_LABELS[severity]}: ${item(finding.title)}`;
}

/** "- (2) Title, `a.ts`: its rule ran again and no longer finds it". */
export function listResolved(resolved: readonly (ResolvedFinding | HiddenFinding)[]): readonly string[] {
  return resolved.map(
    ({ prior, because }) =>
      `- (${prior.number}) ${item(prior.title)}, ${renderPathLink(prior.path, null, null)}${threadOf(prior)}: ${item(because)}`,
  );
}

function linkOf(path: string, place: Place | null, { repositoryUrl, base, head }: Links): string {
  if (place === null) return renderPathLink(path, null, null);
  const commit = place.side === "old" ? base : head;
  return renderPathLink(
    place.path,
    place,
    commit === null || repositoryUrl === null ? null : `${repositoryUrl}/blob/${commit}`,
  );
}

function threadOf(prior: PriorFinding): string {
  const url = threadUrl(prior);
  return url === null ? "" : ` ([thread](${url}))`;
}

/** The address of a finding's comments, if it is safe in a link. */
export function threadUrl({ thread }: PriorFinding): string | null {
  return thread === null ? null : safeUrl(thread.url);
}

export function renderStillOpen({ stillOpen }: Publication, links: Links): string {
  const entries = listOpen(stillOpen, links);
  if (entries.length === 0) return "";
  const { kept } = fitBlocks(entries.slice(0, MAX_STILL_OPEN), MAX_EARLIER_CHARS);
  const rest = entries.slice(kept.length);
  const more =
    rest.length === 0 ? [] : [collapse(`More still open (${grouped(rest.length)})`, rest, MAX_EARLIER_CHARS)];
  return [`### Still open (${entries.length})`, "", ...kept, "", ...more].join("\n");
}

export function renderAnswered({ answered }: Pick<Publication, "answered">, links: Links): string {
  if (answered.length === 0) return "";
  const entries = renderEntries(listAnswered(answered, links), MAX_EARLIER_CHARS);
  return [`### Dismissed or accepted (${answered.length})`, "", entries, ""].join("\n");
}

/** Findings that are hidden now, and open again as soon as the reason is gone. */
export function renderHidden({ hidden }: Pick<Publication, "hidden">): string {
  if (hidden.length === 0) return "";
  const entries = renderEntries(listResolved(hidden), MAX_EARLIER_CHARS);
  return [`### Ignored or suppressed (${hidden.length})`, "", entries, ""].join("\n");
}

/** "### Resolved (2) in `1a2b3c4d5e6f`": the commit with the fixes. */
export function resolvedHeading({
  resolved,
  change: { head },
}: Pick<Publication, "resolved" | "change">): string {
  const commit = head === null ? "" : ` in ${codeSpan(head.slice(0, 12))}`;
  return `### Resolved (${resolved.length})${commit}`;
}

export function renderResolved(publication: Publication): string {
  const { resolved } = publication;
  if (resolved.length === 0) return "";
  return [
    resolvedHeading(publication),
    "",
    renderEntries(listResolved(resolved), MAX_EARLIER_CHARS),
    "",
  ].join("\n");
}
