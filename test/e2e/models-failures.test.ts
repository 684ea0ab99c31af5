/** Providers that fail: another model is asked, or the floor reviews alone, and either is said; never silence. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
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

const LATER = /^Try again later, or add another model to fallbackModels/m;

type Failure = { readonly turn: ModelTurn; readonly words: string; readonly advice: RegExp };

const FAILURES: Readonly<Record<string, Failure>> = {
  "a key that is not accepted": {
    turn: { faults: [{ kind: "status", status: 401, times: "always" }] },
    words: "failed \\(HTTP 401: authentication failed\\)",
    advice: /^Check OPENAI\\_API\\_KEY where Kodiai runs/m,
  },
  "a limit of requests": {
    turn: { faults: [{ kind: "status", status: 429, times: "always" }] },
    words: "was overloaded",
    advice: LATER,
  },
  "an overloaded provider": {
    turn: { faults: [{ kind: "status", status: 529, times: "always" }] },
    words: "was overloaded",
    advice: LATER,
  },
  "a refusal": {
    turn: { text: "I will not do that.", stop: "refusal" },
    words: "declined to review",
    advice: /^For code that this model declines to review, add another model to fallbackModels/m,
  },
  "an account without credit": {
    turn: { faults: [{ kind: "no-credit", times: "always" }] },
    words: "failed \\(the account has no credit left\\)",
    advice: /^Add credit to the account or raise its limit/m,
  },
  "words and no tool": {
    turn: { text: "Line 4 is open to SQL injection, otherwise it looks good to me." },
    words: "failed \\(called no tool\\)",
    advice: /^Models record findings with tool calls: use a model that supports them/m,
  },
  "tools that do not exist": {
    turn: { toolCalls: [{ name: "Bash", args: { command: "ls" } }] },
    words: "failed \\(its tool calls were invalid\\)",
    advice: /^Models record findings with tool calls: use a model that supports them/m,
  },
  "an answer that breaks off": {
    turn: { text: "I", faults: [{ kind: "error-event", times: "always" }] },
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
async function reviewAll(scene: ModelScene): Promise<ReadonlyMap<string, PullRequest>> {
  const { fake, server, repository } = scene;
  const opened = new Map<string, PullRequest>();
  for (const [name, { turn }] of Object.entries(FAILURES)) {
    const isMeant = ({ prompt, model }: { prompt: string; model: string }): boolean =>
      model === "scripted" && prompt.includes(name);
    server.onConversation(isMeant, () => turn);
    opened.set(name, await fake.openPullRequest(repository, { title: name, files: AFTER }));
  }
  await scene.start(["serve", "--concurrency", "5"]);
  for (const each of opened.values()) await fake.send(await fake.events.pullRequest("opened", each));
  await eventually("all reviews", async () => (await scene.settled()).length === opened.size);
  return opened;
}

testModels(
  "[P17] a provider that fails without another model: the floor's review, a notice, a neutral check",
  async (openModelScene) => {
    const scene = await openModelScene({ script: SECOND, config: CONFIG });
    for (const [name, pullRequest] of await reviewAll(scene)) {
      const summary = summaryOn(scene.fake, pullRequest);
      assert.deepEqual(
        scene.published(pullRequest),
        { reviews: 1, comments: FLOOR_COMMENTS, summaries: 1, conclusions: ["neutral"] },
        name,
      );
      const words = `openai:scripted ${FAILURES[name]?.words}(?:, even with a shorter prompt)?: it recorded nothing`;
      assert.match(summary, new RegExp(words), name);
      assert.match(summary, FAILURES[name]?.advice ?? /never/, name);
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
    assert.deepEqual(
      new Set(jobs.map(({ state, reason }) => `${state} ${reason}`)),
      new Set(["done model-failed"]),
    );
    scene.check();
  },
);

/** The second model is behind a provider of its own. */
const WITH_SECOND: ModelSceneOptions = {
  otherProviders: ["anthropic"],
  script: SECOND,
  config: `${CONFIG}fallbackModels: ["anthropic:second"]\n`,
};

const SECOND_COMMENTS = ["src/users.ts:4", "src/users.ts:7", "src/users.ts:10"];

testModels(
  "a provider that fails with another model to ask: that one reviews, and the notice names both",
  async (openModelScene) => {
    const scene = await openModelScene(WITH_SECOND);
    for (const [name, pullRequest] of await reviewAll(scene)) {
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
      assert.doesNotMatch(scene.summary(), /127\.0\.0\.1/);
      const logged = /model request failed.*openai:scripted.*http:\/\/127\.0\.0\.1:1\/v1.*no-connection/;
      await eventually("the log", () => logged.test(app.output()));
    }
    assert.deepEqual(alone.published().comments, FLOOR_COMMENTS);
    assert.deepEqual(alone.published().conclusions, ["neutral"]);
    assert.match(
      alone.summary(),
      /openai:scripted failed \(no connection to the provider\): it recorded nothing/,
    );
    assert.match(alone.summary(), /Check the network where Kodiai runs, and OPENAI\\_BASE\\_URL, if set\./);
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
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    assert.deepEqual(scene.published().comments, SECOND_COMMENTS);
    assert.match(scene.summary(), /google:gemini-x: GEMINI\\_API\\_KEY is not set/);
    scene.check();
  },
);
