/**
 * The recipe in which a model reads one reply to a finding whose words alone say nothing clear. A row claims the reply before the model is
 * asked, so no crash pays for it twice. The model's reading counts like the person's own word: it teaches, and a new learning is
 * announced in the thread, once.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Forge, ForgeSession, PullRequest, ReviewThread, ThreadReply } from "../../forge/forge.ts";
import { explainedPattern } from "../../memory/explain-rejection.ts";
import type { ReplyReading } from "../../memory/feedback.ts";
import { codeSpan, neutraliseInline } from "../../review/publication/render/safe-markdown.ts";
import type { Sql } from "../../store/database.ts";
import { readReported } from "../../store/repositories/findings.ts";
import { listLearnings, type StoredLearning } from "../../store/repositories/learnings.ts";
import { readRememberedBody } from "../../store/repositories/memories.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import {
  claimReplyReading,
  keepReplyReading,
  readReplyReadings,
  releaseReplyReading,
} from "../../store/repositories/reply-readings.ts";
import { readBranchConfig } from "../gathering/read-branch-config.ts";
import type { JobStore } from "../job-store.ts";
import { countedModels, keepModelFigures } from "../mentions/converse/counted-models.ts";
import { finishRunsOf } from "../mentions/converse/finish-conversation.ts";
import { type ModelSource, pullRequestModels } from "../reading/pull-request-models.ts";
import type { JobContext, JobOutcome, Recipe } from "../recipe.ts";
import { statisticsDays } from "../run/figure-origin.ts";
import { startRun } from "../run/run-record.ts";
import { planSettle } from "../settling/settle-job.ts";
import { askAboutReply } from "./ask-about-reply.ts";
import { replyKey } from "./collect-signals.ts";
import { learnFromFeedback } from "./learn-from-feedback.ts";
import { parseReplyJob, type ReplyJob } from "./reply-job.ts";

export type ReplyDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly store: JobStore;
  readonly models: ModelSource;
};

export function createReplyRecipe(deps: ReplyDeps): Recipe {
  return {
    async run(context) {
      const job = parseReplyJob(context.job.payload);
      const session = deps.forge.openSession(job.repositoryRef);
      try {
        await context.step("reading a reply");
        const reason = await readReply({ job, session, context }, deps);
        await finishRunsOf(context.job, reason, deps.store);
        return toOutcome(reason);
      } catch (error) {
        if (!(error instanceof KodiaiError) || error.code !== "not-found" || error.retryable) throw error;
        await finishRunsOf(context.job, "skipped:not-found", deps.store);
        return toOutcome("skipped:not-found");
      } finally {
        await session.close();
      }
    },
    giveUp: (job, { reason }) => finishRunsOf(job, reason, deps.store),
  };
}

function toOutcome(reason: string): JobOutcome {
  return { state: reason.startsWith("skipped:") ? "skipped" : "done", reason };
}

type Attempt = {
  readonly job: ReplyJob;
  readonly session: ForgeSession;
  readonly context: JobContext;
};

type Found = {
  readonly pullRequest: PullRequest;
  readonly config: RepoConfig;
  readonly thread: ReviewThread;
  readonly reply: ThreadReply;
};

/** No answer will come: the model gave none, or the process crashed while it was asked. */
const UNREAD = "done:unread";

async function readReply(attempt: Attempt, deps: ReplyDeps): Promise<string> {
  const { job, session, context } = attempt;
  const { database, queue } = deps.store;
  const { repositoryRef, number, key } = job;
  const { repositoryId } = repositoryRef;
  const found = await findReply(attempt);
  if (typeof found === "string") return found;
  const readings = await readReplyReadings({ repositoryId, pullRequest: number }, database);
  const reading = readings.find((each) => each.key === key) ?? (await ask(found, attempt, deps));
  if (typeof reading === "string") return reading;
  if (reading.verdict === null) return UNREAD;
  const settling = planSettle({ repositoryRef, number, name: `reply/${context.job.id}` });
  const onChange = async (sql: Sql): Promise<void> => void (await queue.enqueue([settling], sql));
  await learnFromFeedback({ number, repositoryId, session, onChange }, deps.store);
  queue.wake();
  if (reading.verdict === "disagrees") await announce(found, reading, attempt, deps);
  return `done:${reading.verdict}`;
}

