/**
 * Measures what a second push costs: the prompt of a push to 2 files of a 60-file pull request, compared with that of the first review.
 * The whole app runs against the fake GitHub, and the model's server counts what it is sent.
 */
import { estimateTokens, sizeOf } from "../src/base/text-size.ts";
import { pushAndReview, reasonOf } from "../test/support/app/pushes.ts";
import { createScenario, type Scenario } from "../test/support/app/scenario.ts";
import { type ModelServer, startModelServer } from "../test/support/model-server/model-server.ts";
import { forever } from "../test/support/model-server/script.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";

const FILES = 60;
const PUSHED_FILES = 2;

const CONFIG = "review:\n  debounceSeconds: 0\n";

/** A module before the change (0), in the pull request (1), and after the second push (2). */
function moduleOf(index: number, version: 0 | 1 | 2): string {
  const steps = Array.from({ length: 18 }, (_, step) => [
    `export function step${step}(order: Order, stock: Stock): Result {`,
    ...(version > 0 && step % 3 === 0
      ? [
          `  const wanted = order.items.filter((item) => item.shelf === ${index * 100 + step});`,
          '  if (wanted.length === 0) return { kind: "nothing", order };',
          "  const missing = wanted.filter(({ sku, amount }) => stock.count(sku) < amount);",
          `  if (missing.length > ${step}) return { kind: "missing", order, missing };`,
        ]
      : []),
    ...(version === 2 && step === 9 ? ["  stock.reserve(wanted);"] : []),
    `  return { kind: "done", order: { ...order, step: ${step} } };`,
    "}",
    "",
  ]);
  return steps.flat().join("\n");
}

function modules(count: number, version: 0 | 1 | 2): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/area-${index % 6}/module-${index}.ts`,
      moduleOf(index, version),
    ]),
  );
}

type Sent = { readonly prompt: number; readonly request: number };

/** The tokens of the first request after those that are known. */
function sentAfter({ requests }: ModelServer, known: number): Sent {
  const request = requests[known];
  if (request === undefined) throw new Error("the model wasn't asked");
  const { system, prompt, body } = request;
  return { prompt: tokensOf(system + prompt), request: tokensOf(JSON.stringify(body)) };
}

function tokensOf(text: string): number {
  return estimateTokens(sizeOf(text));
}

async function reviewTwice(
  scenario: Scenario,
  server: ModelServer,
): Promise<readonly [first: Sent, second: Sent]> {
  const { fake, repository, pullRequest } = scenario;
  await fake.commit(repository, modules(FILES, 0));
  await fake.push(pullRequest, modules(FILES, 1), { isForced: true });
  await scenario.start();
  const outcomes = [await reasonOf(scenario, () => scenario.send("opened"))];
  const known = server.requests.length;
  outcomes.push(await pushAndReview(scenario, modules(PUSHED_FILES, 2)));
  if (outcomes.join() !== "published,published") throw new Error(`the reviews ended with ${outcomes.join()}`);
  return [sentAfter(server, 0), sentAfter(server, known)];
}

function report(what: string, { prompt, request }: Sent): void {
  const [inPrompt, inAll] = [prompt, request].map((tokens) => String(tokens).padStart(7));
  console.log(`  ${what.padEnd(26)} prompt ${inPrompt} tokens, with the tools ${inAll} tokens`);
}

export async function secondPush(): Promise<void> {
  const closing: (() => Promise<void>)[] = [];
  const server = await startModelServer();
  // The first call is answered with the files that it hasn't marked.
  server.script(forever({ toolCalls: [{ name: "finish_review", args: { summary: "Checks the stock." } }] }));
  const environment = {
    KODIAI_MODEL: "openai:gpt-5-mini",
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${server.url}/v1`,
    LOG_LEVEL: "info",
  };
  const scenario = await createScenario(
    { after: (close) => void closing.push(close as () => Promise<void>) },
    { environment, config: CONFIG },
  );
  try {
    const [first, second] = await reviewTwice(scenario, server);
    report(`first review of ${FILES} files`, first);
    report(`push of ${PUSHED_FILES} of them`, second);
    judge(LIMITS.secondPrompt, (100 * second.prompt) / first.prompt);
  } finally {
    for (const each of closing) await each();
    await server.close();
  }
}
