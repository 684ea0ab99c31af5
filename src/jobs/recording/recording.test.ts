/** Recordings contain no secret, and enough to replay the review with the same result. */
import { NPM_HOST } from "../../base/npm-hosts.ts";
import type { Context } from "../../review/context/context.ts";
import type { Memory } from "../../review/context/memory.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { createFakeRegistries } from "../../../test/support/fake-registries.ts";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import { type ModelAct, type RecordedModel, recordedModel } from "../../../test/support/recorded-model.ts";
import { PLANTED } from "../../../test/support/secret-corpus/corpus.ts";
import { testRepository } from "../../../test/support/test-repository.ts";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import type { Model } from "../../model/model.ts";
import { openRepository } from "../../repository/git/open-repository.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Publication } from "../../review/publication/publication.ts";
import { withoutMasks } from "../../base/secrets/mask-secrets.ts";
import { checksumOf } from "../../base/secrets/token-checksum.ts";
import type { Sql } from "../../store/database.ts";
import { createMemoryNotebook } from "../../tools/notebook.ts";
import type { ModelAccess, ModelChoice } from "../model-review/model-access.ts";
import { modelsIfNamed } from "../model-review/models-if-named.ts";
import { createChangeReview, reviewChange } from "../review-change.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";
import type { DependencyLookups, PastBumpReader } from "../gathering/dependencies/report-dependencies.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { ReviewRequest } from "../gathering/prepare-review.ts";
import type { TeamMemory } from "../gathering/team-memory.ts";
import { parseRecordingText } from "./parse-recording.ts";
import { recordModels } from "./record-models.ts";
import { recordReview } from "./record-review.ts";
import { recordRuns } from "./record-run.ts";
import type { ReviewRecording } from "./recording.ts";
import { replayReview } from "./replay-review.ts";

const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };
const { signal } = new AbortController();
const reader = createInProcessReader();

type Scene = {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly runs?: readonly (readonly ModelAct[])[];
  readonly access?: Partial<ModelAccess>;
  readonly choose?: ModelChoice["choose"];
  readonly readChecks?: Context["readChecks"];
  readonly request?: Partial<ReviewRequest>;
  readonly wrap?: (real: Repository) => Repository;
  readonly openRegistries?: DependencyLookups["openRegistries"];
  readonly readPastBumps?: PastBumpReader;
  readonly teamMemory?: TeamMemory;
};

type Recorded = {
  readonly recording: ReviewRecording;
  readonly json: string;
  readonly publication: Publication;
  readonly leftBehind: PriorReview;
  readonly model: RecordedModel;
};

/** The repository is gone when this returns. */
async function record(t: TestContext, scene: Scene): Promise<Recorded> {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries(scene.before)) made.write(path, text);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(scene.after)) made.write(path, text);
  made.commit(`Settings\n\n${scene.body ?? ""}`);
  const repository = await openRepository(made.path, ENVIRONMENT);
  const change = await repository.readChange({ kind: "current", base: null });
  const model = recordedModel("a:x", scene.runs ?? []);
  const models = { models: [model], noModel: null, problems: [] };
  const request: ReviewRequest = {
    change: { ...change, body: scene.body ?? "" },
    givenConfig: null,
    isExplicit: true,
    isFull: false,
    tags: "all",
    author: { association: null, mergedPullRequests: null },
    prior: NO_PRIOR_REVIEW,
    ...scene.request,
  };
  const review = recordReview(
    {
      repository: scene.wrap?.(repository) ?? repository,
      reader,
      now: () => 0,
      signal,
      onProgress: () => {},
      version: "1.2.3",
      readChecks: scene.readChecks ?? null,
      ...(scene.readPastBumps === undefined ? {} : { readPastBumps: scene.readPastBumps }),
      ...(scene.teamMemory === undefined ? {} : { teamMemory: scene.teamMemory }),
      ...(scene.openRegistries === undefined
        ? {}
        : { lookups: { openRegistries: scene.openRegistries, wallClock: () => 1_700_000_000_000 } }),
    },
    undefined,
    () => 1_700_000_000_000,
  );
  const choice = { ...NO_MODELS.choice, choose: scene.choose ?? (async () => models) };
  const access = { ...NO_MODELS, choice, randomWord: () => "f3nc3w0rd", ...scene.access };
  const { publication, leftBehind } = await reviewChange(request, access, review);
  const recording = await review.recording();
  repository.close();
  made.remove();
  assert.ok(recording !== null);
  const json = JSON.stringify(recording);
  return { recording: parseRecordingText(json, "test"), json, publication, leftBehind, model };
}

