/**
 * Measures the overhead of a review with a model: the job of a 20-file pull request with the fake model, which answers at once, compared
 * with the same job with the built-in rules alone, and for the Claude Agent SDK with its program alone; and the memory of a worker that
 * runs eight reviews.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createScenario, type Scenario } from "../test/support/app/scenario.ts";
import { eventually } from "../test/support/eventually.ts";
import { type RunningApp } from "../test/support/app/running-app.ts";
import type { PullRequest } from "../fake-github/world.ts";
import { type ModelServer, startModelServer } from "../test/support/model-server/model-server.ts";
import type { ModelTurn } from "../test/support/model-server/script.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { isOpen } from "./support/attempts.ts";
import { timeBareAgent } from "./support/bare-agent.ts";
import { twentyFiles } from "./support/twenty-files.ts";

const ROUNDS = 9;
const CONCURRENCY = 8;

const CLAUDE = "claude-sonnet-5";

const MODELS = ["openai:gpt-5-mini", `anthropic:${CLAUDE}`, `claude:${CLAUDE}`] as const;

const FINISH: ModelTurn = { toolCalls: [{ name: "finish_review", args: { summary: "Adds steps." } }] };

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
  FINISH,
  FINISH,
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
    for (const model of MODELS) if (isOpen(model)) await judgeModel(bench, model);
    for (const model of MODELS) if (isOpen("memory")) await memoryOf(bench, model);
  } finally {
    await bench.close();
  }
}

async function judgeModel(bench: Bench, model: (typeof MODELS)[number]): Promise<void> {
  // Right before, so that a slow moment of the machine affects both alike.
  const floor = await jobTime(bench, "floor");
  console.log(`  ${"built-in rules alone".padEnd(40)} ${floor.toFixed(0).padStart(9)} ms`);
  bench.server.script(TURNS);
  const bare: number[] = [];
  const isClaude = model.startsWith("claude:");
  // Turn by turn with the jobs, so that noise affects both alike.
  const ms = await jobTime(bench, model, async () => {
    if (isClaude) bare.push(await timeBareAgent(bench.server, CLAUDE, TURNS.length));
  });
  console.log(`  ${model.padEnd(40)} ${ms.toFixed(0).padStart(9)} ms, ${(ms / floor).toFixed(1)}×`);
  const of = `${model}, ${TURNS.length} turns`;
  if (!isClaude) return judge(LIMITS.modelJob, ms / floor, of);
  const alone = median(bare);
  console.log(`  ${"the SDK's program alone".padEnd(40)} ${alone.toFixed(0).padStart(9)} ms`);
  judge(LIMITS.claudeJob, ms / (floor + alone), of);
}

/** Returns the median over jobs whose repository is already cloned. */
async function jobTime(
  bench: Bench,
  model: string,
  between: () => Promise<void> = async () => {},
): Promise<number> {
  const app = await bench.start(["serve"], { KODIAI_MODEL: model });
  for (let round = 0; round <= ROUNDS; round++) {
    await ask(bench, bench.pullRequest);
    await between();
  }
  // The last line is written after the review was published.
  await app.stop();
  const times = jobLines(app).slice(1);
  if (times.length < ROUNDS) throw new Error(`${model}: ${times.length} of ${ROUNDS} reviews were published`);
  return median(times);
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Runs a review that a person requests. */
async function ask(bench: Bench, pullRequest: PullRequest): Promise<void> {
  const { fake } = bench;
  const before = (await bench.jobs()).length;
  const comment = fake.comment(pullRequest, { author: "ada", body: "/kodiai review full" });
  await fake.send(fake.events.comment(comment));
  // A server that has just started doesn't know its own name, and queues the review a moment later.
  await eventually("the review to be queued", async () => (await bench.jobs()).length > before);
  await bench.settled();
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
  let isMeasured = false;
  // It lasts until all reviews are there, and no longer than it takes to look at them.
  const held: ModelTurn = {
    text: "thinking ".repeat(400),
    get pauseMs() {
      return isMeasured ? 0 : 400;
    },
  };
  server.script(({ turn }) => (turn < 3 ? (TURNS[turn] ?? {}) : turn === 3 ? held : FINISH));
  const app = await bench.start(["serve", "--concurrency", String(CONCURRENCY)], { KODIAI_MODEL: model });
  const idleMb = memoryMb(app.pid);
  const changes = await openChanges(bench, model);
  for (const change of changes) await fake.send(await fake.events.pullRequest("opened", change));
  const busy = await eventually("reviews to be running", () => {
    const open = server.requests.slice(before).filter(({ turn, end }) => turn === 3 && end() === null).length;
    return open >= CONCURRENCY && open;
  });
  const mb = memoryMb(app.pid);
  isMeasured = true;
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
