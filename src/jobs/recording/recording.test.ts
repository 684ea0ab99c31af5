/** Recordings contain no secret, and enough to replay the review with the same result. */
import type { Memory } from "../../review/context/memory.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeRegistries } from "../../../test/support/fake-registries.ts";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import type { ModelAct } from "../../../test/support/recorded-model.ts";
import { PLANTED } from "../../../test/support/secret-corpus/corpus.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import { createMemoryNotebook } from "../../tools/notebook.ts";
import { modelsIfNamed } from "../model-review/models-if-named.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";
import type { TeamMemory } from "../gathering/team-memory.ts";
import { parseRecordingText } from "./parse-recording.ts";
import { recordModels } from "./record-models.ts";
import { replayReview } from "./replay-review.ts";
import {
  signal,
  reader,
  record,
  play,
  assertSame,
  SECRETS,
  KEY_LINES,
  BEFORE,
  AFTER,
  recordFinding,
  FINISH,
  projectWith,
} from "../../../test/support/recording-fixtures.ts";

test("[P9] recording: no secret of the corpus reaches the model or the recording, by the diff or by a tool", async (t) => {
  const path = (index: number): string => `src/planted/file-${index}.txt`;
  const files = Object.fromEntries(PLANTED.map(({ text }, index) => [path(index), text]));
  const reads: ModelAct[] = Object.keys(files).flatMap((each) => [
    { tool: "read_file", args: { path: each } },
    { tool: "show_diff", args: { path: each } },
  ]);
  const { json, model } = await record(t, {
    before: PLAIN,
    after: { ...CHANGED, ...files },
    body: PLANTED.map(({ text }) => text).join("\n\n"),
    runs: [[...reads, FINISH]],
  });
  const answers = model.answers[0] ?? [];
  assert.ok(answers.length > PLANTED.length && answers.every(({ isError }) => !isError));
  const shown = JSON.stringify([model.tasks.map(({ prompt }) => prompt), answers]);
  const leaked = (text: string): readonly string[] =>
    PLANTED.filter(({ secrets }) =>
      secrets.some((secret) => text.includes(JSON.stringify(secret).slice(1, -1))),
    ).map(({ format }) => format);
  assert.deepEqual(leaked(shown), []);
  assert.deepEqual(leaked(json), []);
});

test("[P9] recording: no secret of an earlier run's diff or finding is in a recording, and the replay is the same", async (t) => {
  const scene = { before: BEFORE, after: AFTER, runs: [[FINISH]] };
  const first = await record(t, scene);
  const { leftBehind } = first;
  assert.ok(JSON.stringify(leftBehind).includes(SECRETS.added), "the diff of the run has a secret");
  const findings = leftBehind.findings.map((finding) => ({ ...finding, title: `Replace ${SECRETS.added}` }));
  const second = await record(t, { ...scene, request: { prior: { ...leftBehind, findings } } });
  for (const [name, secret] of Object.entries(SECRETS)) assert.ok(!second.json.includes(secret), name);
  for (const line of KEY_LINES) assert.ok(!second.json.includes(line), "a line of the key");
  assert.equal(second.publication.scope.full, null);
  assert.deepEqual(second.publication.findings, []);
  const replayed = await assertSame(second.recording);
  assert.equal(replayed.stillOpen.length, findings.length);
});

const PLAIN = { "src/a.ts": "export const a = 1;\n" };

const CHANGED = {
  "src/a.ts": "export const a = 2;\nexport const b = 3;\n",
  "src/b.ts": "export const c = 4;\n",
};

test("recording: spending, earlier entries, failures of the repository and of checks are replayed", async (t) => {
  const refusal = { kind: "refused", budget: "perReviewUsd", limitUsd: 1, spentUsd: 0.9 } as const;
  const dear: ModelAct = { spends: { input: 2_000_000, output: 0 } };
  const { recording, publication, model } = await record(t, {
    before: { ...PLAIN, ".kodiai.yml": 'prices:\n  "a:x": { inputUsd: 1, outputUsd: 1 }\n' },
    after: CHANGED,
    runs: [
      [
        { spends: { input: 100, output: 1 } },
        { tool: "ci_status" },
        { tool: "search_code", args: { pattern: "const" } },
        recordFinding({ path: "src/a.ts", quote: "export const b = 3;", title: "Three" }),
        recordFinding({ path: "src/a.ts", quote: "export const a = 1;", side: "old", title: "One is gone" }),
        recordFinding({ path: "src/a.ts", quote: "nowhere to be seen", title: "Nowhere" }),
        dear,
      ],
    ],
    access: {
      money: {
        ...NO_MODELS.money,
        openSpending: () => ({
          ...createMemorySpending({ name: "perReviewUsd", usd: 1 }),
          reserve: async () => ({ kind: "reserved", extend: async () => refusal, settle: async () => {} }),
        }),
      },
      openNotebook: async () => {
        const notebook = createMemoryNotebook();
        await notebook.append({ kind: "reviewed", pass: "review", paths: ["src/b.ts"] });
        return notebook;
      },
    },
    readChecks: () => Promise.reject(new Error("no answer")),
    wrap: (real) => ({ ...real, search: () => Promise.reject(new Error("git broke")) }),
  });
  const [checks, search] = model.answers[0] ?? [];
  assert.match(checks?.text ?? "", /no answer/);
  assert.match(search?.text ?? "", /git broke/);
  assert.equal(publication.conclusion, "budget-partial");
  const replayed = await assertSame(recording);
  assert.deepEqual(replayed.passes, publication.passes);
  assert.deepEqual(replayed.usage, publication.usage);
});

