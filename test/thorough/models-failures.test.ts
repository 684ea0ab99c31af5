/** Providers that fail: another model is asked, or the floor reviews alone, and either is said; never silence. */
import assert from "node:assert/strict";
import { parseReviewJob } from "../../src/jobs/review-job.ts";
import { eventually } from "../support/eventually.ts";
import type { RunningApp } from "../support/app/running-app.ts";
import { AFTER } from "../support/app/scenario.ts";
import {
  FINISHING,
  MODEL_KEY,
  type ModelScene,
  type ModelSceneOptions,
  oneByOne,
  recording,
  summaryOn,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { PullRequest } from "../../fake-github/world.ts";
import type { ModelTurn } from "../support/model-server/script.ts";

const LATER = /Try again later, or add another model to fallbackModels/;

type Failure = {
  readonly turn: ModelTurn;
  readonly words: string;
  readonly advice: RegExp;
  /** The provider may be back later. */
  readonly isOutage?: true;
};

const FAILURES: Readonly<Record<string, Failure>> = {
  "a key that is not accepted": {
    turn: { faults: [{ kind: "status", status: 401, times: "always" }] },
    words: "failed \\(HTTP 401: authentication failed\\)",
    advice: /Check OPENAI_API_KEY where Kodiai runs/,
  },
  "a limit of requests": {
    turn: { faults: [{ kind: "status", status: 429, times: "always" }] },
    isOutage: true,
    words: "was overloaded",
    advice: LATER,
  },
  "an overloaded provider": {
    turn: { faults: [{ kind: "status", status: 529, times: "always" }] },
    isOutage: true,
    words: "was overloaded",
    advice: LATER,
  },
  "a refusal": {
    turn: { text: "I will not do that.", stop: "refusal" },
    words: "declined to review",
    advice: /For code that this model declines to review, add another model to fallbackModels/,
  },
  "an account without credit": {
    turn: { faults: [{ kind: "no-credit", times: "always" }] },
    words: "failed \\(the account has no credit left\\)",
    advice: /Add credit to the account or raise its limit/,
  },
  "words and no tool": {
    turn: { text: "Line 4 is open to SQL injection, otherwise it looks good to me." },
    words: "failed \\(called no tool\\)",
    advice: /Models record findings with tool calls: use a model that supports them/,
  },
  "tools that do not exist": {
    turn: { toolCalls: [{ name: "Bash", args: { command: "ls" } }] },
    words: "failed \\(its tool calls were invalid\\)",
    advice: /Models record findings with tool calls: use a model that supports them/,
  },
  "an answer that breaks off": {
    turn: { text: "I", faults: [{ kind: "error-event", times: "always" }] },
    isOutage: true,
    words: "failed \\(HTTP 500: provider error\\)",
    advice: LATER,
  },
};

const FLOOR_COMMENTS = ["src/users.ts:4", "src/users.ts:10"];

const SECOND = oneByOne([
  recording({ path: "src/users.ts", quote: "export function load() {", title: "Callers cannot await it" }),
  FINISHING,
]);

/** Less would leave no time for the second model. */
const CONFIG = "timeoutSeconds: 12\n";

/** One pull request for each failure, all reviewed at once. */
async function reviewAll(
  scene: ModelScene,
): Promise<{ readonly opened: ReadonlyMap<string, PullRequest>; readonly app: RunningApp }> {
  const { fake, server, repository } = scene;
  const opened = new Map<string, PullRequest>();
  for (const [name, { turn }] of Object.entries(FAILURES)) {
    const isMeant = ({ prompt, model }: { prompt: string; model: string }): boolean =>
      model === "scripted" && prompt.includes(name);
    server.onConversation(isMeant, () => turn);
    opened.set(name, await fake.openPullRequest(repository, { title: name, files: AFTER }));
  }
  const app = await scene.start(["serve", "--concurrency", "5"]);
  for (const each of opened.values()) await fake.send(await fake.events.pullRequest("opened", each));
  await eventually("all reviews", async () => (await scene.settled()).length === opened.size);
  return { opened, app };
}

testModels(
  "[P17] a provider that fails without another model: the floor's review, a notice, a neutral check",
  async (openModelScene) => {
    const scene = await openModelScene({ script: SECOND, config: CONFIG });
    const { opened, app } = await reviewAll(scene);
    for (const [name, pullRequest] of opened) {
      const summary = summaryOn(scene.fake, pullRequest);
      assert.deepEqual(
        scene.published(pullRequest),
        { reviews: 1, comments: FLOOR_COMMENTS, summaries: 1, conclusions: ["neutral"] },
        name,
      );
      const words = `openai:scripted ${FAILURES[name]?.words}(?:, even with a shorter prompt)?: it recorded nothing`;
      assert.match(summary, new RegExp(words), name);
      const advice = FAILURES[name]?.advice ?? /never/;
      assert.doesNotMatch(summary.replaceAll("\\", ""), advice, name);
      await eventually("the advice in the log", () => advice.test(app.output()));
      assert.equal(summary.match(/^openai:scripted /gm)?.length, 1, `${name}: said once`);
      assert.match(summary, /Incomplete: 11 lines in 2 files \(the model failed\) not reviewed/, name);
      assert.match(
        summary,
        /- Reviewed by built-in rules only: 11 lines in 2 files \(the model failed\): `src/,
        name,
      );
      assert.doesNotMatch(summary, /- Reviewed:|- Skipped/, name);
      assert.doesNotMatch(summary, new RegExp(MODEL_KEY));
    }
    const jobs = await scene.settled();
    for (const [name, { number }] of opened) {
      const job = jobs.find(({ payload }) => parseReviewJob(payload).number === number);
      const reason = FAILURES[name]?.isOutage === true ? "model-unavailable" : "model-failed";
      assert.deepEqual([job?.state, job?.reason], ["done", reason], name);
    }
    scene.check();
  },
);

/** The second model is behind a provider of its own. */
const WITH_SECOND: ModelSceneOptions = {
  otherProviders: ["anthropic"],
  script: SECOND,
  config: `${CONFIG}fallbackModels: ["anthropic:second"]\n`,
};

const SECOND_COMMENTS = ["src/users.ts:7", "src/users.ts:4", "src/users.ts:10"];

testModels(
  "a provider that fails with another model to ask: that one reviews, and the notice names both",
  async (openModelScene) => {
    const scene = await openModelScene(WITH_SECOND);
    const { opened } = await reviewAll(scene);
    for (const [name, pullRequest] of opened) {
      const summary = summaryOn(scene.fake, pullRequest);
      assert.deepEqual(scene.published(pullRequest).comments, SECOND_COMMENTS, name);
      const words = `openai:scripted ${FAILURES[name]?.words}; Kodiai used anthropic:second instead\\.`;
      assert.match(summary, new RegExp(words), name);
      assert.match(summary, /Reviewed: 11 added lines in 2 files/, name);
    }
    const jobs = await scene.settled();
    assert.deepEqual(
      new Set(jobs.map(({ state, reason }) => `${state} ${reason}`)),
      new Set(["done published"]),
    );
    scene.check();
  },
);

testModels(
  "a provider that is not there at all: the floor reviews, or another model",
  async (openModelScene) => {
    // No service listens on the first port of a machine.
    const environment = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const alone = await openModelScene({ script: SECOND, config: CONFIG, environment });
    const withSecond = await openModelScene({ ...WITH_SECOND, environment });
    for (const scene of [alone, withSecond]) {
      const app = await scene.start();
      await scene.send("opened");
      await scene.settled();
      scene.check();
      // Everyone can read a pull request; only the operator reads the log.
      assert.doesNotMatch(scene.summary(), /127\.0\.0\.1:1\b/);
      const logged = /model request failed.*openai:scripted.*http:\/\/127\.0\.0\.1:1\/v1.*no-connection/;
      await eventually("the log", () => logged.test(app.output()));
      const advice = /Check the network where Kodiai runs, and OPENAI_BASE_URL, if set\./;
      await eventually("the advice in the log", () => advice.test(app.output()));
    }
    assert.deepEqual(alone.published().comments, FLOOR_COMMENTS);
    assert.deepEqual(alone.published().conclusions, ["neutral"]);
    assert.match(
      alone.summary(),
      /openai:scripted failed \(no connection to the provider\): it recorded nothing/,
    );
    assert.doesNotMatch(alone.summary(), /where Kodiai runs/);
    assert.deepEqual(withSecond.published().comments, SECOND_COMMENTS);
    assert.match(
      withSecond.summary(),
      /openai:scripted failed \(no connection to the provider\); Kodiai used anthropic:second instead/,
    );
  },
);

testModels(
  "a model that this machine has no key for, and a fallback with one: the second reviews, and the first is named",
  async (openModelScene) => {
    const config = 'model: "google:gemini-x"\nfallbackModels: ["openai:scripted"]\n';
    const scene = await openModelScene({ script: SECOND, config });
    const app = await scene.start();
    await scene.send("opened");
    await scene.settled();
    assert.deepEqual(scene.published().comments, SECOND_COMMENTS);
    assert.match(scene.summary(), /Degraded: model: a configured model is unavailable/);
    assert.doesNotMatch(scene.summary(), /GEMINI/);
    const problem = /google:gemini-x: GEMINI_API_KEY is not set/;
    await eventually("the problem in the log", () => problem.test(app.output()));
    scene.check();
  },
);
