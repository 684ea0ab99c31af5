/** `kodiai review` with a model, as a person runs it: what is printed, what it ends with, and what it takes to have one. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/app/running-app.ts";
import { AFTER, BEFORE } from "../support/app/scenario.ts";
import {
  FINISHING,
  modelEnvironment,
  oneByOne,
  recording,
  type SceneProvider,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import type { ModelScript } from "../support/model-server/script.ts";
import { type RunResult, runKodiai } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

const FOUND = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Nobody can wait for it",
  body: "Callers go on before the search has ended.",
  suggestion: "export async function load() {",
});

const SCRIPT: ModelScript = oneByOne([FOUND, FINISHING]);

/** A price that the built-in table knows. */
const PRICED = "openai:gpt-5";

type Desk = {
  readonly made: TestRepository;
  readonly server: ModelServer;
  readonly run: (args: readonly string[], environment?: Record<string, string>) => Promise<RunResult>;
};

/** A person in a repository with a change, and a provider whose key is in the environment. */
async function openDesk(t: TestContext, provider: SceneProvider = "openai"): Promise<Desk> {
  const made = testRepository();
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
  });
  server.script(SCRIPT);
  for (const [path, text] of Object.entries(BEFORE)) made.write(path, text);
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(AFTER)) made.write(path, text);
  made.commit("after");
  const { KODIAI_MODEL: _, ...keys } = modelEnvironment(provider, server.url);
  return {
    made,
    server,
    run: (args, environment = {}) =>
      runKodiai(["review", ...args], { cwd: made.path, env: { ...keys, ...environment } }),
  };
}

for (const provider of ["openai", "anthropic", "claude"] satisfies SceneProvider[])
  test(`--model ${provider}:… prints the model's findings with the floor's, and what it took`, async (t) => {
    const { run, server } = await openDesk(t, provider);
    const { code, stdout, stderr } = await run(["--model", `${provider}:scripted`]);
    assert.deepEqual([code, stderr], [0, ""], stdout);
    assert.match(stdout, /src\/users\.ts:7 +model · correctness/);
    assert.match(stdout, /Nobody can wait for it/);
    assert.match(stdout, /Callers go on before the search has ended\./);
    assert.match(stdout, /\+ export async function load\(\) \{/);
    assert.match(stdout, /sql-from-strings/);
    assert.match(stdout, new RegExp(`${provider}:scripted, 2 turns, 200 tokens in, 20 out, price not known`));
    assert.equal(server.requests.length, 2);
  });

test("the model of the settings and of .kodiai.yml is used without an option, and --fail-on counts its findings", async (t) => {
  const { run, server, made } = await openDesk(t);
  const bySetting = await run(["--fail-on", "major"], { KODIAI_MODEL: "openai:one" });
  assert.equal(bySetting.code, 1, bySetting.stderr);
  made.git("checkout", "--quiet", "main");
  made.write(".kodiai.yml", 'model: "openai:two"\n');
  made.commit("config");
  made.git("checkout", "--quiet", "feature");
  made.git("rebase", "--quiet", "main");
  const byConfig = await run([]);
  assert.equal(byConfig.code, 0, byConfig.stderr);
  const asked = server.requests.map(({ model }) => model);
  assert.deepEqual(asked, ["one", "one", "two", "two"]);
  assert.match(byConfig.stdout, /openai:two/);
});

test("a key alone is enough, and the output says which model it was and what it cost", async (t) => {
  const { run, server } = await openDesk(t);
  const { code, stdout } = await run([]);
  assert.equal(code, 0);
  assert.equal(server.requests.length, 2);
  assert.match(stdout, /openai:[a-z0-9.-]+, 2 turns, 200 tokens in, 20 out, USD 0\.000\d/);
});

test("--format json has the findings of the model, its usage and every pass", async (t) => {
  const { run } = await openDesk(t);
  const { code, stdout } = await run(["--model", PRICED, "-f", "json"]);
  assert.equal(code, 0);
  // The documented form of the JSON.
  const output = JSON.parse(stdout) as {
    findings: readonly { source: string; path: string; startLine: number }[];
    usage: { model: string; costUsd: number; inputTokens: number };
    passes: readonly { model: string; outcome: string }[];
    conclusion: string;
  };
  const ofModel = output.findings.filter(({ source }) => source === "model");
  assert.deepEqual(
    ofModel.map(({ path, startLine }) => `${path}:${startLine}`),
    ["src/users.ts:7"],
  );
  assert.equal(output.usage.model, PRICED);
  assert.equal(output.usage.inputTokens, 200);
  // 200 tokens at 1.25 dollars a million, 20 at 10.
  assert.ok(Math.abs(output.usage.costUsd - 0.00045) < 1e-9);
  assert.equal(output.conclusion, "complete");
});

test("a budget that is too small for one call: the floor reviews, the notice says why, the exit code is 3", async (t) => {
  const { run, server } = await openDesk(t);
  const { code, stdout, stderr } = await run(["--model", PRICED, "--budget-usd", "0.0001"]);
  assert.deepEqual([code, stderr], [3, ""]);
  assert.match(
    stdout.replace(/\s+/g, " "),
    /openai:gpt-5 could not be asked within the budget \(budget\.perReviewUsd is USD 0\.00/,
  );
  assert.match(stdout, /sql-from-strings/);
  assert.equal(server.requests.length, 0);
});

test("a provider that fails: the floor reviews, the notice says so, the exit code is 3", async (t) => {
  const { run, server } = await openDesk(t);
  server.script([{ faults: [{ kind: "status", status: 401, times: "always" }] }]);
  const { code, stdout } = await run(["--model", PRICED]);
  assert.equal(code, 3);
  assert.match(stdout.replace(/\s+/g, " "), /openai:gpt-5 failed \(HTTP 401\): it had recorded nothing/);
  assert.match(stdout, /sql-from-strings/);
  // Findings that are bad enough come before what is missing.
  const failing = await run(["--model", PRICED, "--fail-on", "critical"]);
  assert.equal(failing.code, 1);
});

test("--offline and --model floor ask nobody, although there is a key", async (t) => {
  const { run, server } = await openDesk(t);
  for (const args of [["--offline"], ["--model", "floor"], ["--offline", "--model", "floor"]]) {
    const { code, stdout } = await run(args, { KODIAI_MODEL: "openai:scripted" });
    assert.equal(code, 0);
    assert.match(stdout, /sql-from-strings/);
    assert.doesNotMatch(stdout, /openai:scripted/);
  }
  assert.equal(server.requests.length + server.otherCalls.length, 0);
});

test("what cannot be asked for ends with 2 and says what to do", async (t) => {
  const { run, server } = await openDesk(t);
  const cases: readonly (readonly [args: readonly string[], words: RegExp])[] = [
    [
      ["--model", "acme:x"],
      /not of the form provider:name with one of claude, anthropic, openai, google, compatible/,
    ],
    [["--model", "gpt"], /not of the form provider:name/],
    [["--model", "google:gemini-x"], /google:gemini-x: GEMINI_API_KEY is not set/],
    [["--model", "compatible:x"], /compatible:x: KODIAI_COMPATIBLE_URL is not set/],
    [["--offline", "--model", PRICED], /--offline and --model cannot be combined/],
    [["--model", PRICED, "--budget-usd", "much"], /--budget-usd takes an amount in US dollars/],
  ];
  for (const [args, words] of cases) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, words);
  }
  assert.equal(server.requests.length, 0);
});

