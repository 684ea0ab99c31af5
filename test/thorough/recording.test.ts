/** Recordings that are damaged, that can't be stored, and that have every source of secrets. */
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createFakeRegistries } from "../support/fake-registries.ts";
import { NO_MODELS } from "../support/no-models.ts";
import type { ModelAct } from "../support/recorded-model.ts";
import { testRepository } from "../support/test-repository.ts";
import { KodiaiError, messageOf } from "../../src/base/errors.ts";
import type { Model } from "../../src/model/model.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import type { Repository } from "../../src/repository/repository.ts";
import type { Publication } from "../../src/review/publication/publication.ts";
import { withoutMasks } from "../../src/base/secrets/mask-secrets.ts";
import type { Sql } from "../../src/store/database.ts";
import { createMemoryNotebook } from "../../src/tools/notebook.ts";
import { testReviewDeps } from "../support/review-deps.ts";
import { createChangeReview, reviewChange } from "../../src/jobs/review-change.ts";
import { createDegradations } from "../../src/jobs/gathering/optional.ts";
import type { ReviewRequest } from "../../src/jobs/gathering/prepare-review.ts";
import { parseRecordingText } from "../../src/jobs/recording/parse-recording.ts";
import { recordRuns } from "../../src/jobs/recording/record-run.ts";
import {
  ENVIRONMENT,
  signal,
  reader,
  type Scene,
  record,
  play,
  assertSame,
  SECRETS,
  KEY_LINES,
  KEY,
  BEFORE,
  AFTER,
  recordFinding,
  FINISH,
  projectWith,
} from "../support/recording-fixtures.ts";

/** Quotes what it was shown: placeholders stand for secrets there. */
function quoting(path: string): Model {
  return {
    id: "a:x",
    async run({ prompt, tools, onEvent }) {
      const call = (name: string, args: unknown) => tools.find((tool) => tool.name === name)?.call(args);
      onEvent({ kind: "turn", turn: 1 });
      onEvent({ kind: "said", text: Object.values(SECRETS).join(" and "), thinking: KEY.join("\n") });
      const shown = prompt.user.split("\n").filter((line) => /^\d+[+ ].*\[masked:/.test(line));
      assert.ok(shown.length >= 4, prompt.user);
      for (const line of shown) {
        const quote = line.replace(/^\d+[+ -]/, "");
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
      givenConfig: {
        path: "x.yml",
        bytes: Buffer.from(`review:\n  verify: off\n  prompt: "token = '${SECRETS.added}'"\n`),
      },
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
  const deps = testReviewDeps({ repository, reader, signal }, "1.2.3");
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
