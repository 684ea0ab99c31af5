/** A review that is recorded and replayed. */
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import type { ContextSources } from "../../src/review/context/context.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import type { PriorReview } from "../../src/review/context/prior-review.ts";
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createInProcessReader } from "./in-process-reader.ts";
import { NO_MODELS } from "./no-models.ts";
import { testReviewDeps } from "./review-deps.ts";
import { type ModelAct, type RecordedModel, recordedModel } from "./recorded-model.ts";
import { testRepository } from "./test-repository.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import type { Repository } from "../../src/repository/repository.ts";
import type { Publication } from "../../src/review/publication/publication.ts";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import type { ModelAccess, ModelChoice } from "../../src/jobs/model-review/model-access.ts";
import { reviewChange } from "../../src/jobs/review-change.ts";
import type { DependencyLookups, PastBumpReader } from "../../src/jobs/gathering/dependencies/report-deps.ts";
import type { ReviewRequest } from "../../src/jobs/gathering/prepare-review.ts";
import type { TeamMemory } from "../../src/jobs/gathering/team-memory.ts";
import { parseRecordingText } from "../../src/jobs/recording/parse-recording.ts";
import { recordReview } from "../../src/jobs/recording/record-review.ts";
import type { ReviewRecording } from "../../src/jobs/recording/recording.ts";
import { replayReview } from "../../src/jobs/recording/replay-review.ts";

export const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };

export const { signal } = new AbortController();

export const reader = createInProcessReader();

export type Scene = {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly runs?: readonly (readonly ModelAct[])[];
  readonly access?: Partial<ModelAccess>;
  readonly choose?: ModelChoice["choose"];
  readonly readChecks?: ContextSources["readChecks"];
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
export async function record(t: TestContext, scene: Scene): Promise<Recorded> {
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
  const { openRegistries, readPastBumps = null } = scene;
  const sources = {
    repository: scene.wrap?.(repository) ?? repository,
    reader,
    signal,
    readPastBumps,
    lookups: openRegistries === undefined ? null : { openRegistries, wallClock: () => 1_700_000_000_000 },
  };
  const review = recordReview(
    {
      ...testReviewDeps(sources, "1.2.3"),
      readChecks: scene.readChecks ?? null,
      teamMemory: scene.teamMemory ?? null,
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

export const play = (recording: ReviewRecording) =>
  replayReview(recording, { reader, signal, version: "1.2.3" });

export async function assertSame(recording: ReviewRecording): Promise<Publication> {
  const { publication, differences, remarks } = await play(recording);
  assert.deepEqual({ differences, remarks }, { differences: [], remarks: [] });
  return publication;
}

/** Random characters. The secrets are assembled here, so that no scanner reports this file. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0";

const token = (from: number): string =>
  `ghp_${RANDOM.slice(from, from + 30)}${checksumOf(RANDOM.slice(from, from + 30))}`;

export const SECRETS = {
  added: token(0),
  removed: token(3),
  context: `glpat-${RANDOM.slice(10, 30)}`,
  body: token(7),
  unchanged: `sk_live_${RANDOM.slice(20, 50)}`,
  check: token(11),
  password: "hM7qV2xR9tW4zN8d",
};

const KEY_NAME = "PRIVATE KEY";

export const KEY_LINES = [RANDOM.slice(0, 64), RANDOM.slice(7, 71), RANDOM.slice(20, 52)];

export const KEY = [`-----BEGIN RSA ${KEY_NAME}-----`, ...KEY_LINES, `-----END RSA ${KEY_NAME}-----`];

export const BEFORE = {
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

export const AFTER = {
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

export const recordFinding = (args: object): ModelAct => ({
  tool: "record_finding",
  args: { body: "It is.", severity: "major", category: "correctness", ...args },
});

export const FINISH: ModelAct = { tool: "finish_review", args: { summary: "Read." } };

/** A project that uses one package, at one version. */
export function projectWith(version: string): Readonly<Record<string, string>> {
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