test("recording: a question to the repository without a recorded answer is an error", async (t) => {
  const { recording } = await record(t, {
    before: PLAIN,
    after: CHANGED,
    runs: [[{ tool: "read_file", args: { path: "src/a.ts" } }, FINISH]],
  });
  const repository = recording.repository;
  assert.ok(repository !== null);
  const calls = repository.calls.filter(({ method }) => method !== "readFiles");
  await assert.rejects(play({ ...recording, repository: { ...repository, calls } }), {
    name: "KodiaiError",
    message: /the recording has no answer for readFiles .*\.kodiai\.yml/,
  });
});

test("recording: other prompts, answers, runs and versions are remarks, not another outcome", async (t) => {
  const { recording } = await record(t, {
    before: PLAIN,
    after: CHANGED,
    runs: [[{ tool: "read_file", args: { path: "src/a.ts" } }, FINISH]],
  });
  const [run] = recording.models.runs;
  assert.ok(run !== undefined);
  const [read, ...rest] = run.steps.filter(({ kind }) => kind === "tool");
  assert.ok(read?.kind === "tool" && read.answer !== null);
  const steps = [{ ...read, answer: { ...read.answer, text: "another text" } }, ...rest];
  const changed = { ...run, steps, prompt: { ...run.prompt, system: `${run.prompt.system}\nBe kind.` } };
  const { differences, remarks } = await replayReview(
    { ...recording, models: { ...recording.models, runs: [changed, run] } },
    { reader, signal, version: "2.0.0" },
  );
  assert.deepEqual(differences, []);
  assert.equal(remarks.length, 4, remarks.join("\n"));
  assert.match(remarks[0] ?? "", /version 1\.2\.3 recorded it, and this is 2\.0\.0/);
  assert.match(remarks[1] ?? "", /system prompt differs: line \d+ was "Be kind\." and is nothing/);
  assert.match(remarks[2] ?? "", /read_file returns another result/);
  assert.match(remarks[3] ?? "", /called once less/);
});

test("recording: a model that isn't in the recording isn't called, and the outcome differs", async (t) => {
  const { recording } = await record(t, {
    before: PLAIN,
    after: CHANGED,
    runs: [[recordFinding({ path: "src/b.ts", quote: "export const c = 4;", title: "Four" }), FINISH]],
  });
  const { differences } = await play({ ...recording, models: { ...recording.models, runs: [] } });
  assert.ok(differences.includes('finding src/b.ts:1 "Four" is gone'), differences.join("\n"));
  assert.ok(differences.includes('the conclusion "complete" became "model-failed"'), differences.join("\n"));
});

test("recording: paths that aren't ASCII, and files that are read twice, are replayed", async (t) => {
  const { recording } = await record(t, {
    before: PLAIN,
    after: { "src/a.ts": "export const ä = 2;\n", "src/ü b.ts": "export const c = 4;\n" },
    runs: [
      [
        { tool: "read_file", args: { path: "src/a.ts" } },
        { tool: "read_file", args: { path: "src/a.ts" } },
        { tool: "read_file", args: { path: "src/none.ts" } },
        recordFinding({ path: "src/ü b.ts", quote: "export const c = 4;", title: "Vier" }),
        FINISH,
      ],
    ],
  });
  const files = recording.repository?.calls.filter(
    ({ method, args }) => method === "readFiles" && args[1] === "src/a.ts",
  );
  assert.deepEqual(
    files?.map(({ answers }) => answers.map(({ times }) => times)),
    [[2]],
  );
  const replayed = await assertSame(recording);
  assert.ok(replayed.findings.some(({ finding }) => finding.path === "src/ü b.ts"));
});

test("recording: the operator's prices are kept and used also where models load late", async () => {
  const prices = { "a:x": { inputUsd: 1, outputUsd: 2 } };
  const real = modelsIfNamed(async () => ({
    ...NO_MODELS,
    money: { ...NO_MODELS.money, operatorPrices: { prices, hasCeilings: true } },
  }));
  const { access, recorded } = recordModels(real, () => 0);
  await access.choice.choose({ ...noConfig().root.values, model: "a:x" });
  assert.deepEqual(access.money.operatorPrices, { prices, hasCeilings: true });
  assert.deepEqual(recorded().operatorPrices, { prices, hasCeilings: true });
});

