/**
 * Measures what second readings add to a review: with 12 claims in 12 files, compared with one claim. The reviews are otherwise the same,
 * with 12 findings of which the model doubts 12, one or none. Each answer of the model takes a while, as answers of providers do.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PRICED } from "../test/support/model-scenes/desk.ts";
import { FINISHING, modelEnvironment, recording } from "../test/support/model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "../test/support/model-server/model-server.ts";
import type { ModelScript, ModelTurn } from "../test/support/model-server/script.ts";
import { claimsIn, verdictOn } from "../test/support/model-server/verifier-script.ts";
import { runKodiai } from "../test/support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { installedLayout } from "./support/installed-layout.ts";

const ROUNDS = 5;

/** As many as one review checks. */
const FINDINGS = 12;

/** An answer has two pieces, each with a pause after it. A fast provider needs more than this second for 300 tokens. */
const ANSWER: ModelTurn = {
  pauseMs: 500,
  splitBytes: 1 << 20,
  usage: { input: 4_000, output: 300 },
};

const pathOf = (index: number): string => `src/step-${index}.ts`;
const mistakeIn = (index: number): string => `  return amounts[amounts.length] ?? ${index};`;

/** A function before the change (0) and after it (1), in a file of a usual length. */
function moduleOf(index: number, version: 0 | 1): string {
  const others = Array.from({ length: 60 }, (_, line) => [
    `export function step${index}x${line}(amounts: readonly number[]): number {`,
    `  return Math.max(${line}, ...amounts);`,
    "}",
    "",
  ]);
  return [
    ...others.flat(),
    `export function last${index}(amounts: readonly number[]): number {`,
    version === 0 ? `  return amounts.at(-1) ?? ${index};` : mistakeIn(index),
    "}",
    "",
  ].join("\n");
}

function finder(doubted: number): ModelScript {
  const findings = Array.from({ length: FINDINGS }, (_, index) =>
    recording({
      path: pathOf(index),
      quote: mistakeIn(index),
      title: `The last amount of step ${index} is never found`,
      confidence: index < doubted ? 0.5 : 0.95,
    }),
  );
  return [{ toolCalls: findings }, { toolCalls: [FINISHING] }, { toolCalls: [FINISHING] }];
}

/** Looks around first, then decides. */
const VERIFIER: ModelScript = (request) => {
  const claims = claimsIn(request);
  if (request.turn > 0) return { ...ANSWER, toolCalls: claims.map((claim) => verdictOn(claim)) };
  const [{ path } = { path: "" }] = claims;
  const name = `last${/\d+/.exec(path)?.[0]}`;
  return {
    ...ANSWER,
    toolCalls: [
      { name: "read_file", args: { path } },
      { name: "find_references", args: { name } },
    ],
  };
};

type Bench = { readonly server: ModelServer; readonly made: TestRepository; readonly installed: string };

/** Milliseconds from the reviewer's last request, which is answered at once, to the end of the review. */
async function timeRest({ server, made, installed }: Bench, doubted: number): Promise<number> {
  server.script(finder(doubted));
  const { KODIAI_MODEL: _, ...keys } = modelEnvironment("openai", server.url);
  const args = ["review", "--no-memory", "--model", PRICED, "--format", "json"];
  const { stdout, stderr } = await runKodiai(args, {
    cwd: made.path,
    // Caches in the home folder aren't part of the change.
    env: { ...keys, HOME: installed },
    bin: join(installed, "bin/kodiai.js"),
  });
  const endMs = Date.now();
  const { verification } = JSON.parse(stdout || "{}") as { verification?: { confirmed: number } | null };
  if ((verification?.confirmed ?? 0) !== doubted)
    throw new Error(`not all ${doubted} claims were confirmed:\n${stderr}${stdout}`);
  return endMs - (server.requests.at(-1)?.atMs ?? Number.NaN);
}

function write(made: TestRepository, version: 0 | 1): void {
  for (let index = 0; index < FINDINGS; index++) made.write(pathOf(index), moduleOf(index, version));
  made.commit(`version ${version}`);
}

export async function verification(): Promise<void> {
  const installed = installedLayout();
  const made = testRepository();
  const server = await startModelServer();
  server.verifier(VERIFIER);
  try {
    write(made, 0);
    made.git("checkout", "--quiet", "-b", "feature");
    write(made, 1);
    const bench: Bench = { server, made, installed };
    const times = new Map([FINDINGS, 1, 0].map((doubted) => [doubted, [] as number[]]));
    for (let round = 0; round <= ROUNDS; round++)
      for (const [doubted, kept] of times) {
        const ms = await timeRest(bench, doubted);
        // The first round warms caches.
        if (round > 0) kept.push(ms);
      }
    const medianOf = (doubted: number): number => quantile(times.get(doubted) ?? [], 0.5);
    const addedBy = (doubted: number): number => medianOf(doubted) - medianOf(0);
    for (const doubted of [1, FINDINGS])
      console.log(
        `  ${`added by claims: ${doubted}`.padEnd(40)} ${addedBy(doubted).toFixed(0).padStart(9)} ms`,
      );
    judge(LIMITS.verification, addedBy(FINDINGS) / addedBy(1));
  } finally {
    await server.close();
    made.remove();
    rmSync(installed, { recursive: true, force: true });
  }
}