/** The reply as it is now, or why it isn't read. */
async function findReply({ job, session, context }: Attempt): Promise<Found | string> {
  const pullRequest = await session.pullRequests.read(job.number);
  const { baseRef, isPrivate } = pullRequest;
  const { tree } = await readBranchConfig({ branch: baseRef, isPrivate }, session.contents);
  const config = tree.root.values;
  context.keepStatistics(statisticsDays(config.telemetry));
  if (!config.memory.enabled) return "skipped:memory-off";
  for (const thread of await session.reviews.readThreads(job.number)) {
    const reply = thread.replies.find((each) => replyKey(each) === job.key);
    if (reply !== undefined) return { pullRequest, config, thread, reply };
  }
  return "skipped:reply-gone";
}

/** Reasons are short, so a little thinking is enough. */
const EFFORT = "low";

async function ask(
  { pullRequest, config, reply }: Found,
  { job, context }: Attempt,
  { store, models }: ReplyDeps,
): Promise<ReplyReading | string> {
  const { database, now } = store;
  const { repositoryRef, number, identity, key } = job;
  const scope = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const finding = (await readReported(scope, database)).find((each) => each.identity === identity);
  if (finding === undefined || finding.category === "security") return "skipped:no-finding";
  const { path, title } = finding;
  const body = (await readRememberedBody({ ...scope, identity }, database)) ?? "";
  const run = await startRun(
    { jobId: context.job.id, repositoryRef, pullRequest: number, base: "", head: "", triggers: "reply" },
    store,
  );
  const permit = { isGranted: true, login: reply.author.login, isOutsider: false };
  const access = pullRequestModels({ pullRequest, run, permit }, { models, database, now });
  const counted = countedModels(access, "reply");
  const cheap = { ...config, review: { ...config.review, effort: EFFORT } } as const;
  const [model] = (await counted.models.choice.choose(cheap)).models;
  if (!(await claimReplyReading({ ...scope, key, url: reply.url, at: now() }, database))) return UNREAD;
  // It isn't tried again with each look at the pull request.
  if (model === undefined) return "skipped:no-model";
  try {
    const facts = { title, body, path, reply: reply.body };
    const question = { facts, model, access: counted.models, config };
    const answer = await askAboutReply(question, { now, signal: context.signal });
    if (answer.kind === "unaffordable") {
      await releaseReplyReading({ ...scope, key }, database);
      return "skipped:over-budget";
    }
    if (answer.kind === "no-answer") {
      context.log.warn("a reply stays unread", { model: model.id, reason: answer.reason });
      return UNREAD;
    }
    await keepReplyReading({ ...scope, key }, answer.reading, database);
    return { key, url: reply.url, ...answer.reading };
  } finally {
    keepModelFigures({ counted }, { repositoryRef, context }, config, store);
  }
}

/** Says in the thread what was learned. After a crash, the same call finds the comment again. */
async function announce(
  { thread, reply }: Found,
  reading: ReplyReading,
  { job, session, context }: Attempt,
  { store }: ReplyDeps,
): Promise<void> {
  const { repositoryRef, number } = job;
  const { repositoryId } = repositoryRef;
  const { database, now } = store;
  const learnings = await listLearnings(repositoryId, now(), database);
  const learned = learnings.find((each) => explainedPattern(each) !== null && each.provenance === reply.url);
  if (learned === undefined) return;
  // An edited reply doesn't get another answer.
  const request = `reply/${replyKey({ url: reply.url, body: "" })}`;
  const journal = createPublicationJournal(database, {
    repositoryId,
    pullRequest: number,
    head: "",
    request,
    now,
  });
  const isLost = async (): Promise<boolean> => (await context.lease()) === "lost";
  const body = wordsOf(learned, reading, await session.mention());
  await session.comments.answer({
    repositoryRef,
    number,
    threadRoot: thread.root,
    request,
    body,
    journal,
    isLost,
  });
}

function wordsOf(
  { id, text }: Pick<StoredLearning, "id" | "text">,
  { reason }: ReplyReading,
  mention: string,
): string {
  return [
    `I'll remember: ${neutraliseInline(reason === "" ? text : reason)}`,
    `Reviews take this into account from now on. ${codeSpan(`${mention} forget l${id}`)} takes it back.`,
  ].join("\n\n");
}
