/** The process is killed while findings are checked: one review is published, no verdict is paid for twice, and each has its effect. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { eventually } from "../support/eventually.ts";
import {
  FINISHING,
  type ModelScene,
  oneByOne,
  recording,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelScript, ModelTurn } from "../support/model-server/script.ts";
import { claimsIn, type ScriptedVerdict, verdictOn } from "../support/model-server/verifier-script.ts";

const [SHOP, TAX] = ["src/shop.ts", "src/tax.ts"];

const FILES = {
  [SHOP]: [
    "export function total(items: number[]): number {",
    "  let sum = 0;",
    "  for (let at = 0; at <= items.length; at++) sum += items[at] ?? 0;",
    "  return sum;",
    "}",
    "",
    "export function share(part: number, whole: number): number {",
    "  return part / whole;",
    "}",
    "",
  ].join("\n"),
  [TAX]: "export const withTax = (net: number): number => net * 1.19;\n",
};

const LOOP = "The loop reads one item too many";
const SHARE = "A share of nothing is not a number";
const RATE = "The tax rate is fixed";

const finding = (path: string, quote: string, title: string) =>
  recording({ path, quote, title, severity: "must-fix", confidence: 0.6 });

const FINDER = oneByOne([
  finding(SHOP, "  for (let at = 0; at <= items.length; at++) sum += items[at] ?? 0;", LOOP),
  finding(SHOP, "  return part / whole;", SHARE),
  finding(TAX, "export const withTax = (net: number): number => net * 1.19;", RATE),
  FINISHING,
]);

const VERDICTS: Readonly<Record<string, ScriptedVerdict>> = {
  [LOOP]: { verdict: "refuted", because: "A missing item counts as 0." },
  [SHARE]: { verdict: "confirmed", severity: "medium" },
  [RATE]: { verdict: "unsure" },
};

const SILENCE: ModelTurn = { faults: [{ kind: "silence", times: "always" }] };

/** A verifier that gives one verdict per turn about these claims, and never answers about another one. */
function verdictsAbout(titles: readonly string[]): ModelScript {
  return (request) => {
    const claim = claimsIn(request).filter(({ title }) => titles.includes(title))[request.turn];
    return claim === undefined ? SILENCE : { toolCalls: [verdictOn(claim, VERDICTS[claim.title])] };
  };
}

async function countStored({ database }: ModelScene): Promise<number> {
  return (await database.query("select number from notebook_entries where kind = 'verdict'")).length;
}

const CRASHES: readonly {
  readonly when: string;
  /** Claims that have a verdict before the crash. */
  readonly stored: readonly string[];
}[] = [
  { when: "before the verifier's first answer", stored: [] },
  { when: "after the first verdict of two about a file", stored: [LOOP] },
  { when: "after the other verdict of two about that file", stored: [SHARE] },
  { when: "when one file is checked and another one isn't", stored: [LOOP, SHARE] },
  { when: "when the smaller file is checked and the other one isn't", stored: [RATE] },
  { when: "after the last verdict, before anything is published", stored: [LOOP, SHARE, RATE] },
];

/** Starts the app, and returns when it was killed. */
async function crash(scene: ModelScene, stored: readonly string[]): Promise<void> {
  const { server } = scene;
  server.verifier(verdictsAbout(stored));
  const isComplete = stored.length === Object.keys(VERDICTS).length;
  const app = await scene.start(["serve"], isComplete ? { KODIAI_FAULT_POINT: "after-findings" } : {});
  await scene.send("opened");
  if (!isComplete) {
    await eventually(
      "the verdicts to be stored",
      async () => server.readings.length > 0 && (await countStored(scene)) === stored.length,
    );
    app.kill("SIGKILL");
  }
  assert.equal(await app.ended, "SIGKILL", app.output());
  assert.equal(await countStored(scene), stored.length);
  assert.equal(scene.published().reviews, 0);
}

void suite("the process is killed while findings are checked", { concurrency: 2 }, () => {
  for (const { when, stored } of CRASHES)
    testModels(
      `${when}: the next start asks only about the others, and publishes one review`,
      async (openModelScene) => {
        const scene = await openModelScene({
          script: FINDER,
          pullRequest: { files: FILES },
          config: "review: { mode: balanced }\n",
        });
        const { server } = scene;
        await crash(scene, stored);
        const before = server.readings.length;
        server.verifier(verdictsAbout(Object.keys(VERDICTS)));
        await scene.start();
        const [job, ...others] = await scene.settled();
        assert.deepEqual([job?.state, job?.reason, others], ["done", "published", []]);
        assert.equal(server.requests.length, FINDER.length, "the finder isn't paid again");
        const askedAgain = server.readings
          .slice(before)
          .filter(({ turn }) => turn === 0)
          .flatMap((request) => claimsIn(request).map(({ title }) => title));
        assert.deepEqual(
          askedAgain.toSorted(),
          Object.keys(VERDICTS)
            .filter((title) => !stored.includes(title))
            .toSorted(),
        );
        assert.equal(await countStored(scene), Object.keys(VERDICTS).length);
        assert.deepEqual(scene.published(), {
          reviews: 1,
          comments: [`${SHOP}:8`],
          summaries: 1,
          conclusions: ["neutral"],
        });
        const comment = scene.comments().get(`${SHOP}:8`) ?? "";
        assert.match(
          comment,
          /^\*\*\[medium\] [^]*lowered from must-fix to medium: a second reading rates it so/,
        );
        const summary = scene.summary();
        assert.match(summary, /Second reading: 3 findings: 1 confirmed, 1 withdrawn, 1 unsure/);
        assert.match(summary, /Withdrawn \(1\)[^]*The loop reads one item too many/);
        assert.match(summary, /The tax rate is fixed/);
        scene.check();
      },
    );
});
