/** The thumbs-down that a suppression is based on. */
import { count } from "../../base/count.ts";
import type { Feedback } from "../../memory/feedback.ts";

export type ShownEvidence = {
  readonly thumbsDown: number;
  readonly people: number;
  readonly pullRequests: number;
};

/** Only signals that teach count. */
export function evidenceOf(feedback: readonly Feedback[]): ShownEvidence {
  const rows = feedback.filter(({ signal, teaches }) => signal === "thumbs-down" && teaches);
  return {
    thumbsDown: rows.length,
    people: new Set(rows.map(({ person }) => person)).size,
    pullRequests: new Set(rows.map(({ pullRequest }) => pullRequest)).size,
  };
}

export function describeEvidence({ thumbsDown, people, pullRequests }: ShownEvidence): string {
  return `${thumbsDown} thumbs-down by ${count(people, "person", "people")} on ${count(pullRequests, "pull request")}`;
}
