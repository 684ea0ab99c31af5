/** Why no model took part in a review, on one line. */
import type { NoModelReason } from "../../../model/no-model-reason.ts";

const WORDS: Readonly<Record<NoModelReason, string>> = {
  "not-configured": "none (built-in rules only)",
  unavailable: "none (built-in rules only); the configured model is unavailable, see Degraded",
  "switched-off": "none (switched off)",
  "floor-option": "none (--model floor)",
  "offline-option": "none (--offline)",
  withheld: "not used: the hourly limit on model reviews of this pull request (`limits`) is reached",
  "nothing-to-read": "not used: the change has nothing for it to read",
  skipped: "not used: the review is skipped",
};

export function describeNoModel(reason: NoModelReason): string {
  return WORDS[reason];
}

/** How to get a model; for the operator only. */
export function adviseNoModel(reason: NoModelReason): string | null {
  return reason === "not-configured" ? "set ANTHROPIC_API_KEY or see docs/models.md" : null;
}
