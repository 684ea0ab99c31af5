/** `kodiai review --pr URL --publish`: queues the same job as a webhook and runs it in this process with the same worker code. */
import { printable } from "../base/printable.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import type { CliDeps } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { createProgress } from "./progress.ts";

export async function publishPullRequestReview(
  address: PullRequestAddress,
  isFull: boolean,
  deps: CliDeps,
): Promise<ExitCode> {
  const app = await deps.installation.openApp();
  const progress = createProgress(deps);
  try {
    const { signal } = deps;
    const job = await app.publishReview(address, {
      isFull,
      signal,
      onStep: (step) => progress.update(step),
    });
    progress.clear();
    deps.stdout.write(`${printable(job.reason ?? job.state)}: ${address.url}\n`);
    if (job.state === "cancelled") return EXIT.interrupted;
    if (job.state === "failed") return EXIT.failure;
    return job.state === "done" ? EXIT.ok : EXIT.incomplete;
  } finally {
    progress.clear();
    await app.close();
  }
}
