/** Measures how long each stage of a pack takes. A stage ends when the next one begins. */
import type { PackDeps, PackResult, PackStage } from "./pack-request.ts";

export type Stopwatch = {
  readonly onStage: PackDeps["onStage"];
  stop(): PackResult["timings"];
};

export function createStopwatch({ now, onStage }: Pick<PackDeps, "now" | "onStage">): Stopwatch {
  const timings = { listing: 0, indexing: 0, history: 0, ranking: 0, fitting: 0 };
  let current: PackStage["kind"] = "listing";
  let since = now();
  const turn = (next: PackStage["kind"]): void => {
    const at = now();
    timings[current] += at - since;
    current = next;
    since = at;
  };
  return {
    onStage(stage) {
      turn(stage.kind);
      onStage(stage);
    },
    stop() {
      turn("fitting");
      const rounded = Object.entries(timings).map(([kind, ms]) => [kind, Math.round(ms)]);
      return { ...timings, ...Object.fromEntries(rounded) };
    },
  };
}
