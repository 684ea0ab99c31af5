/** Composes what the next review of a change has to know about this one: what was read, and where every finding is. */
import type { Change } from "../../change/change.ts";
import { type FileReadings, packReadings, UNCOMMITTED } from "../../change/readings.ts";
import { MAX_PRIOR_RUNS } from "../../context/prior-findings.ts";
import type { PriorFinding, PriorReview, PriorSource } from "../../context/prior-review.ts";
import { wordsOfFinding } from "../../findings/match-prior.ts";
import type { Settled } from "../../findings/settle-prior.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { unresolvedOf } from "../words.ts";

export type PriorReviewInput = {
  readonly change: Change;
  readonly prior: PriorReview;
  readonly publication: Publication;
  readonly settled: Settled;
  readonly readings: readonly FileReadings[];
  /** Identifies the configuration. */
  readonly config: string;
};

export function composePriorReview(input: PriorReviewInput): PriorReview {
  const { change, prior, publication, settled, readings, config } = input;
  const run = {
    base: change.base ?? UNCOMMITTED,
    head: change.head ?? UNCOMMITTED,
    config,
    readings: packReadings(readings),
    files: change.files,
  };
  const reported = publication.findings.map(toPrior);
  const known = new Set(reported.map(({ identity }) => identity));
  const earlier = prior.findings
    .filter(({ identity }) => !known.has(identity))
    .flatMap((finding) => update(finding, settled, publication));
  return { runs: [run, ...prior.runs].slice(0, MAX_PRIOR_RUNS), findings: [...reported, ...earlier] };
}

/** Enough to recognize a finding after several rewordings. */
const MAX_WORDS = 120;

function update(
  finding: PriorFinding,
  { hidden, resolved, places, words }: Settled,
  publication: Publication,
): readonly PriorFinding[] {
  const open = unresolvedOf(publication).find(({ prior }) => prior === finding);
  const settled = open ?? [...hidden, ...resolved].find(({ prior }) => prior === finding);
  const judged = open?.judged;
  // Its comment will be read again.
  if (finding.isOnlyComment === true && judged === undefined) return [];
  const here = <Old extends { readonly identity: string }>(old: Old): Old => {
    const place = places.get(old.identity);
    if (place === undefined) return old;
    const { side, startLine, endLine } = place;
    return { ...old, side, startLine, endLine };
  };
  const updated: PriorFinding = {
    ...here(judged === undefined ? finding : known(finding, judged)),
    path: places.get(finding.identity)?.path ?? finding.path,
    others: finding.others.map(here),
    words: [...new Set([...finding.words, ...(words.get(finding.identity) ?? [])])].slice(0, MAX_WORDS),
    ...(judged === undefined ? {} : { severity: judged.severity, sources: toSources(judged) }),
    state: settled?.state ?? finding.state,
  };
  return [updated];
}

/** A finding of which only the comment was known is found again, and known from now on. */
function known(finding: PriorFinding, judged: PublishedFinding): PriorFinding {
  const { isOnlyComment = false, ...rest } = finding;
  if (!isOnlyComment) return finding;
  const { state: _state, thread: _thread, identity: _identity, number: _number, ...now } = toPrior(judged);
  return { ...rest, ...now };
}

/** Reports without their place and code, which are in the change. */
function toSources({ sources = [] }: Pick<PublishedFinding, "sources">): readonly PriorSource[] {
  return sources.map(
    ({
      path: _path,
      quote: _quote,
      lineHint: _line,
      sideHint: _side,
      ignoredBecause: _why,
      causedBy: _cause,
      ...source
    }) => source,
  );
}

function toPrior({
  id,
  number,
  finding,
  anchor,
  severity,
  others = [],
  sources = [],
  reopens,
}: PublishedFinding): PriorFinding {
  const { title, category, rule, source, path } = finding;
  const side = anchor?.side ?? null;
  return {
    identity: id,
    number,
    path: anchor?.path ?? path,
    side,
    startLine: anchor?.startLine ?? null,
    endLine: anchor?.endLine ?? null,
    others: others.map(({ id: identity, startLine, endLine }) => ({ identity, side, startLine, endLine })),
    title,
    words: [...new Set([...wordsOfFinding({ finding, anchor }), ...(reopens?.words ?? [])])],
    severity,
    category,
    rule,
    source,
    sources: toSources({ sources }),
    state: "open",
    thread: null,
  };
}
