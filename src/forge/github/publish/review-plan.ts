/** The markers of a review of one head, and the findings that move to the summary. */
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
  /** The review as composed with nothing moved. It identifies the review, whatever GitHub rejects. */
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

/** Returns the findings that moved to the summary according to a marker. */
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

/** Reads the marker of a review of this head and request. Null if the text has no valid one. */
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

/** Distinguishes the findings of one review. A short hash is enough for that. */
function shortHash(findingId: string): string {
  return hashParts([findingId], 12);
}
