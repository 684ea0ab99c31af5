/**
 * Ctrl-C: while a model works, it is stopped and its findings are shown; before that, the review ends and leaves nothing. Signals go to
 * the whole process group, as a terminal sends them.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { BIN } from "../support/built-program.ts";
import { SAME_PRESS_MS } from "../../src/cli/interrupts.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, BEFORE, createScenario } from "../support/app/scenario.ts";
import {
  FINISHING,
  modelEnvironment,
  oneByOne,
  pricesOf,
  recording,
  type SceneProvider,
} from "../support/model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import type { ModelScript, ModelTurn } from "../support/model-server/script.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import {
  commandOf,
  isRunning,
  startProcess,
  type StartedProcess,
  stuckGit,
} from "../support/start-process.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

const LOAD = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Callers cannot await it",
  suggestion: "export async function load() {",
});
const FIND = recording({ path: "src/users.ts", quote: '    find("1");', title: "The search is not awaited" });
const LATE = recording({ path: "src/users.ts", quote: "  } catch {}", title: "It is never said" });

/** Two findings, then an answer that stops in the middle. */
const TWO_THEN_SILENCE: readonly ModelTurn[] = [
  ...oneByOne([LOAD, FIND]),
  { text: "Let me think about it.", faults: [{ kind: "stall", times: "always" }] },
  ...oneByOne([LATE, FINISHING]),
];

const FILES = { ...AFTER, "src/orders.ts": "export const orders: string[] = [];\n" };

const assertGone = (family: readonly string[]): Promise<boolean> =>
  eventually("all processes to be gone", () => !family.some(isRunning));

type Desk = {
  readonly made: TestRepository;
  readonly server: ModelServer;
  readonly start: (args: readonly string[], program?: readonly string[]) => StartedProcess;
  /** Files left in the temporary folder. */
  readonly leftOver: () => readonly string[];
};

type DeskOptions = {
  readonly provider?: SceneProvider;
  readonly script?: ModelScript;
  readonly config?: string;
  /** A command of git that never ends. */
  readonly stuckAt?: string;
};

async function openDesk(
  t: TestContext,
  { provider = "openai", script = TWO_THEN_SILENCE, config = "", stuckAt }: DeskOptions = {},
): Promise<Desk> {
  const made = testRepository();
  const temporary = mkdtempSync(join(tmpdir(), "kodiai-test-stop-"));
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
    rmSync(temporary, { recursive: true, force: true });
  });
  server.script(script);
  for (const [path, text] of Object.entries({ ...BEFORE, ".kodiai.yml": config })) made.write(path, text);
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(FILES)) made.write(path, text);
  made.commit("after");
  const env = {
    ...modelEnvironment(provider, server.url),
    // Where programs keep what they have compiled.
    NODE_COMPILE_CACHE: join(tmpdir(), "kodiai-test-stop-compiled"),
    TMPDIR: join(temporary, "tmp"),
    ...(stuckAt === undefined ? {} : { PATH: stuckGit(join(temporary, "bin"), stuckAt) }),
  };
  mkdirSync(env.TMPDIR);
  return {
    made,
    server,
    start: (args, program = [BIN]) =>
      startProcess(t, [...program, "review", ...args], { cwd: made.path, env }),
    leftOver: () => readdirSync(env.TMPDIR),
  };
}

/** The third answer has begun. */
const untilSilent = ({ server }: Desk): Promise<boolean> =>
  eventually("the model to fall silent", () => (server.requests[2]?.sentPieces() ?? 0) > 0);

const STOPPING =
  /^kodiai: stopping the model; its 2 findings and those of the built-in rules are kept\. Press Ctrl-C again to discard them\n/m;

/** No further call, no process, no folder. */
async function assertLeft(desk: Desk, family: readonly string[], requests = 3): Promise<void> {
  await assertGone(family);
  await eventually("the provider to be left", () => desk.server.requests.at(-1)?.end() === "left");
  assert.equal(desk.server.requests.length, requests);
  assert.deepEqual(desk.leftOver(), []);
}

