/** Performs what an event asks for, and returns the reviews that came of it. Publishing is the engine's part. */
import { resolve } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import type { OneShot, OneShotResult } from "../cli/app.ts";
import type { CliDeps } from "../cli/command.ts";
import { exitCodeOfReview } from "../cli/print-review.ts";
import { EXIT } from "../cli/exit-code.ts";
import { CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import { readSarif } from "../cli/read-sarif.ts";
import type { Change } from "../review/change/change.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { ActionTask } from "./events.ts";
import { type ActionContext, reviewRange } from "./review-range.ts";

/** Why a review isn't in comments of a pull request. */
export type NoCommentsReason = "read-only-token" | "comments-off" | "no-pull-request";

export type ShownReview = {
  /** For people: "pull request 7", "push to main". */
  readonly title: string;
  readonly publication: Publication;
  /** Null if the pull request has it. */
  readonly noComments: NoCommentsReason | null;
  /** A finding is at least as severe as the input or the configuration allows. */
  readonly isFailure: boolean;
};

/** The reason is one of a job, of an event, or of the table of events. */
export type NoReview = { readonly title: string; readonly reason: string };

export type Performed = {
  readonly reviews: readonly ShownReview[];
  readonly withoutReview: readonly NoReview[];
};

/** A scheduled run reviews at most this many pull requests; the next one goes on. A job has six hours, and a review takes minutes. */
const MAX_REVIEWED = 20;

/** It looks at this many, those that changed last first. Each costs a fetch, even if its head has a review. */
const MAX_SWEPT = 100;

export async function performTask(
  task: ActionTask,
  context: ActionContext,
  deps: CliDeps,
): Promise<Performed> {
  switch (task.kind) {
    case "nothing":
      return { reviews: [], withoutReview: [{ title: context.job.event.name, reason: task.reason }] };
    case "range": {
      const { publication, isFailure } = await reviewRange(task.range, context, deps);
      const { description: title } = task.range;
      return {
        reviews: [{ title, publication, isFailure, noComments: "no-pull-request" }],
        withoutReview: [],
      };
    }
    case "deliver":
      // An answer is a comment.
      if (task.event !== "pull_request" && context.inputs.comments === "none")
        return { reviews: [], withoutReview: [{ title: task.event, reason: "comments-off" }] };
      return withOneShot({ ...context, mayRepeat: true }, deps, (oneShot) =>
        deliverEvent(oneShot, task.event, context, deps),
      );
    case "pull-request":
      return withOneShot({ ...context, mayRepeat: true }, deps, async (oneShot) => {
        const address = addressOf(task.number, context);
        return performedOf([await reviewOne(oneShot, address, context, deps)], context);
      });
    case "open-pull-requests":
      return withOneShot({ ...context, mayRepeat: false }, deps, (oneShot) => sweep(oneShot, context, deps));
  }
}

async function withOneShot(
  { job, inputs, mayRepeat }: ActionContext & { readonly mayRepeat: boolean },
  deps: CliDeps,
  work: (oneShot: OneShot) => Promise<Performed>,
): Promise<Performed> {
  if (inputs.token === null)
    throw new KodiaiError("usage", "the input github-token is empty", {
      hint: "Leave it out to use the job's own token.",
    });
  const inWorkspace = (path: string): string => resolve(job.workspace, path);
  const config =
    inputs.config === null
      ? null
      : {
          path: inputs.config,
          bytes: await deps.files.readFile(inWorkspace(inputs.config), CONFIG_READ_BYTES),
        };
  const { model, budgetUsd, token, comments, verify } = inputs;
  const sarif = await readSarif(inputs.sarifIn.map(inWorkspace), { files: deps.files, cwd: job.workspace });
  const readSarifOf = (change: Change) => sarif.report(change, null);
  const oneShot = await deps.installation.openOneShot({
    origin: job.serverUrl,
    token,
    dataFolder: null,
    config,
    model,
    budgetUsd,
    choices: { comments, verify, readSarif: readSarifOf, mayRepeat },
  });
  try {
    return await work(oneShot);
  } finally {
    await oneShot.close();
  }
}

/** A job's log shows each step once, not each heartbeat. */
function waiting({ signal, stderr }: CliDeps) {
  let last = "";
  return {
    signal,
    onStep(step: string) {
      if (step !== last) stderr.write(`kodiai: ${step}\n`);
      last = step;
    },
  };
}

async function deliverEvent(
  oneShot: OneShot,
  event: string,
  context: ActionContext,
  deps: CliDeps,
): Promise<Performed> {
  const { job } = context;
  const { skipped, results } = await oneShot.deliver(
    { id: job.runId, event, body: job.eventText },
    waiting(deps),
  );
  if (skipped !== null) return { reviews: [], withoutReview: [{ title: job.event.name, reason: skipped }] };
  return performedOf(results, context);
}

function reviewOne(
  oneShot: OneShot,
  address: PullRequestAddress,
  { inputs }: ActionContext,
  deps: CliDeps,
): Promise<OneShotResult> {
  return oneShot.review(address, { ...waiting(deps), isFull: inputs.isFull });
}

async function sweep(oneShot: OneShot, context: ActionContext, deps: CliDeps): Promise<Performed> {
  const results: OneShotResult[] = [];
  const { owner, name } = context.job;
  for await (const number of oneShot.listOpenNumbers(owner, name)) {
    results.push(await reviewOne(oneShot, addressOf(number, context), context, deps));
    const reviewed = results.filter(({ publication }) => publication !== null);
    if (reviewed.length >= MAX_REVIEWED || results.length >= MAX_SWEPT) break;
  }
  return performedOf(results, context);
}

function addressOf(number: number, { job }: ActionContext): PullRequestAddress {
  const { serverUrl: origin, owner, name } = job;
  return { url: `${origin}/${owner}/${name}/pull/${number}`, origin, owner, name, number };
}

function performedOf(results: readonly OneShotResult[], context: ActionContext): Performed {
  for (const { job } of results) throwIfFailed(job);
  return {
    reviews: results.flatMap((result) => shownReview(result, context)),
    withoutReview: results.flatMap(({ job, publication }) =>
      publication === null ? [{ title: job.kind, reason: job.reason ?? job.state }] : [],
    ),
  };
}

function throwIfFailed({ state, reason, kind }: OneShotResult["job"]): void {
  if (state === "cancelled")
    throw new KodiaiError("cancelled", "the job was cancelled", {
      hint: "Run it again. Kodiai continues where it stopped.",
    });
  if (state === "failed")
    throw new KodiaiError("network", `${kind} failed: ${reason ?? "no reason was recorded"}`, {
      hint: "Run the job again. Kodiai continues where it stopped.",
    });
}

function shownReview(
  { publication, written, failOn }: OneShotResult,
  { inputs }: ActionContext,
): readonly ShownReview[] {
  if (publication === null) return [];
  const level = inputs.failOn ?? failOn ?? "none";
  const isReadOnly = written !== null && [written.review, written.summary].includes("read-only-token");
  return [
    {
      title: publication.change.description,
      publication,
      noComments: isReadOnly ? (inputs.comments === "none" ? "comments-off" : "read-only-token") : null,
      isFailure: exitCodeOfReview(publication, level) === EXIT.findings,
    },
  ];
}
