/**
 * The deterministic reviewer as a Model, so that a review without a key, without money or without a network takes the same
 * path as any other. It needs no prompt, calls no tool and costs nothing.
 */
import type { Model } from "./model.ts";

/** Reviews until it is done or late; true when it came to its end. */
export type FloorReview = (isLate: () => boolean) => Promise<boolean>;

export function createFloorModel(review: FloorReview, now: () => number): Model {
  return {
    id: "floor",
    async run({ limits }, signal) {
      signal.throwIfAborted();
      const startedAt = now();
      const isWhole = await review(() => now() - startedAt > limits.deadlineMs);
      signal.throwIfAborted();
      return {
        kind: isWhole ? "completed" : "timed-out",
        stopReason: { kind: isWhole ? "finished" : "deadline" },
        model: "floor",
        turns: 0,
        tokens: { input: 0, cachedInput: 0, output: 0 },
        ms: now() - startedAt,
      };
    },
  };
}