for (const provider of ["openai", "claude"] satisfies SceneProvider[])
  test(`Ctrl-C while a model reads: what it had recorded is judged and printed, and the review says that it was stopped (${provider})`, async (t) => {
    const model = `${provider}:scripted`;
    const config = `fallbackModels: ["anthropic:other", "openai:other"]\n${pricesOf(model)}`;
    const desk = await openDesk(t, { provider, config });
    const started = desk.start(["--model", model, "--fail-on", "minor"]);
    await untilSilent(desk);
    const family = started.family();
    assert.ok(family.length >= (provider === "claude" ? 2 : 1), "git is there, and the program of the model");
    started.press();
    const { code, stdout, stderr } = await started.ended;
    assert.equal(code, 130, stderr);
    assert.match(stderr, STOPPING);
    const said = stdout.replace(/\s+/g, " ");
    assert.match(said, /src\/users\.ts:7 \(\d\) model · correctness/);
    assert.match(said, /src\/users\.ts:9 \(\d\) model · correctness/);
    assert.match(said, /sql-from-strings/);
    // Git was asked for the file after the signal.
    assert.match(said, /Suggested change - export function load\(\) \{ \+ export async function load\(\) \{/);
    assert.match(
      said,
      new RegExp(
        `Notice ${model} was interrupted after \\d+ seconds?: 2 findings recorded until then are kept\\.`,
      ),
    );
    assert.match(said, /Incomplete: 12 lines in 3 files \(the review was stopped\) not reviewed by a model/);
    assert.match(
      said,
      /Reviewed 12 lines in 3 files by built-in rules only \(the review was stopped\): src\/users\.ts/,
    );
    assert.match(
      said,
      new RegExp(
        // The beginning of the third turn may not have arrived.
        `Pass review \\(${model}\\): stopped \\(interrupted by the user\\), 3 files, [23] turns, 2 findings, USD`,
      ),
    );
    assert.doesNotMatch(said, /It is never said|Degraded/);
    await assertLeft(desk, family);
  });

test("SIGTERM does the same, into a file, as JSON and with a recording that can be played again", async (t) => {
  const desk = await openDesk(t);
  const { made } = desk;
  const started = desk.start(["-f", "json", "-o", "out.json", "--record", "run.json"]);
  await untilSilent(desk);
  const family = started.family();
  started.signal("SIGTERM");
  const { code, stdout, stderr } = await started.ended;
  assert.deepEqual([code, stdout], [130, ""], stderr);
  assert.match(stderr, STOPPING);
  assert.match(stderr, /written to out\.json\nkodiai: wrote the recording to run\.json/);
  const text = readFileSync(join(made.path, "out.json"), "utf8");
  // The documented form of the JSON.
  const output = JSON.parse(text) as {
    conclusion: string;
    verdict: { outcome: string };
    findings: readonly { source: string; title: string }[];
    passes: readonly { outcome: string; turns: number; tokens: { input: number } }[];
    receipt: { files: readonly { path: string; reason?: string }[] };
  };
  assert.deepEqual([output.conclusion, output.verdict.outcome], ["stopped-partial", "incomplete"]);
  const ofModel = output.findings.filter(({ source }) => source === "model");
  assert.deepEqual(ofModel.map(({ title }) => title).toSorted(), [
    "Callers cannot await it",
    "The search is not awaited",
  ]);
  const [, pass] = output.passes;
  assert.deepEqual([pass?.outcome, pass?.turns, output.passes.length], ["stopped", 3, 2]);
  assert.ok((pass?.tokens.input ?? 0) > 200, "the answer that was cut is estimated");
  assert.deepEqual(new Set(output.receipt.files.map(({ reason }) => reason)), new Set(["limit:stopped"]));
  await assertLeft(desk, family);
  const replayed = await runKodiai(["replay", "run.json", "-f", "json"], { cwd: made.path });
  assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
  assert.deepEqual((JSON.parse(replayed.stdout) as { review: unknown }).review, JSON.parse(text));
});

test("Ctrl-C before the model answers: the rules' findings are shown, and no provider is called again", async (t) => {
  const desk = await openDesk(t, { script: [{ faults: [{ kind: "silence", times: "always" }] }] });
  const started = desk.start(["-f", "sarif"]);
  await eventually("the first request", () => desk.server.requests.length === 1);
  const family = started.family();
  started.press();
  const { code, stdout, stderr } = await started.ended;
  assert.equal(code, 130, stderr);
  assert.match(
    stderr,
    /^kodiai: stopping the model; its 0 findings and those of the built-in rules are kept\./m,
  );
  // The documented form of SARIF.
  const { runs } = JSON.parse(stdout) as {
    runs: readonly { results: readonly { ruleId: string }[]; invocations: readonly unknown[] }[];
  };
  assert.deepEqual(runs[0]?.results.map(({ ruleId }) => ruleId).toSorted(), [
    "empty-catch",
    "sql-from-strings",
  ]);
  assert.match(JSON.stringify(runs[0]?.invocations), /was interrupted .*it recorded nothing/);
  await assertLeft(desk, family, 1);
});

/** What `bin/kodiai.js` does on a Node that is too old. */
const LAUNCHER = [
  "--input-type=module",
  "--eval",
  `import { startOnOwnNode } from ${JSON.stringify(pathToFileURL(join(dirname(BIN), "own-node.js")))};
   await startOnOwnNode(${JSON.stringify(pathToFileURL(BIN))}, process.argv.slice(1));`,
  "--",
];

test("Ctrl-C on the bundled Node: the parent process waits for the output", async (t) => {
  if (process.platform !== "linux") return t.skip("a Node is brought along for Linux alone");
  const desk = await openDesk(t);
  const started = desk.start([], LAUNCHER);
  await untilSilent(desk);
  const family = started.family();
  started.press();
  const { code, stdout, stderr } = await started.ended;
  assert.equal(code, 130, stderr);
  assert.match(stderr, STOPPING);
  assert.match(stdout, /was interrupted/);
  await assertLeft(desk, family);
});

test("a tool that works when the model is stopped is not waited for, and leaves no git behind", async (t) => {
  const script = oneByOne([LOAD, FIND, { name: "blame", args: { path: "src/users.ts" } }, FINISHING]);
  const desk = await openDesk(t, { script, stuckAt: "blame" });
  const started = desk.start([]);
  const family = await eventually("git to be asked by the tool", () => {
    const all = started.family();
    return all.some((pid) => commandOf(pid).startsWith("sleep")) && all;
  });
  // To this process alone: git must be ended by it.
  started.signal("SIGTERM");
  const { code, stdout, stderr } = await started.ended;
  assert.equal(code, 130, stderr);
  assert.match(stderr, STOPPING);
  assert.match(stdout.replace(/\s+/g, " "), /2 findings recorded until then are kept/);
  await assertGone(family);
  assert.equal(desk.server.requests.length, 3);
});

test("a second Ctrl-C ends at once, without a word of the review", async (t) => {
  const style = recording({
    path: "src/users.ts",
    quote: '    find("1");',
    title: "Tabs",
    category: "style",
  });
  const [, ...rest] = TWO_THEN_SILENCE;
  // Whether the repository has a formatter is asked when the finding is judged, after the model was stopped.
  const desk = await openDesk(t, { script: [...oneByOne([style]), ...rest], stuckAt: "ls-tree" });
  const started = desk.start(["-o", "out.txt"]);
  await untilSilent(desk);
  const family = started.family();
  started.press();
  await eventually("the word that it stops", () => STOPPING.test(started.stderr()));
  const hanging = await eventually("git to be asked", () =>
    started.family().find((pid) => !family.includes(pid)),
  );
  const again = setInterval(() => started.signal("SIGINT"), SAME_PRESS_MS);
  const { code, stdout, stderr } = await started.ended;
  clearInterval(again);
  assert.deepEqual([code, stdout], [130, ""]);
  assert.match(stderr, /\nkodiai: interrupted; nothing was written\n$/);
  assert.equal(existsSync(join(desk.made.path, "out.txt")), false);
  await assertLeft(desk, [...family, hanging]);
});

test("Ctrl-C before a model reads, or without one, ends at once and leaves nothing", async (t) => {
  for (const [stuckAt, ...args] of [["rev-parse"], ["cat-file"], ["cat-file", "--offline"]]) {
    const desk = await openDesk(t, stuckAt === undefined ? {} : { stuckAt });
    const started = desk.start([...args, "-o", "out.txt"]);
    const family = await eventually("git to be asked", () => {
      const all = started.family();
      return all.some((pid) => commandOf(pid).startsWith("sleep")) && all;
    });
    started.press();
    const { code, stdout, stderr } = await started.ended;
    assert.deepEqual([code, stdout, stderr], [130, "", "kodiai: interrupted; nothing was written\n"]);
    assert.deepEqual(readdirSync(desk.made.path).toSorted(), [".git", ".kodiai.yml", "src"]);
    await assertGone(family);
    assert.deepEqual([desk.server.requests.length, desk.leftOver()], [0, []]);
  }
});

for (const [what, operation] of [
  ["GitHub is asked", "repos/get"],
  ["the repository is fetched", "git/upload-pack"],
] as const)
  test(`Ctrl-C while ${what} for --pr ends at once and leaves nothing running`, async (t) => {
    const scenario = await createScenario(t, { isPrivate: false });
    const { fake, folder, pullRequest } = scenario;
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    t.after(() => held.resolve());
    fake.onRequest(operation, () => {
      asked.resolve();
      return held.promise;
    });
    const address = `${fake.gitUrl}/acme/shop/pull/${pullRequest.number}`;
    const started = startProcess(t, [BIN, "review", "--pr", address, "-o", "out.txt"], {
      cwd: folder.path,
      env: folder.environment,
    });
    const early = await Promise.race([asked.promise, started.ended]);
    assert.equal(early, undefined, "it waits for an answer");
    const family = started.family();
    started.press();
    // GitHub's answer comes after the test, so the process can't have waited for it.
    const { code, stdout, stderr } = await started.ended;
    assert.deepEqual([code, stdout, stderr], [130, "", "kodiai: interrupted; nothing was written\n"]);
    assert.equal(existsSync(join(folder.path, "out.txt")), false);
    await assertGone(family);
  });
