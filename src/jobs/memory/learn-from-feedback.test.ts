/** Learnings of one problem that two pull requests described in their own words: they join, and go with what taught them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { ForgeSession, PullRequest, ReviewThread } from "../../forge/forge.ts";
import { memoryText } from "../../memory/memory-text.ts";
import { patternOf } from "../../memory/pattern-of.ts";
import { termsOf } from "../../memory/terms-of.ts";
import type { Database } from "../../store/database.ts";
import { writeFeedbackPoll } from "../../store/repositories/feedback-polls.ts";
import { writeLedger } from "../../store/repositories/findings.ts";
import { listLearnings } from "../../store/repositories/learnings.ts";
import { putMemories } from "../../store/repositories/memories.ts";
import { writeMemoryRepository } from "../../store/repositories/memory-repositories.ts";
import { deleteStoredLearning } from "./forget-memory.ts";
import { learnFromFeedback } from "./learn-from-feedback.ts";

const REPOSITORY = 42;
const URL = "https://example.org/octo/cat/pull";
const NOW = 1_000;
const REASON = "It reports its own errors, so we never await it.";

const BEN = { login: "ben", isBot: false };
const ANN = { login: "ann", isBot: false };

/** By pull request. */
const WORDINGS = {
  5: {
    title: "The promise of `refreshAll` is not awaited",
    body: "Errors of refreshAll are lost, because start never awaits the promise it returns.",
  },
  6: {
    title: "Unhandled rejection: `refreshAll()` runs without await",
    body: "When the promise of refreshAll rejects, its error is lost and nothing handles it.",
  },
} as const;

type Said = Pick<ReviewThread, "reactions" | "replies">;

const NOTHING: Said = { reactions: [], replies: [] };

/** Ann, about the older pull request, before Ben. GitHub sends no event for it. */
const THUMB: Said = { reactions: [{ person: ANN, content: "-1", at: 100 }], replies: [] };

const EXPLAINED: Said = {
  reactions: [{ person: BEN, content: "-1", at: 200 }],
  replies: [{ author: BEN, body: REASON, url: `${URL}/6#r1`, at: 200 }],
};

async function open(database: Database): Promise<void> {
  await writeMemoryRepository(
    {
      repositoryId: REPOSITORY,
      owner: "octo",
      name: "cat",
      isPrivate: true,
      isSharing: false,
      embeddings: "",
    },
    1,
    database,
  );
  for (const number of [5, 6] as const) {
    const texts = { ...WORDINGS[number], path: "src/start.js", category: "correctness", rule: null } as const;
    const scope = { repositoryId: REPOSITORY, pullRequest: number };
    const { title, path, category } = texts;
    const row = { identity: "one", number: 1, path, title, category, rule: null, severity: "major" };
    const place = { side: "new", startLine: 1, endLine: 1, others: "[]", words: "[]" } as const;
    await writeLedger(
      [{ ...row, ...place, source: "model", state: "open", placement: "inline" }],
      { ...scope, runId: number, head: "aaa", at: 1 },
      database,
    );
    await database.transaction((sql) => {
      const content = { ...texts, language: "javascript", severity: "major", identity: "one", url: null };
      const pattern = patternOf(texts);
      const terms = termsOf(memoryText({ ...texts, language: "javascript" }));
      return putMemories([{ ...content, ...scope, pattern, terms, at: 1 }], sql);
    });
    await writeFeedbackPoll(
      { ...scope, installationId: 7, repository: "octo/cat", closedAt: null, changedAt: 1, nextAt: 1 },
      database,
    );
  }
}

async function learn(number: keyof typeof WORDINGS, said: Said, database: Database): Promise<void> {
  const thread: ReviewThread = {
    id: "thread",
    findingId: "one",
    otherIds: [],
    url: `${URL}/${number}#t`,
    root: 7,
    isResolved: false,
    resolvedBy: null,
    isOutdated: false,
    hasReply: true,
    ...said,
  };
  const author = { login: "ada", isBot: false };
  const state = { number, isOpen: true, mergedAt: null, mergedBy: null, author, url: `${URL}/${number}` };
  // A test double: only these parts are used.
  const session = {
    pullRequests: { read: async () => state as PullRequest },
    reviews: { readThreads: async () => [thread] },
    people: { hasWriteAccess: async () => true },
    mention: async () => "@kodiai",
  } as unknown as ForgeSession;
  await learnFromFeedback({ number, repositoryId: REPOSITORY, session }, { database, now: () => NOW });
}

async function learned(database: Database): Promise<readonly string[]> {
  return (await listLearnings(REPOSITORY, NOW, database)).map(({ text }) => text);
}

for (const engine of ENGINES) {
  const testLearning = (name: string, work: (database: Database) => Promise<void>): void => {
    test(`${engine.name}: ${name}`, () =>
      withStore(engine, async ({ database }) => {
        await open(database);
        await work(database);
      }));
  };

  testLearning(
    "an older opinion that is read later joins the problem, which has one reason",
    async (database) => {
      await learn(6, EXPLAINED, database);
      await learn(5, THUMB, database);
      const texts = await learned(database);
      assert.equal(texts.filter((text) => text.includes("never await it")).length, 1, texts.join("\n"));
      assert.equal(texts.length, 2, "the reason, and what both opinions say");
    },
  );

  testLearning("a reason that is taken back is gone, wherever its problem was joined", async (database) => {
    await learn(6, EXPLAINED, database);
    await learn(5, THUMB, database);
    await learn(6, NOTHING, database);
    assert.deepEqual(await learned(database), []);
  });

  testLearning("a forgotten reason stays forgotten when its problem gets another name", async (database) => {
    await learn(6, EXPLAINED, database);
    const [learning] = await listLearnings(REPOSITORY, NOW, database);
    assert.ok(learning !== undefined);
    await database.transaction((sql) => deleteStoredLearning(learning, NOW, sql));
    await learn(5, THUMB, database);
    const texts = await learned(database);
    assert.deepEqual(
      texts.filter((text) => text.includes("never await it")),
      [],
    );
  });
}