test("without a key one line says how to have a model", async (t) => {
  const { made } = await openDesk(t);
  const { code, stdout, stderr } = await runKodiai(["review"], { cwd: made.path });
  assert.deepEqual([code, stderr], [0, ""]);
  const said = stdout.replace(/\s+/g, " ");
  assert.match(said, /Model none, floor alone; set ANTHROPIC_API_KEY or see docs\/models\.md/);
});

test("a .env in the folder that is reviewed leads no key anywhere", async (t) => {
  const { made, server, run } = await openDesk(t);
  const elsewhere = await startModelServer();
  t.after(() => elsewhere.close());
  made.write(".env", `OPENAI_BASE_URL=${elsewhere.url}/v1\nKODIAI_MODEL=openai:theirs\n`);
  const { code, stderr } = await run(["--model", PRICED]);
  assert.equal(code, 0, stderr);
  assert.equal(elsewhere.requests.length, 0);
  assert.equal(server.requests.length, 2);
});

testModels("`kodiai jobs` shows what a model is doing while a review runs", async (openModelScene) => {
  const slow = { text: "Let me think. ".repeat(2_000), pauseMs: 50 };
  const scene = await openModelScene({ script: [...oneByOne([FOUND]), slow] });
  const app = await scene.start();
  await scene.send("opened");
  await eventually("the second turn", () => scene.server.requests.length === 2);
  const { environment, path } = scene.folder;
  const listed = await eventually("the step", async () => {
    const { stdout } = await runKodiai(["jobs"], { cwd: path, env: { ...environment } });
    return /turn 2/.test(stdout) && stdout;
  });
  assert.match(listed, /running.*review acme\/shop 1.*\(reviewing: openai:scripted, turn 2\)/);
  // The answer would go on for minutes.
  app.kill("SIGKILL");
  await app.ended;
});
