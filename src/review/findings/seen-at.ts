/** Puts the places where a problem was seen outside the change into words, and joins those of merged findings. */
import { count } from "../../base/count.ts";
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SeenPlace } from "../context/prior-review.ts";
import type { Anchor, Finding } from "./finding.ts";

/** The others are counted. */
const MAX_NAMED_PLACES = 5;

/** A change can break thousands of calls. More than these help no one. */
const MAX_SEEN_PLACES = 50;

/** "src/a.ts:3". */
export function nameSeenPlace({ path, startLine }: SeenPlace): string {
  return `${path}:${startLine}`;
}

/** Finds the name as a whole in a text: "src/a.ts:3" isn't in "lib/src/a.ts:3" or "src/a.ts:31". */
export function seenPlacePattern(name: string): RegExp {
  return new RegExp(`(?<![\\w./-])${escapePattern(name)}(?!\\d)`, "g");
}

/** Each place of the findings once. Nothing when none was seen outside the change. */
export function joinSeenAt(findings: readonly Finding[]): Pick<Finding, "seenAt"> {
  const known = findings.flatMap(({ seenAt }) => (seenAt === undefined ? [] : [seenAt]));
  if (known.length === 0) return {};
  const byName = new Map(known.flat().map((place) => [nameSeenPlace(place), place]));
  return { seenAt: [...byName.values()].slice(0, MAX_SEEN_PLACES) };
}

/** Names the places that the text doesn't name. The finding's own place is shown with it. */
export function withSeenAt(finding: Finding, anchor: Anchor | null): Finding {
  const names = (finding.seenAt ?? [])
    .filter(({ path, startLine }) => path !== anchor?.path || startLine !== anchor.startLine)
    .map(nameSeenPlace)
    .filter((name) => !seenPlacePattern(name).test(finding.body));
  if (names.length === 0) return finding;
  const rest = names.length - MAX_NAMED_PLACES;
  const named = names.slice(0, MAX_NAMED_PLACES).join(", ");
  const more = rest > 0 ? ` and ${count(rest, "more place")}` : "";
  return { ...finding, body: `${finding.body}\n\nSeen at ${named}${more}.` };
}
