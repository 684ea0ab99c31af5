/**
 * Recognizes findings of earlier reviews. Models quote a line more or less, rephrase, and choose other categories from run to run, so
 * the identity is only the fast path: otherwise the place must be the same after mapping, and the meaning similar.
 */
import { wordOverlap } from "../../base/similarity.ts";
import type { MappedPlace, Place } from "../change/map-places.ts";
import type { PriorFinding, PriorReview } from "../context/prior-review.ts";
import type { FindingSource } from "./finding.ts";
import { findingWords, meaningOverlap, SAME_MEANING } from "./finding-words.ts";
import { type Identified, isOfTool, type Placed, SAME_TITLE_OVERLAP } from "./identify-findings.ts";
import { nameDifferentCode } from "./named-code.ts";
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
export function wordsOfFinding({ finding, anchor }: Placed): readonly string[] {
  return finding.rule === null ? findingWords(finding, anchor?.lines ?? []) : [];
}

/** The earlier finding that each finding repeats. Each place of an earlier finding is repeated at most once. */
export function matchPrior<Found extends Identified>(
  found: readonly Found[],
  located: readonly LocatedPrior[],
): ReadonlyMap<Found, { readonly located: LocatedPrior; readonly place: LocatedPlace }> {
  const pairs = found
    .flatMap((each) =>
      located.flatMap((prior) =>
        prior.places.flatMap((place) => {
          const score = scoreOf(each, prior.prior, place);
          return score === 0 ? [] : [{ each, located: prior, place, score }];
        }),
      ),
    )
    .toSorted((a, b) => b.score - a.score);
  const matches = new Map<Found, { readonly located: LocatedPrior; readonly place: LocatedPlace }>();
  const taken = new Set<LocatedPlace>();
  for (const { each, located: prior, place } of pairs) {
    if (matches.has(each) || taken.has(place)) continue;
    matches.set(each, { located: prior, place });
    taken.add(place);
  }
  return matches;
}

/** 0: another finding. Equal identities come first, then equal rules, then similar texts. */
function scoreOf(found: Identified, prior: PriorFinding, { identity, now }: LocatedPlace): number {
  const isSameCode = found.id === identity;
  if (!isSameCode && !isAtPlace(found, prior, now)) return 0;
  const { finding, anchor } = found;
  if (nameDifferentCode(finding.title, prior.title)) return 0;
  // Two findings on the same code can have the same identity in different reviews.
  const lead = isSameCode ? 3 : 0;
  if (finding.rule !== null && prior.rule !== null)
    return finding.rule === prior.rule ? lead + 2 : topicScore(found, prior);
  const titles = wordOverlap(finding.title, prior.title);
  if (titles >= SAME_TITLE_OVERLAP) return lead + 1 + titles / 2;
  // A ledger that was restored may have no words.
  if (isSameCode && prior.words.length === 0) return lead;
  const words = meaningOverlap(findingWords(finding, anchor?.lines ?? []), prior.words);
  const least = isSameCode ? SAME_MEANING / 2 : SAME_MEANING;
  return words >= least ? lead + words : topicScore(found, prior);
}

/** Tools describe the same problem differently. */
function topicScore({ finding }: Identified, prior: PriorFinding): number {
  if (!isOfTool(finding) && !isOfTool({ source: prior.source as FindingSource })) return 0;
  const topic = topicOf(finding);
  return topic !== null && topic === topicOf(prior) ? 1 : 0;
}

function isAtPlace({ finding, anchor }: Identified, prior: PriorFinding, now: MappedPlace | null): boolean {
  if (now === null || anchor === null) return now === null && anchor === null && finding.path === prior.path;
  if (now.kind === "unknown") return now.path === anchor.path;
  if (now.kind === "gone" || now.path !== anchor.path || now.side !== anchor.side) return false;
  return now.startLine <= anchor.endLine && anchor.startLine <= now.endLine;
}
