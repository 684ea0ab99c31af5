/**
 * Recognizes findings of earlier reviews. Models quote a line more or less, rephrase, and choose other categories from run to run, so
 * the identity is only the fast path: otherwise the place must be the same after mapping, and the meaning similar.
 */
import { wordOverlap } from "../../base/similarity.ts";
import type { MappedPlace, Place } from "../change/map-places.ts";
import type { PriorFinding, PriorReview } from "../context/prior-review.ts";
import type { Finding, FindingSource } from "./finding.ts";
import { findingWords, meaningOverlap } from "./finding-words.ts";
import type { Identified, Placed } from "./identify-findings.ts";
import { nameDifferentCode } from "./named-code.ts";
import { isOfTool, SAME_TITLE_OVERLAP } from "./same-defect.ts";
import { topicOf } from "./topic-of.ts";

/** A place of an earlier finding, and where it is now; null for a finding without a place. */
export type LocatedPlace = { readonly identity: string; readonly now: MappedPlace | null };

/** An earlier finding with all of its places, its own first. */
export type LocatedPrior = { readonly prior: PriorFinding; readonly places: readonly LocatedPlace[] };

export function locatePrior(
  { findings }: PriorReview,
  mapPlace: (place: Place) => MappedPlace,
): readonly LocatedPrior[] {
  return findings.map((prior) => {
    const { identity, path, side, startLine, endLine, others } = prior;
    const places = [{ identity, side, startLine, endLine }, ...others].map((place): LocatedPlace => {
      if (place.side === null || place.startLine === null || place.endLine === null)
        return { identity: place.identity, now: null };
      const { side: placeSide, startLine: from, endLine: to } = place;
      return {
        identity: place.identity,
        now: mapPlace({ path, side: placeSide, startLine: from, endLine: to }),
      };
    });
    return { prior, places };
  });
}

/** The words to recognize a finding by. A rule's finding is recognized by its rule. */
export function wordsOfFinding({ finding }: Placed): readonly string[] {
  return finding.rule === null ? findingWords(finding) : [];
}

export type PriorMatch = { readonly located: LocatedPrior; readonly place: LocatedPlace };

/**
 * The earlier finding that each report repeats. Each place of an earlier finding is repeated at most once. Reports of one group belong to
 * the same earlier finding, unless another one is clearly theirs.
 */
export function matchPrior<Found extends Identified>(
  groups: readonly (readonly Found[])[],
  located: readonly LocatedPrior[],
): ReadonlyMap<Found, PriorMatch> {
  const pairs = groups
    .flatMap((group) =>
      group.flatMap((each) =>
        located.flatMap((prior) =>
          prior.places.flatMap((place) => {
            const score = scoreOf(each, prior.prior, place);
            return score === 0 ? [] : [{ group, each, located: prior, place, score }];
          }),
        ),
      ),
    )
    .toSorted((a, b) => b.score - a.score);
  const matches = new Map<Found, PriorMatch>();
  const taken = new Set<LocatedPlace>();
  const ofGroup = new Map<readonly Found[], LocatedPrior>();
  for (const { group, each, located: prior, place, score } of pairs) {
    if (matches.has(each) || taken.has(place)) continue;
    if ((ofGroup.get(group) ?? prior) !== prior && score < SAME_RULE) continue;
    matches.set(each, { located: prior, place });
    taken.add(place);
    if (!ofGroup.has(group)) ofGroup.set(group, prior);
  }
  return matches;
}

/** Scores. Equal identities come first, then equal rules, then similar texts. */
const SAME_IDENTITY = 3;
const SAME_RULE = 2;

/** From this overlap on, a finding means the same as an earlier one at its place, and from the second on if their code is the same too. */
export const SAME_MEANING = 0.45;
const SAME_MEANING_AND_CODE = 0.3;

/** 0: another finding. Any report of the earlier finding can be the one that is repeated. */
function scoreOf(found: Identified, prior: PriorFinding, { identity, now }: LocatedPlace): number {
  const isSameCode = found.id === identity;
  if (!isSameCode && !isAtPlace(found, prior, now)) return 0;
  const own = { title: prior.title, rule: prior.rule, source: prior.source, body: "" };
  const scores = [own, ...(prior.sources ?? [])].map((report) =>
    scoreOfReport(found, { report, prior, isSameCode, isOtherPlace: identity !== prior.identity }),
  );
  return Math.max(...scores);
}

type ComparedReport = {
  readonly report: Pick<PriorFinding, "title" | "rule" | "source"> & { readonly body: string };
  readonly prior: PriorFinding;
  readonly isSameCode: boolean;
  /** It isn't the first place of the earlier finding. */
  readonly isOtherPlace: boolean;
};

function scoreOfReport(
  { finding }: Identified,
  { report, prior, isSameCode, isOtherPlace }: ComparedReport,
): number {
  // Two findings on the same code can have the same identity in different reviews.
  const lead = isSameCode ? SAME_IDENTITY : 0;
  // One finding of a rule can have several places, and its title names the code of the first only.
  const isSameRule = finding.rule !== null && finding.rule === report.rule;
  if (isSameRule && (isSameCode || isOtherPlace)) return lead + SAME_RULE;
  if (nameDifferentCode(finding, report)) return 0;
  if (finding.rule !== null && report.rule !== null)
    return finding.rule === report.rule ? lead + SAME_RULE : topicScore(finding, report);
  const titles = wordOverlap(finding.title, report.title);
  if (titles >= SAME_TITLE_OVERLAP) return lead + 1 + titles / 2;
  // A ledger that was restored may have no words.
  if (isSameCode && prior.words.length === 0) return lead;
  const known = report.body === "" ? prior.words : findingWords(report);
  const words = meaningOverlap(findingWords(finding), known);
  const least = isSameCode ? SAME_MEANING_AND_CODE : SAME_MEANING;
  return words >= least ? lead + words : topicScore(finding, report);
}

/** Tools describe the same problem differently. */
function topicScore(finding: Finding, report: ComparedReport["report"]): number {
  if (!isOfTool(finding) && !isOfTool({ source: report.source as FindingSource })) return 0;
  const topic = topicOf(finding);
  return topic !== null && topic === topicOf(report) ? 1 : 0;
}

function isAtPlace({ finding, anchor }: Identified, prior: PriorFinding, now: MappedPlace | null): boolean {
  if (now === null || anchor === null) return now === null && anchor === null && finding.path === prior.path;
  if (now.kind === "unknown") return now.path === anchor.path;
  if (now.kind === "gone" || now.path !== anchor.path || now.side !== anchor.side) return false;
  return now.startLine <= anchor.endLine && anchor.startLine <= now.endLine;
}
