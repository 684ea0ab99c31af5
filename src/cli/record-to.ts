/** `--record FILE` of a review: writes the recording where only its owner reads it. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { WatchedReview } from "../jobs/recording/record-review.ts";
import type { ReviewDeps, ReviewRequest } from "../jobs/gathering/prepare-review.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { CliDeps } from "./command.ts";

export type RecordingFile = {
  readonly watched: WatchedReview;
  write(review: { readonly request: ReviewRequest; readonly publication: Publication }): Promise<void>;
};

export async function recordTo(
  path: string,
  reviewDeps: ReviewDeps,
  { writeFile, stderr, wallClock }: Pick<CliDeps, "writeFile" | "stderr" | "wallClock">,
): Promise<RecordingFile> {
  // Loaded only when it is wanted.
  const { isTooLarge, watchReview } = await import("../jobs/recording/record-review.ts");
  const watched = watchReview(reviewDeps, wallClock);
  return {
    watched,
    async write({ request, publication }) {
      const recording = await watched.finish(request, publication);
      const text = recording === null ? null : JSON.stringify(recording);
      if (text === null || isTooLarge(text)) throw tooLarge();
      await writeFile(path, text, { overwrite: true, isPrivate: true });
      stderr.write(`kodiai: recorded to ${printable(path)}; play it with \`kodiai replay\`\n`);
    },
  };
}

function tooLarge(): KodiaiError {
  return new KodiaiError("io", "the recording is too large to be kept", {
    hint: "Record a smaller change, such as one commit with --commit SHA.",
  });
}