const play = (recording: ReviewRecording) => replayReview(recording, { reader, signal, version: "1.2.3" });

async function assertSame(recording: ReviewRecording): Promise<Publication> {
  const { publication, differences, remarks } = await play(recording);
  assert.deepEqual({ differences, remarks }, { differences: [], remarks: [] });
  return publication;
}

/** Random characters. The secrets are assembled here, so that no scanner reports this file. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0";
const token = (from: number): string =>
  `ghp_${RANDOM.slice(from, from + 30)}${checksumOf(RANDOM.slice(from, from + 30))}`;
const SECRETS = {
  added: token(0),
  removed: token(3),
  context: `glpat-${RANDOM.slice(10, 30)}`,
  body: token(7),
  unchanged: `sk_live_${RANDOM.slice(20, 50)}`,
  check: token(11),
  password: "hM7qV2xR9tW4zN8d",
};
const KEY_NAME = "PRIVATE KEY";
const KEY_LINES = [RANDOM.slice(0, 64), RANDOM.slice(7, 71), RANDOM.slice(20, 52)];
const KEY = [`-----BEGIN RSA ${KEY_NAME}-----`, ...KEY_LINES, `-----END RSA ${KEY_NAME}-----`];

const BEFORE = {
  "src/settings.ts": [
    `export const old = "${SECRETS.removed}";`,
    "export const a = 1;",
    `export const kept = "${SECRETS.context}";`,
    "export const b = 2;",
    "",
  ].join("\n"),
  "src/unchanged.ts": `export const live = "${SECRETS.unchanged}";\nexport const c = 3;\n`,
  "deploy/key.yml": `key: |\n${KEY.map((line) => `  ${line}`).join("\n")}\n`,
};
const AFTER = {
  "src/settings.ts": [
    `export const now = "${SECRETS.added}";`,
    "export const a = 2;",
    `export const kept = "${SECRETS.context}";`,
    "export const b = 2;",
    `export const url = "https://ada:${SECRETS.password}@db.example.org/shop";`,
    "",
  ].join("\n"),
  "deploy/other.yml": `key: |\n${KEY.map((line) => `  ${line}`).join("\n")}\nname: other\n`,
};

const recordFinding = (args: object): ModelAct => ({
  tool: "record_finding",
  args: { body: "It is.", severity: "major", category: "correctness", ...args },
});
const FINISH: ModelAct = { tool: "finish_review", args: { summary: "Read." } };

/** Quotes what it was shown: placeholders stand for secrets there. */
function quoting(path: string): Model {
  return {
    id: "a:x",
    async run({ prompt, tools, onEvent }) {
      const call = (name: string, args: unknown) => tools.find((tool) => tool.name === name)?.call(args);
      onEvent({ kind: "turn", turn: 1 });
      onEvent({ kind: "said", text: Object.values(SECRETS).join(" and "), thinking: KEY.join("\n") });
      const shown = prompt.user.split("\n").filter((line) => /\|[+ ].*\[masked:/.test(line));
      assert.ok(shown.length >= 4, prompt.user);
      for (const line of shown) {
        const quote = line.replace(/^[\d ]+\|[+ -]/, "");
        await call("record_finding", {
          path: line.includes("export") ? path : "deploy/other.yml",
          quote,
          title: `Seen: ${quote.trim().slice(0, 90)}`,
          body: `It says ${quote}`,
          severity: "minor",
          category: "security",
        });
      }
      for (const file of ["src/unchanged.ts", "deploy/key.yml"]) await call("read_file", { path: file });
      await call("search_code", { pattern: "sk_live" });
      await call("ci_status", {});
      // A model may know a secret from elsewhere, or guess it.
      await call("record_finding", {
        path,
        quote: "",
        title: `Rotate ${SECRETS.unchanged}`,
        body: KEY_LINES.join(" "),
        severity: "minor",
        category: "security",
      });
      await call("finish_review", { summary: `Saw ${SECRETS.body}` });
      const tokens = { input: 1, cachedInput: 0, output: 1 };
      return { kind: "completed", stopReason: { kind: "finished" }, model: "a:x", turns: 1, tokens, ms: 1 };
    },
  };
}

test("recording: it contains no secret from any source, and the review still has the same result", async (t) => {
  const checks = [{ name: "ci", state: "failure", summary: `token ${SECRETS.check}` }];
  const { recording, json, publication } = await record(t, {
    before: BEFORE,
    after: AFTER,
    body: `Uses ${SECRETS.body} for now.`,
    choose: async () => ({ models: [quoting("src/settings.ts")], noModel: null, problems: [] }),
    readChecks: async () => checks,
    request: {
      givenConfig: { path: "x.yml", bytes: Buffer.from(`review:\n  prompt: "token = '${SECRETS.added}'"\n`) },
    },
  });
  for (const [where, secret] of Object.entries(SECRETS)) assert.ok(!json.includes(secret), where);
  for (const line of KEY_LINES) assert.ok(!json.includes(line.slice(2, 40)), line);
  // Placeholders are by number: with the word of the fences their hash would let a guess be tried.
  assert.doesNotMatch(json, /\[masked:[a-z-]+:[0-9a-f]{6}/);
  assert.match(json, /\[masked:github-token:\d\]/);
  assert.ok(publication.findings.filter(({ finding }) => finding.source === "model").length >= 4);
  const replayed = await assertSame(recording);
  const places = ({ findings }: Publication) =>
    findings.map(({ anchor, severity }) => [anchor?.path, anchor?.startLine, severity]);
  assert.deepEqual(places(replayed), places(publication));
  assert.ok(replayed.findings.some(({ finding }) => finding.rule === "secret-in-code"));
  // The overview is the same again; a secret in it is shown neither time.
  for (const { overview } of [publication, replayed]) {
    assert.deepEqual(
      overview.map(({ pass, text }) => `${pass}: ${withoutMasks(text)}`),
      ["review: Saw *"],
    );
  }
});

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

test("recording: a finding on a secret that was reported before is still open again", async (t) => {
  const first = await record(t, { before: BEFORE, after: AFTER, runs: [[FINISH]] });
  const reported = first.leftBehind.findings;
  assert.ok(reported.length > 0);
  const second = await record(t, {
    before: BEFORE,
    after: AFTER,
    runs: [[FINISH]],
    request: {
      prior: {
        runs: [],
        findings: reported,
      },
    },
  });
  const replayed = await assertSame(second.recording);
  const numbers = reported.map(({ number }) => number);
  for (const { findings, stillOpen } of [second.publication, replayed]) {
    assert.deepEqual(findings, []);
    assert.deepEqual(
      stillOpen.map(({ prior }) => prior.number).toSorted((a, b) => a - b),
      numbers,
    );
  }
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

test("recording: a run that can't be stored is still reviewed, and says so", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.ts", "export const a = 1;\n");
  made.commit("root");
  const repository = await openRepository(made.path, ENVIRONMENT);
  t.after(() => repository.close());
  const change = await repository.readChange({ kind: "commit", ref: "HEAD" });
  const request: ReviewRequest = {
    change,
    givenConfig: null,
    isExplicit: true,
    isFull: false,
    tags: "all",
    author: { association: null, mergedPullRequests: null },
    prior: NO_PRIOR_REVIEW,
  };
  const deps = {
    repository,
    reader,
    now: () => 0,
    signal,
    onProgress: () => {},
    version: "1.2.3",
  };
  const stored: unknown[] = [];
  const databaseThat = (answer: () => Promise<never[]>): Sql => ({
    query: (_statement, values = []) => {
      stored.push(...values);
      return answer();
    },
  });
  const keptBy = async (database: Sql, association: string | null) => {
    const review = recordRuns({ database, now: () => 5 })(deps, createDegradations(signal), 7);
    const author = { ...request.author, association };
    const { publication } = await reviewChange({ ...request, author }, NO_MODELS, review);
    const plain = await reviewChange({ ...request, author }, NO_MODELS, createChangeReview(deps));
    assert.deepEqual({ ...publication, degradations: [] }, plain.publication);
    return publication.degradations;
  };
  const works = databaseThat(async () => []);
  assert.deepEqual(await keptBy(works, null), []);
  assert.deepEqual(stored.slice(0, 2), [7, 5]);
  const broken = databaseThat(() => Promise.reject(new Error("disk is full")));
  assert.deepEqual(await keptBy(broken, null), [{ what: "recording", message: "disk is full", count: 1 }]);
  const large = randomBytes(12_000_000).toString("base64");
  assert.deepEqual(await keptBy(works, large), [
    { what: "recording", message: "not kept: larger than 8 MB compressed", count: 1 },
  ]);
});

test("recording: the operator's prices are kept and used also where models load late", async () => {
  const prices = { "a:x": { inputUsd: 1, outputUsd: 2 } };
  const real = modelsIfNamed(async () => ({
    ...NO_MODELS,
    money: { ...NO_MODELS.money, operatorPrices: { prices, hasCeilings: true } },
  }));
  const { access, recorded } = recordModels(real, { now: () => 0, readChecks: null });
  await access.choice.choose({ ...noConfig().root.values, model: "a:x" });
  assert.deepEqual(access.money.operatorPrices, { prices, hasCeilings: true });
  assert.deepEqual(recorded().operatorPrices, { prices, hasCeilings: true });
});

/** The paths of all values in a value. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) yield* pathsIn(each, [...path, name]);
}

function withValue(json: string, path: readonly string[], value: unknown): unknown {
  const root = { content: JSON.parse(json) as unknown };
  let at: object = root;
  const names = ["content", ...path];
  for (const name of names.slice(0, -1)) at = Reflect.get(at, name) as object;
  Reflect.set(at, names.at(-1) ?? "", value);
  return root.content;
}

test("recording: a damaged value is refused or replayed, and never crashes the replay", async (t) => {
  const { json } = await record(t, {
    before: BEFORE,
    after: AFTER,
    runs: [
      [
        { tool: "read_file", args: { path: "src/settings.ts" } },
        recordFinding({ path: "src/settings.ts", quote: "export const a = 2;", title: "Two" }),
        FINISH,
      ],
    ],
    access: {
      openNotebook: async () => {
        const notebook = createMemoryNotebook();
        await notebook.append({ kind: "reviewed", pass: "review", paths: ["src/b.ts"] });
        return notebook;
      },
    },
    readChecks: async () => [{ name: "ci", state: "failure", summary: "no" }],
  });
  const damages = [null, 7, "x", [], {}, -1, 1e300, 0.5, true];
  const crashed: string[] = [];
  for (const [index, path] of [...pathsIn(JSON.parse(json))].entries()) {
    const damage = damages[index % damages.length];
    const damaged = JSON.stringify(withValue(json, path, damage));
    const error = await rejection(async () => play(parseRecordingText(damaged, "test")));
    if (error !== null && !(error instanceof KodiaiError))
      crashed.push(`${path.join(".")} = ${JSON.stringify(damage)}: ${messageOf(error)}`);
  }
  assert.deepEqual(crashed, []);
});

async function rejection(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
    return null;
  } catch (error) {
    return error;
  }
}

/** A project that uses one package, at one version. */
function projectWith(version: string): Readonly<Record<string, string>> {
  const dependencies = { "pad-it": `^${version}` };
  const resolved = `https://${NPM_HOST}/pad-it/-/pad-it-${version}.tgz`;
  const lock = {
    name: "shop",
    lockfileVersion: 3,
    packages: { "": { dependencies }, "node_modules/pad-it": { version, resolved } },
  };
  return {
    "package.json": `${JSON.stringify({ name: "shop", dependencies }, null, 2)}\n`,
    "package-lock.json": `${JSON.stringify(lock, null, 2)}\n`,
    "src/a.ts": 'import { padLeft } from "pad-it";\nexport const a = padLeft("1", 3);\n',
  };
}

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

test("recording: failed look-ups are the same again, and an older recording has no dependencies", async (t) => {
  const { recording, json, publication } = await record(t, {
    before: projectWith("1.0.0"),
    after: projectWith("2.0.0"),
    openRegistries: () => Promise.reject(new Error("no cache folder")),
    runs: [[FINISH]],
  });
  assert.deepEqual(publication.degradations, [{ what: "look-ups", message: "no cache folder", count: 1 }]);
  const replayed = await assertSame(recording);
  assert.deepEqual(replayed.degradations, publication.degradations);
  assert.deepEqual(replayed.dependencies, publication.dependencies);
  const { dependencies: _, ...older } = JSON.parse(json);
  const parsed = parseRecordingText(JSON.stringify(older), "test");
  assert.equal(parsed.dependencies, null);
  assert.equal((await play(parsed)).publication.dependencies, null);
  const broken = JSON.parse(json);
  broken.dependencies.report.packages[0].change.kind = "enormous";
  assert.throws(() => parseRecordingText(JSON.stringify(broken), "test"), {
    message: /dependencies\.report\.packages\.0\.change\.kind/,
  });
});

test("[P8] a private package is never looked up, and read_dependency isn't mentioned where nothing can be", async (t) => {
  const registries = createFakeRegistries([]);
  const ask: ModelAct = {
    tool: "read_dependency",
    args: { package: "pad-it", version: "new", what: "files" },
  };
  const before = { ...projectWith("1.0.0"), ".kodiai.yml": "dependencies:\n  privatePackages: [pad-*]\n" };
  const scenes: readonly Partial<Scene>[] = [
    { before, openRegistries: async () => registries },
    {
      before: { ...projectWith("1.0.0"), ".npmrc": "" },
      wrap: withoutNpmrc,
      openRegistries: async () => registries,
    },
    {},
  ];
  for (const scene of scenes) {
    const { recording, publication, model } = await record(t, {
      before: projectWith("1.0.0"),
      after: projectWith("2.0.0"),
      runs: [[ask, FINISH]],
      ...scene,
    });
    assert.equal(publication.dependencies?.packages.length, 1);
    assert.ok(!model.tasks[0]?.tools.some(({ name }) => name === "read_dependency"));
    assert.doesNotMatch(model.tasks[0]?.prompt.user ?? "", /read_dependency/);
    assert.equal(recording.dependencies?.reading, null);
  }
  assert.deepEqual(registries.asked, []);
});

/** Fails where the settings of npm are read. */
function withoutNpmrc(real: Repository): Repository {
  return {
    ...real,
    readFiles: async (revision, paths, maxBytes) => {
      if (paths.includes(".npmrc")) throw new Error("git broke");
      return real.readFiles(revision, paths, maxBytes);
    },
  };
}

test("recording: earlier bumps are in the report and its replay, and a failure to read them is counted", async (t) => {
  const scene = { before: projectWith("1.0.0"), after: projectWith("1.1.0"), runs: [[FINISH]] };
  const past = {
    from: "0.9.0",
    to: "1.0.1",
    mergedAt: "2026-01-01T00:00:00.000Z",
    revertedAt: "2026-01-03T00:00:00.000Z",
  };
  const { recording, publication } = await record(t, {
    ...scene,
    readPastBumps: async (ids) => ids.map(({ ecosystem, name }) => ({ ecosystem, name, ...past })),
  });
  for (const { dependencies } of [publication, await assertSame(recording)]) {
    assert.deepEqual(dependencies?.packages[0]?.history, [past]);
    assert.ok(dependencies.confidence.reasons.includes("reverted-before"));
  }
  const failing = await record(t, {
    ...scene,
    readPastBumps: () => Promise.reject(new Error("the disk is full")),
  });
  assert.deepEqual(failing.publication.dependencies?.packages[0]?.history, []);
  assert.deepEqual(failing.publication.degradations, [
    { what: "earlier bumps", message: "the disk is full", count: 1 },
  ]);
  await assertSame(failing.recording);
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
  readFeedback: async () => ({ feedback: [], suppressions: [] }),
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
