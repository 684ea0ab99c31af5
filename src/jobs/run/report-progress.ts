/** Shows what a long review is doing in the job's record: whoever asks `kodiai jobs` sees that it lives. */
import type { JobContext } from "../recipe.ts";

/** Each is a write to the database. */
const EVERY_MS = 5_000;

/** Another reviewer, or its next turn: shown at once, since a turn can take minutes in which nothing more is told. */
const BEGINNING = /^(?:.*\bturn \d+|[^,]*)/;

export function reportProgress(
  { step }: Pick<JobContext, "step">,
  now: () => number,
): (stage: string) => void {
  let shownAt = -Infinity;
  let beginning: string | undefined;
  return (stage) => {
    const [begun] = BEGINNING.exec(stage) ?? [];
    if (begun === beginning && now() - shownAt < EVERY_MS) return;
    shownAt = now();
    beginning = begun;
    // A job that may not go on has its signal aborted, which ends the review; nobody waits for this promise.
    void step(`reviewing: ${stage}`).catch(() => {});
  };
}
