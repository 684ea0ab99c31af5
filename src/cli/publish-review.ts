/** `kodiai review --pr URL --publish`: runs the same recipe as a webhook in this process, as the GitHub App or with the user's token. */
import { printable } from "../base/printable.ts";
import type { PullRequestAddress, WrittenParts } from "../forge/forge.ts";
import type { GivenConfig } from "../jobs/gathering/gather-config.ts";
import type { Job } from "../queue/queue.ts";
import type { CliDeps, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { createProgress } from "./progress.ts";
import { exitCodeOfReview, printReview } from "./print-review.ts";

/** Queues the job in the App's database. */
export async function publishAsApp(
  address: PullRequestAddress,
  isFull: boolean,
  deps: CliDeps,
): Promise<ExitCode> {
  const app = await deps.installation.openApp();
  const progress = createProgress(deps);
  try {
    const { signal } = deps;
    progress.print("kodiai: publishing as the GitHub App\n");
    const job = await app.publishReview(address, {
      isFull,
      signal,
      onStep: (step) => progress.update(step),
    });
    progress.clear();
    deps.stdout.write(endOf(job, address));
    return exitCodeOfJob(job);
  } finally {
    progress.clear();
    await app.close();
  }
}

export type TokenPublishing = {
  readonly isFull: boolean;
  readonly model: string | null;
  readonly budgetUsd: number | null;
  readonly config: GivenConfig | null;
  readonly options: ParsedArguments["options"];
};

/** Leaves nothing behind but what it publishes. */
export async function publishWithToken(
  address: PullRequestAddress,
  { isFull, options, ...given }: TokenPublishing,
  deps: CliDeps,
): Promise<ExitCode> {
  const { signal } = deps;
  const progress = createProgress(deps);
  const { origin } = address;
  const oneShot = await deps.installation.openOneShot({ ...given, origin, token: null, dataFolder: null });
  try {
    progress.print(`kodiai: publishing with the token of ${printable(oneShot.account)}\n`);
    const onStep = (step: string): void => progress.update(step);
    const { job, publication, failOn, written } = await oneShot.review(address, { isFull, signal, onStep });
    progress.clear();
    const isPrinted = options["format"] !== undefined || options["output"] !== undefined;
    (isPrinted ? deps.stderr : deps.stdout).write(endOf(job, address));
    if (written !== null) deps.stderr.write(describeUnwritten(written));
    if (publication === null || job.state !== "done") return exitCodeOfJob(job);
    if (isPrinted) await printReview(publication, options, deps);
    return exitCodeOfReview(publication, options["fail-on"] ?? failOn ?? "none");
  } finally {
    progress.clear();
    await oneShot.close();
  }
}

function endOf({ reason, state }: Job, { url }: PullRequestAddress): string {
  return `${printable(reason ?? state)}: ${url}\n`;
}

const PART_NAMES = {
  review: "the review (pull-requests: write)",
  summary: "the summary (pull-requests: write)",
  check: "the check (checks: write)",
} as const satisfies Record<keyof WrittenParts, string>;

/** One line on what is missing on the pull request, and the permissions of a workflow that it takes. */
function describeUnwritten(written: WrittenParts): string {
  const parts = [PART_NAMES.review, PART_NAMES.summary, PART_NAMES.check];
  const states = [written.review, written.summary, written.check];
  const missing = parts.filter((_, index) => states[index] === "read-only-token");
  return missing.length === 0 ? "" : `kodiai: the token may not write ${missing.join(" and ")}\n`;
}

function exitCodeOfJob({ state }: Job): ExitCode {
  if (state === "cancelled") return EXIT.interrupted;
  if (state === "failed") return EXIT.failure;
  return state === "done" ? EXIT.ok : EXIT.incomplete;
}
