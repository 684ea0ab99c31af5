import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  configTreeOf,
} from "../../../test/support/analysis-fixtures.ts";
import { messageOf } from "../../base/errors.ts";
import type { PreparedReview } from "./prepared-review.ts";
import { gatherMemories } from "./gather-memories.ts";
import { createDegradations } from "./optional.ts";
import type { Recall, RecallRequest, TeamMemory } from "./team-memory.ts";

const { signal } = new AbortController();

const RECALL: Recall = {
  memories: [],
  candidates: 3,
  threshold: 0.39,
  embeddings: "local",
  isWordsOnly: false,
  problems: [],
};

function memoryThat(recall: TeamMemory["recall"]): TeamMemory {
  return {
    recall,
    readLearnings: () => assert.fail("not asked here"),
    readFeedback: () => assert.fail("not asked here"),
  };
}

function preparedWith(written: unknown) {
  const tree = configTreeOf(configOf(written));
  const change = changeOf([changedFile({ path: "src/users.ts", lines: ["+loadUsers();"] })], {
    title: "Load users",
  });
  const degradations = createDegradations(signal);
  const config = { tree, problems: [], origin: "", learnings: [] };
  // The other parts have no effect on it.
  const prepared = {
    change,
    analysis: analysisOf(change),
    config,
    degradations,
  } as unknown as PreparedReview;
  return { prepared, degradations };
}

async function gatherWith(recall: TeamMemory["recall"], written: unknown = {}) {
  const { prepared, degradations } = preparedWith(written);
  const gathered = await gatherMemories(prepared, { teamMemory: memoryThat(recall), signal });
  const noted = degradations.list().map(({ what, message, count }) => `${what}: ${message} (${count})`);
  return { ...gathered, outcome: gathered.retrieval?.outcome, noted };
}

test("similar findings are searched with the words and the languages of the change", async () => {
  const asked: RecallRequest[] = [];
  const { outcome, noted, retrieval } = await gatherWith(async (request) => {
    asked.push(request);
    return RECALL;
  });
  assert.deepEqual([outcome, noted, retrieval?.candidates], ["complete", [], 3]);
  assert.match(asked[0]?.query ?? "", /Load users.*loadUsers/s);
  assert.deepEqual(asked[0]?.languages, ["typescript"]);
});

test("whatever fails is a counted degradation with its reason, and the review goes on", async (t) => {
  const failed = await gatherWith(() => Promise.reject(new Error("the database is locked")));
  assert.deepEqual([failed.outcome, failed.noted], ["failed", ["memories: the database is locked (1)"]]);

  const words = await gatherWith(async () => ({ ...RECALL, isWordsOnly: true, problems: ["HTTP 500"] }));
  assert.deepEqual([words.outcome, words.noted], ["words-only", ["memories: HTTP 500 (1)"]]);

  t.mock.timers.enable({ apis: ["setTimeout"] });
  let hasEnded = "";
  const hanging = gatherWith((_, given) => {
    given.addEventListener("abort", () => (hasEnded = messageOf(given.reason)));
    return new Promise<never>(() => {});
  });
  t.mock.timers.tick(2_000);
  const slow = await hanging;
  assert.deepEqual([slow.outcome, slow.noted], ["failed", ["memories: no answer within 2 seconds (1)"]]);
  assert.equal(hasEnded, "no answer within 2 seconds", "the search is stopped");
});

test("nothing is searched for a repository that turned memory or retrieval off", async () => {
  for (const memory of [
    { enabled: false },
    { retrieval: { enabled: false } },
    { retrieval: { maxContextChars: 0 } },
  ]) {
    const { memories, retrieval, noted } = await gatherWith(() => assert.fail("searched"), { memory });
    assert.deepEqual([memories, retrieval, noted], [[], null, []]);
  }
});
