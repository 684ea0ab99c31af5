/** What a review of one head is recognised by, and which of its findings are told in the summary instead. */
import { hashParts } from "../../../base/hash.ts";
import type {
  InlineComment,
  MovedFinding,
  PullRequestPublication,
} from "../../../review/publication/pull-request-publication.ts";
import type { MarkerContent } from "../markers.ts";
import { scopeOf, type Publishing } from "./publishing.ts";

export type GithubReviewPlan = {
  readonly publishing: Publishing;
  /** As composed with nothing moved: what a review is recognised by, whatever GitHub refuses of it. */
  readonly review: NonNullable<PullRequestPublication["review"]>;
  readonly bodyHash: string;
};

/** For people, below a finding whose line could not be commented on. */
const LINE_REFUSED = "GitHub doesn't allow a comment on that line";

export function planGithubReview(
  publishing: Publishing,
  review: GithubReviewPlan["review"],
): GithubReviewPlan {
  const comments = review.comments.map((comment) => JSON.stringify(comment));
  return { publishing, review, bodyHash: hashParts([review.event, review.body, ...comments]) };
}

/** The findings that a marker says are told in the summary instead. */
export function movedFindings(
  marker: string,
  { publishing, review }: Pick<GithubReviewPlan, "publishing" | "review">,
): readonly MovedFinding[] {
  const content = readMarker(publishing, marker);
  const moved = new Set(content?.moved);
  return review.comments.filter(({ findingId }) => moved.has(shortHash(findingId))).map(toMoved);
}

export function toMoved({ findingId }: InlineComment): MovedFinding {
  return { findingId, reason: LINE_REFUSED };
}

/** What the marker of a review of this head and request carries; null when the text has none of ours. */
export function readMarker(publishing: Publishing, text: string): MarkerContent | null {
  return publishing.markers.read(scopeOf(publishing, "review"), text);
}

export function renderMarker(plan: GithubReviewPlan, moved: readonly MovedFinding[]): string {
  const hashes = moved.map(({ findingId }) => shortHash(findingId));
  return renderContent(plan, { bodyHash: plan.bodyHash, moved: hashes });
}

export function renderContent({ publishing }: GithubReviewPlan, content: MarkerContent): string {
  return publishing.markers.render(scopeOf(publishing, "review"), content);
}

/** Tells the findings of one review apart; a marker need not be long for that. */
function shortHash(findingId: string): string {
  return hashParts([findingId], 12);
}
