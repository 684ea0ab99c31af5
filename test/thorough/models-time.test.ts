/** Time limits: a review that runs out of time publishes its findings and lists the files it didn't read. */
import assert from "node:assert/strict";
import {
  FINISHING,
  type ModelScene,
  oneByOne,
  pricesOf,
  recording,
  type SceneProvider,
  summaryOn,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import { AFTER } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import type { PullRequest } from "../../fake-github/world.ts";
import type { ModelScript, ModelTurn } from "../support/model-server/script.ts";
import { readRunsOfJob } from "../../src/store/repositories/runs.ts";

/** The least that can be configured. */
const SHORT = "timeoutSeconds: 5\n";

/** Words and no end; it is never silent, so that only the deadline ends it. */
const ENDLESS: ModelTurn = { text: "Let me think. ".repeat(2_000), pauseMs: 50 };

const FILES = {
  ...AFTER,
  "src/orders.ts": "export const orders: string[] = [];\n",
  "src/orders.test.ts": "// orders\n",
};

const found = (quote: string, title: string) => recording({ path: "src/users.ts", quote, title });

/** Two of five findings, then words until the time is over. */
const TWO_OF_FIVE: ModelScript = [
  ...oneByOne([found("export function load() {", "Callers cannot await it")]),
  {
    toolCalls: [
      found('    find("1");', "The search is not awaited"),
      { name: "mark_reviewed", args: { paths: ["src/users.ts"] } },
    ],
  },
  { ...ENDLESS, toolCalls: [found("export async function find(id: string) {", "It comes too late")] },
  ...oneByOne([
    found('import { db } from "./db";', "It is never said"),
    found("  return db.query(`select * from users where id = ${id}`);", "Neither is this"),
    FINISHING,
  ]),
];

async function assertTwoOfFive(scene: ModelScene): Promise<void> {
  await scene.start();
  await scene.send("opened");
  const [job] = await scene.settled();
  assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "timeout-partial", 1]);
  assert.deepEqual(scene.published(), {
    reviews: 1,
    comments: ["src/users.ts:7", "src/users.ts:9", "src/users.ts:4", "src/users.ts:10"],
    summaries: 1,
    conclusions: ["neutral"],
  });
  const summary = scene.summary();
  assert.match(summary, /ran out of time after [5-7] seconds: 2 findings recorded until then are kept/);
  assert.match(
    summary,
    /Reviewed by built-in rules only: 3 lines in 3 files \(the model ran out of time\): `src\/orders.test.ts`, `src\/orders.ts`, `src\/users.test.ts`/,
  );
  assert.doesNotMatch(summary, /It comes too late/);
  const [run] = await readRunsOfJob(job?.id ?? 0, scene.database);
  assert.deepEqual([run?.status, run?.reason], ["partial", "timeout-partial"]);
  assert.equal(scene.server.requests.length, 3);
  await eventually("the provider to be left", () => scene.server.requests[2]?.end() === "left");
  scene.check();
}

for (const provider of ["openai", "claude"] satisfies SceneProvider[])
  testModels(
    `a deadline in the middle of an answer, after two of five findings: those two are published, and unread files are listed (${provider})`,
    async (openModelScene) => {
      const config = `${SHORT}${pricesOf(`${provider}:scripted`)}`;
      const scene = await openModelScene({
        provider,
        script: TWO_OF_FIVE,
        config,
        pullRequest: { files: FILES },
      });
      await assertTwoOfFive(scene);
    },
  );

/** Which files a request was to read, by the diffs in its prompt. */
function filesOf(prompt: string): readonly string[] {
  return [...prompt.matchAll(/^=== (\S+) \((?:added|modified)[^)]*\)$/gm)]
    .map(([, path]) => path ?? "")
    .toSorted();
}

testModels(
  "findings in the riskiest half are published, and the other half is listed as not read",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: ({ conversation, turn }) =>
        conversation === 1
          ? ENDLESS
          : (oneByOne([found("export function load() {", "At last"), FINISHING])[turn] ?? {}),
      config: SHORT,
      pullRequest: { files: FILES },
    });
    await scene.start();
    await scene.send("opened");
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "timeout-partial"]);
    assert.deepEqual(scene.published().comments, ["src/users.ts:7", "src/users.ts:4", "src/users.ts:10"]);
    assert.deepEqual(scene.published().conclusions, ["neutral"]);
    assert.match(
      scene.summary(),
      /ran out of time after [5-7] seconds; Kodiai retried with the riskiest half\./,
    );
    assert.match(
      scene.summary(),
      /Reviewed by built-in rules only: 2 lines in 2 files \(the model ran out of time\): `src\/orders.test.ts`, `src\/users.test.ts`/,
    );
    scene.check();
  },
);

testModels(
  "[P17] a model that times out is retried with the riskiest half; after three such reviews of an author, it isn't",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: [ENDLESS],
      config: SHORT,
      pullRequest: { files: FILES, title: "Slow one" },
    });
    const { fake, repository, pullRequest, server } = scene;
    await scene.start(["serve", "--concurrency", "4"]);
    const open = (title: string, author: string): Promise<PullRequest> =>
      fake.openPullRequest(repository, { title, author, files: FILES });
    const send = async (opened: PullRequest) => fake.send(await fake.events.pullRequest("opened", opened));
    const requestsOf = (title: string) =>
      server.requests.filter(({ prompt }) => prompt.includes(title)).map(({ prompt }) => filesOf(prompt));
    const slow = [pullRequest, await open("Slow two", "ada"), await open("Slow three", "ada")];
    await Promise.all(slow.map(send));
    await eventually("three reviews", async () => (await scene.settled()).length === 3);
    for (const title of ["Slow one", "Slow two", "Slow three"]) {
      const [first, second, ...more] = requestsOf(title);
      assert.deepEqual(first, Object.keys(FILES).toSorted());
      assert.deepEqual(second, ["src/orders.ts", "src/users.ts"]);
      assert.deepEqual(more, []);
    }
    for (const each of slow) {
      const summary = summaryOn(fake, each);
      assert.match(summary, /ran out of time after [5-7] seconds; Kodiai retried with the riskiest half\./);
      assert.match(
        summary,
        /ran out of time after [2-4] seconds with the riskiest half: it recorded nothing/,
      );
      // The floor's own findings are there.
      assert.deepEqual(scene.published(each).comments, ["src/users.ts:4", "src/users.ts:10"]);
      assert.deepEqual(scene.published(each).conclusions, ["neutral"]);
    }
    const fourth = await open("Slow four", "ada");
    const other = await open("Slow but of another", "grace");
    await Promise.all([fourth, other].map(send));
    const jobs = await eventually("two more reviews", async () => {
      const all = await scene.settled();
      return all.length === 5 && all;
    });
    assert.deepEqual([requestsOf("Slow four").length, requestsOf("Slow but of another").length], [1, 2]);
    assert.deepEqual(scene.published(fourth).comments, ["src/users.ts:4", "src/users.ts:10"]);
    assert.match(summaryOn(fake, fourth), /it recorded nothing/);
    assert.deepEqual(
      new Set(jobs.map(({ state, reason }) => `${state} ${reason}`)),
      new Set(["done timeout-partial"]),
    );
    scene.check();
  },
);
