/**
 * Measures the overhead of a review with a model: the job of a 20-file pull request with the fake model, which answers at once, compared
 * with the same job with the built-in rules alone; and the memory of a worker that runs eight reviews.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createScenario, type Scenario } from "../test/support/app/scenario.ts";
import { eventually } from "../test/support/eventually.ts";
import { type RunningApp } from "../test/support/app/running-app.ts";
import type { PullRequest } from "../fake-github/world.ts";
import { type ModelServer, startModelServer } from "../test/support/model-server/model-server.ts";
import type { ModelTurn } from "../test/support/model-server/script.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { twentyFiles } from "./support/twenty-files.ts";

const ROUNDS = 9;
const CONCURRENCY = 8;

const MODELS = [
  { model: "openai:gpt-5-mini", limit: LIMITS.modelJob },
  { model: "anthropic:claude-sonnet-5", limit: LIMITS.modelJob },
  { model: "claude:claude-sonnet-5", limit: LIMITS.claudeJob },
] as const;

/** A typical session: some reading, three findings, and the end. */
const TURNS: readonly ModelTurn[] = [
  { toolCalls: ["src/feature-0.ts", "src/view.tsx"].map((path) => ({ name: "read_file", args: { path } })) },
  {
    toolCalls: [
      { name: "search_code", args: { pattern: "step17\\b" } },
      { name: "list_files", args: {} },
    ],
  },
  { toolCalls: [{ name: "find_references", args: { name: "step12" } }] },
  ...[181, 190, 199].map((line) => ({ toolCalls: [findingOn(line)] })),
  { toolCalls: [{ name: "finish_review", args: { summary: "Adds steps." } }] },
  { toolCalls: [{ name: "finish_review", args: { summary: "Adds steps." } }] },
];

function findingOn(line: number) {
  const quote = `export const step${line - 1} = (value: number): number => value + ${line - 1};`;
  const words = { title: `Step ${line} overflows`, body: "Values above the limit wrap around." };
  const args = {
    path: "src/feature-1.ts",
    quote,
    line,
    ...words,
    severity: "major",
    category: "correctness",
  };
  return { name: "record_finding", args: { ...args, confidence: 0.9 } };
}

type Bench = { readonly server: ModelServer; readonly close: () => Promise<void> } & Scenario;

async function openBench(): Promise<Bench> {
  const closing: (() => Promise<void> | void)[] = [];
  const server = await startModelServer();
  const environment = {
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: server.url,
    LOG_LEVEL: "info",
    KODIAI_LEASE_SECONDS: "60",
  };
  const scenario = await createScenario(
    { after: (close) => void closing.push(close as () => Promise<void>) },
    { environment, pullRequest: { files: Object.fromEntries(twentyFiles(2)) } },
  );
  const close = async (): Promise<void> => {
    for (const each of closing) await each();
    await server.close();
  };
  return { ...scenario, server, close };
}

export async function models(): Promise<void> {
  const bench = await openBench();
  try {
    const floor = await jobTimes(bench, "floor");
    console.log(`  ${"built-in rules alone".padEnd(40)} ${floor.toFixed(0).padStart(9)} ms`);
    for (const { model, limit } of MODELS) {
      bench.server.script(TURNS);
      const ms = await jobTimes(bench, model);
      console.log(`  ${model.padEnd(40)} ${ms.toFixed(0).padStart(9)} ms, ${(ms / floor).toFixed(1)}×`);
      judge(limit, ms, `${model}, ${TURNS.length} turns`);
    }
    for (const { model } of MODELS) await memoryOf(bench, model);
  } finally {
    await bench.close();
  }
}

/** Returns the median over jobs whose repository is already cloned. */
async function jobTimes(bench: Bench, model: string): Promise<number> {
  const app = await bench.start(["serve"], { KODIAI_MODEL: model });
  await ask(bench, bench.pullRequest, ROUNDS + 1);
  // The last line is written after the review was published.
  await app.stop();
  const times = jobLines(app).slice(1);
  if (times.length < ROUNDS) throw new Error(`${model}: ${times.length} of ${ROUNDS} reviews were published`);
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** Runs one review after the other, each requested by a person. */
async function ask(bench: Bench, pullRequest: PullRequest, times: number): Promise<void> {
  const { fake } = bench;
  for (let time = 0; time < times; time++) {
    const before = (await bench.jobs()).length;
    const comment = fake.comment(pullRequest, { author: "ada", body: "/kodiai review full" });
    await fake.send(fake.events.comment(comment));
    // A server that has just started doesn't know its own name, and queues the review a moment later.
    await eventually("the review to be queued", async () => (await bench.jobs()).length > before);
    await bench.settled();
  }
}

/** Returns the milliseconds of every published review, from the worker's log. */
function jobLines(app: RunningApp): readonly number[] {
  return app
    .output()
    .split("\n")
    .filter((line) => line.includes('"job finished"') && line.includes('"review-pull-request"'))
    .flatMap((line) => {
      const { state, ms } = JSON.parse(line) as { state: string; ms: number };
      return state === "done" ? [ms] : [];
    });
}

/** Measures memory while every review waits in the middle of an answer. */
async function memoryOf(bench: Bench, model: string): Promise<void> {
  const { fake, server } = bench;
  const before = server.requests.length;
  server.script((request) =>
    request.turn < 3 ? (TURNS[request.turn] ?? {}) : { text: "thinking ".repeat(40), pauseMs: 400 },
  );
  const app = await bench.start(["serve", "--concurrency", String(CONCURRENCY)], { KODIAI_MODEL: model });
  const idleMb = memoryMb(app.pid);
  const changes = await openChanges(bench, model);
  for (const change of changes) await fake.send(await fake.events.pullRequest("opened", change));
  const busy = await eventually("reviews to be running", () => {
    const held = server.requests.slice(before).filter(({ turn, end }) => turn === 3 && end() === null).length;
    return held >= CONCURRENCY && held;
  });
  const mb = memoryMb(app.pid);
  console.log(
    `  memory with ${model}: ${idleMb.toFixed(0)} MB idle, ${mb.toFixed(0)} MB with ${busy} reviews, ${((mb - idleMb) / busy).toFixed(0)} MB each`,
  );
  await bench.settled();
  await app.stop();
}

/** Uses two owners, because an installation runs four reviews at a time. */
async function openChanges({ fake }: Bench, model: string): Promise<readonly PullRequest[]> {
  const changes: PullRequest[] = [];
  for (const name of ["north", "south"]) {
    const owner = `${name}-${model.replaceAll(/\W/g, "-")}`;
    fake.createInstallation(owner);
    const repository = await fake.createRepository({ owner, files: Object.fromEntries(twentyFiles(1)) });
    for (let index = 0; index < CONCURRENCY / 2; index++) {
      const files = Object.fromEntries(twentyFiles(2));
      changes.push(
        await fake.openPullRequest(repository, {
          title: `Change ${index}`,
          files,
          branch: `change-${index}`,
        }),
      );
    }
  }
  return changes;
}

/** Returns the resident memory of a process and its descendants. */
function memoryMb(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const status = statusOf(Number(name));
    if (status !== null) parents.set(Number(name), status.parent);
  }
  const family = [pid];
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family.reduce((sum, member) => sum + (statusOf(member)?.mb ?? 0), 0);
}

function statusOf(pid: number): { readonly parent: number; readonly mb: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    const number = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
    return { parent: number("PPid"), mb: number("VmRSS") / 1024 };
  } catch {
    return null;
  }
}