const padIt = (version: string, declarations: string, note: string) => ({
  ecosystem: "npm" as const,
  name: "pad-it",
  version,
  files: {
    "package.json": JSON.stringify({ name: "pad-it", version, types: "index.d.ts", main: "index.js" }),
    "index.d.ts": declarations,
    "index.js": "",
  },
  note,
});

test("recording: the look-ups of dependencies are replayed without a registry, and their secrets are masked", async (t) => {
  const registries = createFakeRegistries([
    padIt("1.0.0", "export declare function padLeft(text: string, width: number): string;", "First."),
    padIt("2.0.0", "export declare function pad(text: string): string;", `BREAKING: use ${SECRETS.body}.`),
  ]);
  const { recording, json, publication, model } = await record(t, {
    before: projectWith("1.0.0"),
    after: projectWith("2.0.0"),
    openRegistries: async () => registries,
    runs: [
      [
        { tool: "read_dependency", args: { package: "pad-it", version: "old", what: "declarations" } },
        { tool: "read_dependency", args: { package: "pad-it", version: "new", what: "changelog" } },
        { tool: "read_dependency", args: { package: "pad-it", version: "new", what: "files" } },
        { tool: "read_dependency", args: { package: "pad-it", version: "new", what: "file", path: "no.js" } },
        { tool: "read_dependency", args: { package: "other", version: "new", what: "files" } },
        FINISH,
      ],
    ],
  });
  const answers = (model.answers[0] ?? []).map(({ text }) => text);
  assert.match(answers[0] ?? "", /index\.d\.ts\n.*function padLeft/);
  assert.match(answers[1] ?? "", /BREAKING: use \[masked:github-token/);
  assert.match(answers[2] ?? "", /\tindex\.js\n3\tpackage\.json/);
  assert.match(answers[3] ?? "", /not found\. Use what: "files"/);
  assert.match(answers[4] ?? "", /"other" isn't a public package of this change/);
  assert.match(model.tasks[0]?.prompt.user ?? "", /read_dependency shows/);
  assert.ok(registries.asked.includes("npm pad-it 2.0.0"));
  const [reported] = publication.dependencies?.packages ?? [];
  assert.ok(reported?.changelog.kind === "found" && reported.uses?.verdict === "used");
  assert.ok(JSON.stringify(reported).includes(SECRETS.body), "the report itself isn't masked");
  assert.ok(!json.includes(SECRETS.body));
  const asked = registries.asked.length;
  const replayed = await assertSame(recording);
  assert.equal(registries.asked.length, asked);
  assert.deepEqual(replayed.dependencies, recording.dependencies?.report);
  assert.deepEqual(replayed.dependencies?.confidence, publication.dependencies?.confidence);
  assert.deepEqual(replayed.dependencies?.packages[0]?.uses, reported.uses);
});

const MEMORY: Memory = {
  id: 12,
  title: "Loads before the settings are there",
  body: `It logged ${SECRETS.password} and ${SECRETS.body}.`,
  path: "src/load.ts",
  language: "typescript",
  category: "correctness",
  severity: "major",
  rule: null,
  outcome: "accepted",
  repository: "acme/shop",
  pullRequest: 1,
  url: null,
  distance: 0.2,
  method: "both",
  createdAt: 0,
};

const teamMemoryThat = (recall: TeamMemory["recall"]): TeamMemory => ({
  recall,
  readLearnings: async () => [],
  readFeedback: async () => ({ feedback: [], suppressions: [], explained: [], repeated: [] }),
});

test("recording: the team's memory is replayed without a store, its secrets are masked, and older recordings have none", async (t) => {
  const scene = {
    before: { "src/load.ts": "export {};\n" },
    after: { "src/load.ts": `export const password = "${SECRETS.password}";\n` },
    runs: [[FINISH]],
  };
  const recalled = {
    memories: [MEMORY],
    candidates: 4,
    threshold: 0.39,
    embeddings: "local",
    isWordsOnly: true,
    problems: ["status 500"],
  };
  const shown = await record(t, { ...scene, teamMemory: teamMemoryThat(async () => recalled) });
  const [run] = shown.recording.models.runs;
  assert.match(run?.prompt.user ?? "", /Loads before the settings are there/);
  for (const secret of [SECRETS.password, SECRETS.body]) assert.ok(!shown.json.includes(secret));
  const { degradations } = await assertSame(shown.recording);
  assert.deepEqual(degradations, [{ what: "memories", message: "status 500", count: 1 }]);

  const failing = teamMemoryThat(() => Promise.reject(new Error("the database is gone")));
  const failed = await record(t, { ...scene, teamMemory: failing });
  const again = await assertSame(failed.recording);
  assert.deepEqual(again.degradations, [{ what: "memories", message: "the database is gone", count: 1 }]);

  const without = await record(t, scene);
  const { memory, ...older } = JSON.parse(without.json) as Record<string, unknown>;
  assert.equal(memory, null);
  await assertSame(parseRecordingText(JSON.stringify(older), "test"));
});
