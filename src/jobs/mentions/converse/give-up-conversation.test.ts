import assert from "node:assert/strict";
import { test } from "node:test";
import { engineNamed, withStore } from "../../../../test/support/queue-contract/engines.ts";
import { KodiaiError } from "../../../base/errors.ts";
import type { AnswerRequest, Forge } from "../../../forge/forge.ts";
import type { Job } from "../../../queue/queue.ts";
import type { Database } from "../../../store/database.ts";
import { claimMention, endMention, saveResult } from "../../../store/repositories/mentions.ts";
import { claimRun, readRunsOfJob } from "../../../store/repositories/runs.ts";
import type { GivingUp } from "../../recipe.ts";
import { type MentionJob, planConversation } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import { giveUpConversation } from "./give-up-conversation.ts";
import { renderKeptResult } from "./kept-result.ts";

const NOW = 1_000;

const mention: MentionJob = {
  repositoryRef: {
    host: "github.com",
    installationId: 1,
    forgeId: 2,
    repositoryId: 2,
    owner: "acme",
    name: "shop",
  },
  place: { number: 7, target: { kind: "issue-comment", id: 5 }, threadRoot: null },
  isPullRequest: true,
  requester: { login: "ada", isBot: false, isInsider: true },
  requesterId: 9,
  command: { kind: "ask", question: "why?" },
  requestId: "r",
  writtenAt: NOW,
};

const key = { repositoryId: 2, number: 7, request: "r" };

const FAILED: GivingUp = { kind: "failed", reason: "failed:poison", message: "It crashed." };

// Only these fields are read.
const job = { id: 3, ...planConversation(mention, true) } as unknown as Job;

type Written = { readonly answers: string[]; readonly reactions: string[] };

/** A mention and its open run, as a job that was given up leaves them. */
async function giveUp(database: Database, why: GivingUp, refusal: Error | null = null): Promise<Written> {
  const written: Written = { answers: [], reactions: [] };
  const session = {
    comments: {
      async answer({ body }: AnswerRequest) {
        if (refusal !== null) throw refusal;
        written.answers.push(body);
      },
      react: async (_target: unknown, reaction: string) => void written.reactions.push(reaction),
    },
    limitWrites: () => {},
    close: async () => {},
  };
  // The other methods aren't called.
  const forge = { openSession: () => session } as unknown as Forge;
  await giveUpConversation(job, why, { forge, store: { database, now: () => NOW } });
  return written;
}

async function begin(database: Database): Promise<void> {
  await claimMention({ ...key, login: "ada", command: "ask", at: NOW }, database);
  const { installationId, repositoryId } = mention.repositoryRef;
  await claimRun(
    {
      jobId: job.id,
      installationId,
      repositoryId,
      repository: "acme/shop",
      pullRequest: 7,
      base: "",
      head: "",
      triggers: "mention:ask",
      startedAt: NOW,
    },
    database,
  );
}

async function endOf(database: Database) {
  const [run] = await readRunsOfJob(job.id, database);
  const row = await claimMention({ ...key, login: "ada", command: "ask", at: NOW }, database);
  return [row.outcome, run?.status];
}

const sqlite = engineNamed("sqlite");

test("a job that fails for good says so in one line, and its mention and run end", () =>
  withStore(sqlite, async ({ database }) => {
    await begin(database);
    const { answers, reactions } = await giveUp(database, FAILED);
    assert.equal(answers.length, 1);
    assert.match(answers[0] ?? "", /^Kodiai couldn't answer \(`failed:poison`\)\. Comment again to retry\./);
    assert.deepEqual(reactions, ["confused"]);
    assert.deepEqual(await endOf(database), ["failed:poison", "failed"]);
    // Given up again after a crash: nothing more is said.
    assert.deepEqual(await giveUp(database, FAILED), { answers: [], reactions: [] });
  }));

test("a kept reply is posted instead of the failure", () =>
  withStore(sqlite, async ({ database }) => {
    await begin(database);
    const reply: Reply = { body: "Because.", reaction: "+1", outcome: "answered:ask" };
    await saveResult(key, renderKeptResult({ reply }), database);
    assert.deepEqual(await giveUp(database, FAILED), { answers: ["Because."], reactions: ["+1"] });
    assert.deepEqual(await endOf(database), ["answered:ask", "answered"]);
  }));

test("a cancelled job says so", () =>
  withStore(sqlite, async ({ database }) => {
    await begin(database);
    const why: GivingUp = { kind: "cancelled", reason: "cancelled:by-hand", message: "" };
    const { answers, reactions } = await giveUp(database, why);
    assert.deepEqual([answers, reactions], [["An operator cancelled this request."], ["confused"]]);
    assert.deepEqual(await endOf(database), ["failed:cancelled:by-hand", "failed"]);
  }));

test("a mention ends even if GitHub is unavailable, and its run with it", () =>
  withStore(sqlite, async ({ database }) => {
    await begin(database);
    const unavailable = new KodiaiError("network", "no answer", { hint: "Wait.", retryable: true });
    await assert.rejects(giveUp(database, FAILED, unavailable), unavailable);
    assert.deepEqual(await endOf(database), ["failed:poison", "failed"]);
  }));

test("a mention that has ended gets nothing, and its run ends like it", () =>
  withStore(sqlite, async ({ database }) => {
    await begin(database);
    await endMention(key, { outcome: "answered:ask", at: NOW }, database);
    assert.deepEqual(await giveUp(database, FAILED), { answers: [], reactions: [] });
    assert.deepEqual(await endOf(database), ["answered:ask", "answered"]);
  }));
