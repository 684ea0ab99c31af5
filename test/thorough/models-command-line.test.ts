/** `kodiai review` with a model, as a person runs it: what is printed, what it ends with, and what it takes to have one. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { type Desk, openDesk as openDeskWith, PRICED } from "../support/model-scenes/desk.ts";
import {
  FINISHING,
  oneByOne,
  recording,
  type SceneProvider,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import type { ModelScript } from "../support/model-server/script.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import type { TestRepository } from "../support/test-repository.ts";

const FOUND = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Callers cannot await it",
  body: "Callers go on before the search has ended.",
  suggestion: "export async function load() {",
});

const SCRIPT: ModelScript = oneByOne([FOUND, FINISHING]);

/** A summary that a model might write after reading hostile text. */
const SAYING: ModelScript = oneByOne([
  FOUND,
  {
    name: "finish_review",
    args: { summary: "Users are found by id.\u001b[2J\u202e\n::error::@octocat <img src=x> sees it." },
  },
]);

const openDesk = (t: TestContext, provider: SceneProvider = "openai"): Promise<Desk> =>
  openDeskWith(t, { provider, script: SCRIPT });

for (const provider of ["openai", "anthropic", "claude"] satisfies SceneProvider[])
  test(`--model ${provider}:… prints the model's findings with the floor's, and what it took`, async (t) => {
    const { run, server } = await openDesk(t, provider);
    const { code, stdout, stderr } = await run(["--model", `${provider}:scripted`]);
    assert.deepEqual([code, stderr], [0, ""], stdout);
    assert.match(stdout, /src\/users\.ts:7 +\(\d+\) model · correctness/);
    assert.match(stdout, /Callers cannot await it/);
    assert.match(stdout, /Callers go on before the search has ended\./);
    assert.match(stdout, /\+ export async function load\(\) \{/);
    assert.match(stdout, /sql-from-strings/);
    assert.match(
      stdout.replaceAll(/\s+/g, " "),
      new RegExp(`${provider}:scripted, 2 turns, 200 input tokens, 20 output tokens, price unknown`),
    );
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
  const usage = /openai:[a-z0-9.-]+, 2 turns, 200 input tokens, 20 output tokens, USD 0\.000\d/;
  assert.match(stdout.replaceAll(/\s+/g, " "), usage);
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

test("the model's summary is shown in every format, with its markup disarmed", async (t) => {
  const { run, server } = await openDesk(t);
  server.script(SAYING);
  const terminal = await run(["--model", PRICED]);
  assert.equal(terminal.code, 0, terminal.stderr);
  assert.match(
    terminal.stdout.replace(/\s+/g, " "),
    /Summary Users are found by id\.\[2J\\u\{202e\} ::error::@octocat <img src=x> sees it\. Change /,
  );
  assert.doesNotMatch(terminal.stdout, /[\u001b\u202e]|^\s*::error/m);
  const markdown = await run(["--model", PRICED, "-f", "markdown"]);
  assert.match(
    markdown.stdout,
    /^### Summary by the model\n\nUsers are found by id\.[^\n]* ::error::@&#8203;octocat &lt;img src=x&gt; sees it\.\n\n### Major$/m,
  );
  const json = await run(["--model", PRICED, "-f", "json"]);
  // The documented form of the JSON.
  const { overview } = JSON.parse(json.stdout) as { overview: unknown };
  const text = "Users are found by id.[2J\u202e ::error::@octocat <img src=x> sees it.";
  assert.deepEqual(overview, [{ pass: "review", text }]);
  const sarif = await run(["--model", PRICED, "-f", "sarif"]);
  assert.match(sarif.stdout, /"text": "Users are found by id\./);
  const commands = await run(["--model", PRICED, "-f", "github"]);
  assert.doesNotMatch(commands.stdout, /Users are found by id/);
});

test("a change with nothing for a model to read: it is not asked, and the details say so", async (t) => {
  const { run, server, made } = await openDesk(t);
  made.git("checkout", "--quiet", "main");
  made.write("package-lock.json", '{ "lockfileVersion": 3, "packages": {} }\n');
  const { code, stdout, stderr } = await run(["--model", PRICED]);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  assert.match(stdout, /^Model {7}not used: the change has nothing for it to read$/m);
  assert.equal(server.requests.length, 0);
  const markdown = await run(["--model", PRICED, "-f", "markdown"]);
  assert.match(markdown.stdout, /^- Model: not used: the change has nothing for it to read$/m);
  made.git("clean", "-fdq");
  const empty = await run(["--staged", "--model", PRICED]);
  assert.match(empty.stdout, /^Model {7}not used: the change has nothing for it to read$/m);
});

test("a budget that is too small for one call: the floor reviews, the notice says why, the exit code is 3", async (t) => {
  const { run, server } = await openDesk(t);
  const { code, stdout, stderr } = await run(["--model", PRICED, "--budget-usd", "0.0001"]);
  assert.deepEqual([code, stderr], [3, ""]);
  assert.match(
    stdout.replace(/\s+/g, " "),
    /openai:gpt-5 wasn't called because of the budget \(the next call needs about USD 0\.0[45]\d\d; --budget-usd is USD 0\.0001, [^)]*\), even with a shorter prompt: /,
  );
  assert.match(stdout.replace(/\s+/g, " "), / Raise --budget-usd, or use a cheaper model\. /);
  assert.doesNotMatch(stdout, /asked again/);
  assert.match(stdout, /sql-from-strings/);
  assert.equal(server.requests.length, 0);
});

for (const [name, said] of [
  ["an author's hour", { environment: { KODIAI_BUDGET_AUTHOR_HOUR_USD: "0" }, key: "perAuthorHourUsd" }],
  ["a repository's day", { config: "budget:\n  perRepositoryDayUsd: 0\n", key: "perRepositoryDayUsd" }],
] as const)
  test(`the ceiling of ${name} holds for a single review too`, async (t) => {
    const { run, server, made } = await openDesk(t);
    made.write("given.yml", "config" in said ? said.config : "");
    const environment = "environment" in said ? said.environment : {};
    const { code, stdout } = await run(["--model", PRICED, "--config", "given.yml"], environment);
    assert.equal(code, 3, stdout);
    assert.ok(stdout.includes(`budget.${said.key} is USD 0`), stdout);
    assert.equal(server.requests.length, 0);
  });

test("an empty file and a renamed one leave nothing unread", async (t) => {
  const { run, made } = await openDesk(t);
  made.write("src/empty.ts", "");
  made.git("mv", "src/users.test.ts", "src/people.test.ts");
  made.commit("rename");
  const { code, stdout } = await run(["--model", PRICED, "-f", "json"]);
  assert.equal(code, 0, stdout);
  // The documented form of the JSON.
  const { receipt } = JSON.parse(stdout) as { receipt: { files: readonly Record<string, unknown>[] } };
  const unread = receipt.files.filter(({ reason }) => reason === "limit:large-change");
  assert.deepEqual(unread, []);
});

/** The files in the first prompt: 58 small ones and the two of every desk. */
function writeSmallFiles(made: TestRepository): void {
  for (let index = 0; index < 58; index++)
    made.write(`src/part/${index}.ts`, `export const part${index} = ${index};\nuse(part${index});\n`);
}

test("a change of 60 small files is read whole", async (t) => {
  const { run, server, made } = await openDesk(t);
  writeSmallFiles(made);
  made.commit("parts");
  const { code, stdout } = await run(["--model", PRICED, "-f", "json"]);
  const prompt = server.requests[0]?.prompt ?? "";
  assert.equal(prompt.match(/^=== src\//gm)?.length, 60);
  assert.doesNotMatch(prompt, /abbreviated|Files you don't get/);
  // The documented form of the JSON.
  const { receipt } = JSON.parse(stdout) as { receipt: { coverage: Record<string, unknown> } };
  assert.deepEqual(
    [code, receipt.coverage["reviewedFiles"], receipt.coverage["isComplete"]],
    [0, 60, true],
    stdout,
  );
});

test("the prompt lists the files it leaves out, with the reason and how to see them", async (t) => {
  const { run, server, made } = await openDesk(t);
  writeSmallFiles(made);
  made.write("package-lock.json", '{ "lockfileVersion": 3 }\n');
  made.write("vault/plan.ts", "export const plan = 1;\n");
  made.write("data/all.txt", Array.from({ length: 20_010 }, (_, line) => `row ${line}\n`).join(""));
  made.write("logo.png", "\0\0\0");
  made.commit("more");
  made.write(
    "given.yml",
    "review: { skipPaths: [vault/**] }\nlargePR: { fullReviewTokens: 1000, abbreviatedTokens: 0 }\n",
  );
  const { stdout } = await run(["--model", PRICED, "--config", "given.yml", "-f", "json"]);
  const prompt = server.requests[0]?.prompt ?? "";
  for (const line of [
    "- package-lock.json (added, +1 -0): lock file; show_diff",
    "- vault/plan.ts (added, +1 -0): excluded by the configuration; show_diff",
    "- data/all.txt (added, +20010 -0): too large to compare; read_file",
    "- logo.png (added): binary",
  ])
    assert.ok(prompt.includes(`${line}\n`), `${line}\n${prompt}`);
  const beyond = /^- (.*) \([^()]*\): left out because the change is too large; show_diff$/gm;
  const named = Array.from(prompt.matchAll(beyond), ([, path]) => path ?? "");
  // The documented form of the JSON.
  const { receipt } = JSON.parse(stdout) as { receipt: { files: readonly Record<string, string>[] } };
  const unread = receipt.files.filter(({ reason }) => reason === "limit:large-change");
  assert.ok(named.length > 0);
  assert.deepEqual(new Set(named), new Set(unread.map(({ path }) => path)));
});

test("a provider that fails: the floor reviews, the notice says so, the exit code is 3", async (t) => {
  const { run, server } = await openDesk(t);
  server.script([{ faults: [{ kind: "status", status: 401, times: "always" }] }]);
  const { code, stdout, stderr } = await run(["--model", PRICED]);
  assert.equal(code, 3);
  assert.match(
    stdout.replace(/\s+/g, " "),
    /openai:gpt-5 failed \(HTTP 401: authentication failed\): it recorded nothing.* Check OPENAI_API_KEY where Kodiai runs/,
  );
  // The person at the terminal may see the address; a publication never shows it.
  assert.equal(
    stderr,
    `kodiai: request to ${PRICED} at ${server.url}/v1 failed: HTTP 401: authentication failed\n`,
  );
  assert.ok(!stdout.includes(server.url));
  assert.match(stdout, /sql-from-strings/);
  // The rules have read what they report.
  assert.match(
    stdout.replace(/\s+/g, " "),
    / Reviewed 11 lines in 2 files by built-in rules only \(the model failed\): src\/users\.ts, src\/users\.test\.ts Mode /,
  );
  assert.doesNotMatch(stdout, /^Skipped/m);
  // Findings that are bad enough come before what is missing.
  const failing = await run(["--model", PRICED, "--fail-on", "medium"]);
  assert.equal(failing.code, 1);
});

test("--offline and --model floor call no provider, even with a key", async (t) => {
  const { run, server } = await openDesk(t);
  for (const [why, ...args] of [
    ["none (--offline)", "--offline"],
    ["none (--model floor)", "--model", "floor"],
    ["none (--offline)", "--offline", "--model", "floor"],
  ] as const) {
    const { code, stdout } = await run(args, { KODIAI_MODEL: "openai:scripted" });
    assert.equal(code, 0);
    assert.ok(stdout.includes(`\nModel       ${why}\n`), stdout);
    assert.match(stdout, /sql-from-strings/);
    assert.doesNotMatch(stdout, /openai:scripted/);
  }
  assert.equal(server.requests.length + server.otherCalls.length, 0);
});

test("impossible requests exit with 2 and say what to do", async (t) => {
  const { run, server } = await openDesk(t);
  const cases: readonly (readonly [args: readonly string[], words: RegExp])[] = [
    [
      ["--model", "acme:x"],
      /must have the form provider:name; known providers are claude, anthropic, openai, google, compatible/,
    ],
    [["--model", "llama"], /must have the form provider:name/],
    [["--model", "gpt-5"], /the model "gpt-5" has no known provider before its name: write openai:gpt-5\n/],
    [["--model", "google:gemini-x"], /google:gemini-x: GEMINI_API_KEY is not set/],
    [["--model", "compatible:x"], /compatible:x: KODIAI_COMPATIBLE_URL is not set/],
    [["--offline", "--model", PRICED], /--offline can't be combined with --model/],
    [["--model", PRICED, "--budget-usd", "much"], /--budget-usd must be an amount in US dollars/],
  ];
  for (const [args, words] of cases) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, words);
  }
  assert.equal(server.requests.length, 0);
});

test("KODIAI_MODEL without a provider is an error that says what to write, and no provider is called", async (t) => {
  const { run, server } = await openDesk(t);
  const { code, stdout } = await run([], { KODIAI_MODEL: "gpt-5" });
  assert.equal(code, 0, stdout);
  assert.match(
    stdout.replace(/\s+/g, " "),
    / Degraded model: the model "gpt-5" has no known provider before its name: write openai:gpt-5 $/,
  );
  assert.doesNotMatch(stdout, /ANTHROPIC_API_KEY/);
  assert.equal(server.requests.length, 0);
});

test("a server that is not there: the notice names the setting, standard error the address", async (t) => {
  const { run } = await openDesk(t);
  // No service listens on the first port of a machine.
  const url = "http://127.0.0.1:1/v1";
  const { code, stdout, stderr } = await run(["--model", "compatible:x"], { KODIAI_COMPATIBLE_URL: url });
  assert.equal(code, 3, stdout);
  assert.match(
    stdout.replace(/\s+/g, " "),
    /compatible:x failed \(no connection to the provider\): .* Check that its server is running and reachable at KODIAI_COMPATIBLE_URL/,
  );
  assert.equal(stderr, `kodiai: request to compatible:x at ${url} failed: no connection to the provider\n`);
});

test("a time-out: how to have the rest is said, in the terminal and in Markdown", async (t) => {
  const { run, server, made } = await openDesk(t);
  server.script([{ faults: [{ kind: "silence", times: "always" }] }]);
  made.write("given.yml", "timeoutSeconds: 5\n");
  const timedOut = ["--model", PRICED, "--config", "given.yml"];
  const [terminal, markdown] = await Promise.all([run(timedOut), run([...timedOut, "-f", "markdown"])]);
  const said =
    /for the rest, raise timeoutSeconds in \.kodiai\.yml, let review\.chunked .* --range, --commit, --staged/;
  assert.match(terminal.stdout.replace(/\s+/g, " "), new RegExp(` Next ${said.source}`));
  assert.match(markdown.stdout, new RegExp(`^Next: ${said.source}`, "m"));
});

test("without a key one line says how to have a model", async (t) => {
  const { made } = await openDesk(t);
  const { code, stdout, stderr } = await runKodiai(["review"], { cwd: made.path });
  assert.deepEqual([code, stderr], [0, ""]);
  const said = stdout.replace(/\s+/g, " ");
  assert.match(said, /Model none \(built-in rules only\); set ANTHROPIC_API_KEY or see docs\/models\.md/);
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

const NOTICE = (model: string, because: string): RegExp =>
  new RegExp(
    `^kodiai: reviewing with ${model} because ${because}\\. Its provider may charge you\\. To review without a model, use --offline or set KODIAI_MODEL=floor\\.\\n`,
  );

/** Commits a configuration to the base. */
function configure({ made }: Desk, config: string): void {
  made.git("checkout", "--quiet", "main");
  made.write(".kodiai.yml", config);
  made.commit("config");
  made.git("checkout", "--quiet", "feature");
  made.git("rebase", "--quiet", "main");
}

test("a model that wasn't chosen by hand is announced on the first line of standard error, before it is called", async (t) => {
  const desk = await openDesk(t);
  const { run, server } = desk;
  let calls = 0;
  server.onRequest(() => calls++);
  const byKey = await run(["--staged"], {});
  assert.deepEqual([byKey.stderr, calls], ["", 0], "nothing is staged, so no model is asked");
  const keyed = await run([]);
  assert.match(keyed.stderr, NOTICE("openai:[a-z0-9.-]+", "OPENAI_API_KEY is set"));
  const set = await run([], { KODIAI_MODEL: "openai:one" });
  assert.match(set.stderr, NOTICE("openai:one", "it's set in KODIAI_MODEL"));
  configure(desk, 'model: "openai:two"\n');
  const configured = await run([]);
  assert.match(configured.stderr, NOTICE("openai:two", "it's set in \\.kodiai\\.yml on the base branch"));
  for (const { stderr } of [keyed, set, configured]) assert.equal(stderr.split("\n").length, 2, stderr);
  assert.equal((await run(["--model", "openai:three"])).stderr, "", "it was named by hand");
});

test("the person's own configuration decides before the repository's, after KODIAI_MODEL and --model", async (t) => {
  const desk = await openDesk(t);
  const { run, server, made } = desk;
  configure(desk, 'model: "openai:theirs"\nfallbackModels: ["openai:more"]\n');
  const home = mkdtempSync(join(tmpdir(), "kodiai-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, ".config", "kodiai", "config.yml");
  const own = (text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const asked = async (args: readonly string[], environment: Record<string, string> = {}) => {
    const before = server.requests.length;
    const result = await run(args, { HOME: home, ...environment });
    const models = new Set(server.requests.slice(before).map(({ model }) => model));
    return { ...result, models: [...models] };
  };
  own("model: floor\n");
  const off = await asked([]);
  assert.deepEqual([off.code, off.models, off.stderr], [0, [], ""]);
  assert.match(off.stdout, /none \(switched off\)/);
  own("# mine\nmodel: openai:mine\n");
  const mine = await asked([]);
  assert.deepEqual(mine.models, ["mine"]);
  assert.match(mine.stderr, NOTICE("openai:mine", `it's set in ${path}`));
  assert.deepEqual((await asked([], { KODIAI_MODEL: "openai:set" })).models, ["set"]);
  assert.deepEqual((await asked(["--model", "openai:hand"])).models, ["hand"]);
  assert.deepEqual((await asked(["--offline"])).models, []);
  made.write("given.yml", "model: openai:given\n");
  assert.deepEqual((await asked(["--config", "given.yml"])).models, ["given"]);
  assert.deepEqual((await asked([], { XDG_CONFIG_HOME: "elsewhere" })).models, ["mine"], "a relative folder");
  own("modle: floor\n");
  const misspelt = await asked([]);
  assert.deepEqual([misspelt.code, misspelt.models], [2, []]);
  assert.match(
    misspelt.stderr,
    /config\.yml: line 1: modle: .*model[^]*Kodiai only reads `model` from this file/,
  );
  own("review:\n  mode: strict\n");
  assert.match((await asked([])).stderr, /"review" isn't allowed here/);
});

test("a repository that switches models off is reviewed without one, whatever the person has set", async (t) => {
  const desk = await openDesk(t);
  configure(desk, "model: floor\n");
  const { code, stderr } = await desk.run([], { KODIAI_MODEL: "openai:one" });
  assert.deepEqual([code, stderr, desk.server.requests.length], [0, "", 0]);
});
