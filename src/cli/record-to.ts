/** `kodiai review --record FILE`: writes a recording that only the file's owner can read. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { ReviewDeps } from "../jobs/gathering/prepare-review.ts";
import type { ChangeReview } from "../jobs/review-change.ts";
import type { CliDeps } from "./command.ts";

export type RecordingFile = {
  readonly review: ChangeReview;
  write(): Promise<void>;
};

export async function recordTo(
  path: string,
  reviewDeps: ReviewDeps,
  { files, stderr, wallClock }: Pick<CliDeps, "files" | "stderr" | "wallClock">,
): Promise<RecordingFile> {
  // Loaded only with --record.
  const { isTooLarge, recordReview } = await import("../jobs/recording/record-review.ts");
  const review = recordReview(reviewDeps, undefined, wallClock);
  return {
    review,
    async write() {
      const recording = await review.recording();
      const text = recording === null ? null : JSON.stringify(recording);
      if (text === null || isTooLarge(text)) throw tooLarge();
      await files.writeFile(path, text, { overwrite: true, isPrivate: true });
      stderr.write(`kodiai: wrote the recording to ${printable(path)}; rerun it with \`kodiai replay\`\n`);
    },
  };
}

function tooLarge(): KodiaiError {
  return new KodiaiError("io", "the recording is too large to write", {
    hint: "Record a smaller change, such as one commit with --commit SHA.",
  });
}
