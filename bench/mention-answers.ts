/**
 * Measures how long people wait: from a comment's webhook to the 👀 on it, and to an answer without a model. The whole app runs against the
 * fake GitHub on both databases. The baseline is one reaction, which the fake handles between the mentions.
 */
import { mention, mentionsEnded } from "../test/support/app/mentions.ts";
import { createScenario, type Scenario } from "../test/support/app/scenario.ts";
import { type Engine, ENGINES } from "../test/support/queue-contract/engines.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";

const MENTIONS = 20;

/** The first starts connections and loads modules. */
const WARM_UPS = 2;

const COMMANDS = ["/kodiai help", "/kodiai explain 1"];

/** Milliseconds since the webhook was sent, of each mention. */
type Waits = { readonly eyes: number[]; readonly answer: number[]; readonly floor: number[] };

async function mentionAndWait(scenario: Scenario, index: number): Promise<Record<keyof Waits, number>> {
  const { fake } = scenario;
  const seen = { eyes: Number.NaN, answer: Number.NaN };
  const startedAt = performance.now();
  const stops = [
    fake.onResponse("reactions/create-for-issue-comment", () => {
      if (Number.isNaN(seen.eyes)) seen.eyes = performance.now() - startedAt;
    }),
    fake.onResponse("issues/create-comment", () => {
      seen.answer = performance.now() - startedAt;
    }),
  ];
  const comment = await mention(scenario, COMMANDS[index % COMMANDS.length] ?? "");
  await mentionsEnded(scenario, index + 1);
  for (const stop of stops) stop();
  return { ...seen, floor: await timeReaction(scenario, comment.id) };
}

async function timeReaction({ fake, repository }: Scenario, commentId: number): Promise<number> {
  const startedAt = performance.now();
  const path = `repos/${repository.owner.login}/${repository.name}/issues/comments/${commentId}/reactions`;
  const response = await fetch(`${fake.url}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${fake.personalToken("ada")}`, "content-type": "application/json" },
    body: JSON.stringify({ content: "heart" }),
  });
  if (!response.ok) throw new Error(`the baseline failed with HTTP ${response.status}`);
  await response.text();
  return performance.now() - startedAt;
}

async function measureOn(engine: Engine): Promise<Waits> {
  const closing: (() => Promise<void>)[] = [];
  const scenario = await createScenario(
    { after: (close) => void closing.push(close as () => Promise<void>) },
    { engine, environment: { LOG_LEVEL: "info" } },
  );
  try {
    await scenario.start();
    await scenario.send("opened");
    await scenario.settled();
    const waits: Waits = { eyes: [], answer: [], floor: [] };
    for (let index = 0; index < WARM_UPS + MENTIONS; index++) {
      const waited = await mentionAndWait(scenario, index);
      if (index < WARM_UPS) continue;
      for (const name of ["eyes", "answer", "floor"] as const) waits[name].push(waited[name]);
    }
    return waits;
  } finally {
    for (const each of closing) await each();
  }
}

export async function mentionAnswers(): Promise<void> {
  for (const engine of ENGINES) {
    const waits = await measureOn(engine);
    const floorMs = quantile(waits.floor, 0.5);
    for (const [name, limit] of [
      ["eyes", LIMITS.mentionEyes],
      ["answer", LIMITS.mentionAnswer],
    ] as const) {
      const [medianMs, p95Ms] = [0.5, 0.95].map((share) => quantile(waits[name], share));
      if (medianMs === undefined || p95Ms === undefined) throw new TypeError("two shares have two values");
      const ratios = `${(medianMs / floorMs).toFixed(0)}× and ${(p95Ms / floorMs).toFixed(0)}× a reaction (${floorMs.toFixed(1)} ms)`;
      console.log(
        `  ${engine.name.padEnd(9)}${name.padEnd(7)} median ${medianMs.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms; ${ratios}`,
      );
      judge(limit, p95Ms, engine.name);
    }
  }
}
