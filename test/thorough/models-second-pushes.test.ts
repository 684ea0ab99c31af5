/** A model on second pushes: it reads what is new, nothing is said twice, and threads are closed on proof. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../fake-github/git.ts";
import { askAndReview, pushAndReview, reasonOf, threadStates } from "../support/app/pushes.ts";
import { eventually } from "../support/eventually.ts";
import {
  FINISHING,
  oneByOne,
  type ScriptedFinding,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelTurn, ScriptedCall } from "../support/model-server/script.ts";
import {
  AGAIN,
  BASE,
  CONFIG,
  FIRST,
  FIXED,
  INSISTING,
  SHIP,
  TABLE,
  TOTAL,
  UNFIXED,
  confirming,
  finding,
  openReviewed,
  orders,
  prompts,
  push,
  joinLines,
  totalOf,
  type Files,
  AMOUNT,
} from "../support/model-scenes/orders.ts";

const SAME_DEFECT: readonly (readonly [files: Files, ScriptedFinding])[] = [
  // Another file.
  [
    { "src/stock.ts": joinLines("export const STOCK = new Map<string, number>();", "export const LOW = 3;") },
    {
      path: "src/orders.ts",
      quote: `export function total(items: readonly Item[]): number {\n${TOTAL}`,
      title: "Total ignores how many of each item were ordered",
      body: "Two apples cost as much as one: the sum ignores the ordered amount of an item.",
      severity: "critical",
      category: "correctness",
    },
  ],
  // A line above it, so that it moves.
  [
    { "src/orders.ts": orders({ total: ["  if (items.length === 0) return 0;", TOTAL], table: TABLE }) },
    {
      path: "src/orders.ts",
      quote: `${TOTAL}\n}`,
      title: "Wrong sum when the amount of an item is not one",
      body: "Each item is counted once, so customers who ordered a larger amount pay too little.",
      severity: "medium",
      category: "maintainability",
    },
  ],
  // The line itself, and the defect stays.
  [
    {
      "src/orders.ts": orders({
        total: ["  if (items.length === 0) return 0;", `${TOTAL.slice(0, -5)}, VAT);`],
        table: TABLE,
      }),
    },
    {
      path: "src/orders.ts",
      quote: `${TOTAL.slice(0, -5)}, VAT);`,
      title: "The ordered amount is not multiplied with the price",
      body: "The sum ignores the amount of each item, so ordering ten costs as much as one.",
      severity: "major",
      category: "performance",
    },
  ],
  // The file has another name.
  [
    {
      "src/orders.ts": null,
      "src/baskets.ts": orders({
        total: ["  if (items.length === 0) return 0;", `${TOTAL.slice(0, -5)}, VAT);`],
        table: [...TABLE, '  [30, "zone 30"],'],
      }),
    },
    {
      path: "src/baskets.ts",
      quote: `  if (items.length === 0) return 0;\n${TOTAL.slice(0, -5)}, VAT);`,
      title: "Customers pay for one item whatever amount they ordered",
      body: "The price is added once per item; the amount is ignored in the sum.",
      severity: "major",
      category: "security",
    },
  ],
];

testModels(
  "the same defect in other words, quotes, categories and severities on five pushes is one thread",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
    for (const [files, again] of SAME_DEFECT) {
      await push(scene, files, [finding(again)]);
      assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`], again.title);
      assert.match(scene.summary(), /Still open \(1\)/);
    }
    assert.equal(prompts(scene).length, 5);
    assert.deepEqual(scene.published().comments.length, 1);

    // Another defect on the same line has a thread of its own.
    const line = `${TOTAL.slice(0, -5)}, VAT);`;
    const other: ScriptedFinding = {
      path: "src/baskets.ts",
      quote: line,
      title: "Fractions of cents pile up in floating point",
      body: "Decimal prices such as 0.1 can't be represented exactly. Count in whole cents.",
    };
    await push(
      scene,
      {
        "src/baskets.ts": orders({ total: ["  if (items.length < 1) return 0;", line], table: TABLE }),
      },
      [finding({ ...(SAME_DEFECT[3]?.[1] ?? AMOUNT), quote: line }), finding(other)],
    );
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`, `${other.title} | open`]);
    scene.check();
  },
);

const RENAMED = "  return items.reduce((total, each) => total + each.price, 0);";

testModels(
  "a model that follows its prompt and is silent about changed code closes nothing",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
    await push(scene, totalOf(RENAMED), []);
    const prompt = prompts(scene).at(-1) ?? "";
    assert.match(
      prompt,
      /# Check again\n[\s\S]*- \(1\) src\/orders\.ts:2 \[major\] The amount of each item is ignored/,
    );
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
    assert.match(scene.summary(), /Still open \(1\)\n\n.*its code changed; the fix isn't confirmed/);
    assert.doesNotMatch(scene.summary(), /### Resolved/);
    // A later push elsewhere doesn't confirm it either, and contradicting answers leave it open.
    await push(scene, { "src/stock.ts": LOW }, []);
    await push(scene, totalOf(FIXED), [confirming(1, "fixed", FIXED), confirming(1, "still-there", FIXED)]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
    // Neither does an answer without a line that shows the fix.
    await push(scene, totalOf(RENAMED), [confirming(1, "fixed", "  return itemsOf(order).total();")]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
    scene.check();
  },
);

testModels("sibling findings on neighboring lines don't swallow each other", async (openModelScene) => {
  const [save, load] = ["  save(order);", "  load(order);"];
  const sibling = (name: string, quote: string): ScriptedFinding => ({
    path: "src/orders.ts",
    quote,
    title: `The promise of \`${name}\` is not awaited`,
    body: "Errors are lost.",
  });
  const shipOf = (...ship: readonly string[]): Files => ({ "src/orders.ts": orders({ ship }) });
  const scene = await openReviewed(openModelScene, [finding(sibling("save", save))], {
    files: shipOf(save, "  return true;"),
  });
  const caught = "  save(order).catch(report);";
  await push(scene, shipOf(caught, load, "  return true;"), [
    confirming(1, "fixed", caught),
    finding(sibling("load", load)),
  ]);
  assert.deepEqual(await threadStates(scene), [
    "The promise of `save` is not awaited | kodiai[bot]",
    "The promise of `load` is not awaited | open",
  ]);
  scene.check();
});

testModels("a finding that the model finds again in changed code stays open", async (openModelScene) => {
  const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
  await push(scene, totalOf(UNFIXED), [finding(AGAIN)]);
  assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
  assert.match(scene.summary(), /Still open \(1\)/);
  scene.check();
});

testModels(
  "a finding whose code moved to another file stays open, and is not said again there",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
    const moved = joinLines("export function sum(items: readonly Item[]): number {", TOTAL, "}");
    const files = { ...totalOf("  return 0;"), "src/sum.ts": moved };
    await push(scene, files, [finding({ ...AGAIN, path: "src/sum.ts", quote: TOTAL })]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
    assert.match(scene.summary(), /Still open \(1\)[\s\S]*src\/sum\.ts/);
    scene.check();
  },
);

const ENDLESS: ModelTurn = { text: "Let me think. ".repeat(2_000), pauseMs: 50 };

const CURRENCY: ScriptedFinding = {
  path: "src/prices.ts",
  quote: '  ["apple", 30],',
  title: "The price has no currency",
  body: "Readers can't tell cents from euros.",
};

const EUROS = joinLines("export const PRICES = new Map<string, Price>([", '  ["apple", euros(0.3)],', "]);");

const EUROS_FIX = confirming(2, "fixed", '  ["apple", euros(0.3)],');

const MARKING: ScriptedCall = { name: "mark_reviewed", args: { paths: ["src/prices.ts"] } };

const LOW = joinLines("export const STOCK = new Map<string, number>();", "export const LOW = 3;");

testModels(
  "a model that times out or fails resolves only what it has read, and reads exactly the rest on the next push",
  async (openModelScene) => {
    const config = `${CONFIG}timeoutSeconds: 5\n`;
    const scene = await openReviewed(openModelScene, [finding(AMOUNT), finding(CURRENCY)], { config });
    const { server, pullRequest } = scene;
    const [amount, currency] = [AMOUNT.title, CURRENCY.title];

    // Both are fixed, and the model reads one of the files before its time is over.
    server.script(({ conversation, turn }) =>
      conversation === 2 && turn === 0 ? { toolCalls: [EUROS_FIX, MARKING] } : ENDLESS,
    );
    const both = { ...totalOf(FIXED), "src/prices.ts": EUROS };
    assert.equal(await pushAndReview(scene, both), "timeout-partial");
    const states = [`${amount} | open`, `${currency} | kodiai[bot]`];
    assert.deepEqual(await threadStates(scene), states);
    assert.match(scene.summary(), /Still open \(1\)\n\n.*its code changed; the fix isn't confirmed/);

    server.script([{ faults: [{ kind: "status", status: 400, times: "always" }] }]);
    assert.equal(await pushAndReview(scene, { "src/stock.ts": LOW }), "model-failed");
    assert.deepEqual(await threadStates(scene), states);
    const since = pullRequest.head.slice(0, 12);

    await push(scene, { "src/orders.ts": orders({ total: FIXED, table: TABLE, ship: SHIP }) }, [
      confirming(1, "fixed", FIXED),
    ]);
    const last = prompts(scene).at(-1) ?? "";
    assert.match(last, new RegExp(`at commit ${since}\\. Review what changed since: 3 hunks in 2 files\\.`));
    for (const code of [FIXED, SHIP, "export const LOW = 3;"]) assert.ok(last.includes(code), code);
    assert.doesNotMatch(last, /euros|zone 29/);
    assert.deepEqual(await threadStates(scene), [`${amount} | kodiai[bot]`, `${currency} | kodiai[bot]`]);
    scene.check();
  },
);

const STOCK: ScriptedFinding = {
  path: "src/orders.ts",
  quote: SHIP,
  title: "An order of exactly the stock can't be shipped",
  body: "The comparison excludes equal numbers.",
};

testModels(
  "of a file that the model marks in part, the other hunk isn't read, and is offered again on the next push",
  async (openModelScene) => {
    const files = { ...FIRST, "src/orders.ts": orders({ total: TOTAL, ship: SHIP }) };
    const scene = await openReviewed(openModelScene, [finding(AMOUNT), finding(STOCK)], { files });
    const [amount, stock] = [AMOUNT.title, STOCK.title];
    assert.deepEqual(await threadStates(scene), [`${amount} | open`, `${stock} | open`]);

    // Both are fixed, and the model says that it has read the first.
    const shipped = "  return order.stock >= order.amount;";
    const marking = { name: "mark_reviewed", args: { paths: ["src/orders.ts"], hunks: [1] } };
    await push(scene, { "src/orders.ts": orders({ total: FIXED, ship: shipped }) }, [
      marking,
      confirming(1, "fixed", FIXED),
      FINISHING,
    ]);
    const answers = scene.server.requests.map(({ body }) => JSON.stringify(body)).join("\n");
    assert.match(
      answers,
      /0 files are marked\. Some hunks are marked in src\/orders\.ts \(still unread: 2\)\./,
    );
    assert.match(answers, /Not finished: you have marked only some hunks of src\/orders\.ts\./);
    assert.match(
      scene.summary(),
      /Reviewed by built-in rules only: 1 line in 1 file \(the model didn't mark it as read\): `src\/orders\.ts` \(1 of 2 hunks\)/,
    );
    assert.match(scene.summary(), /Still open \(1\)\n\n.*its code changed; the fix isn't confirmed/);
    const states = [`${amount} | kodiai[bot]`, `${stock} | open`];
    assert.deepEqual(await threadStates(scene), states);

    // A failure in between leaves the hunks as they were.
    scene.server.script([{ faults: [{ kind: "status", status: 400, times: "always" }] }]);
    assert.equal(await pushAndReview(scene, { "src/stock.ts": LOW }), "model-failed");
    assert.deepEqual(await threadStates(scene), states);

    // So does the loss of the database: the summary has them.
    for (const table of ["findings", "finding_events", "run_readings", "publications", "runs"])
      await scene.database.query(`delete from ${table}`);
    await push(scene, { "src/low.ts": "export const LOW = 3;\n" }, [confirming(2, "fixed", shipped)]);
    const last = prompts(scene).at(-1) ?? "";
    assert.match(last, /Review what changed since: 3 hunks in 3 files\./);
    assert.match(last, /^@@ 1\/2 \(reviewed before\)\n/m);
    assert.match(last, /^@@ 2\/2 export const second17 = 17;\n/m);
    assert.ok(last.includes(shipped));
    assert.deepEqual(await threadStates(scene), [`${amount} | kodiai[bot]`, `${stock} | kodiai[bot]`]);
    assert.doesNotMatch(scene.summary(), /built-in rules only/);
    scene.check();
  },
);

testModels("an unchecked fix that is taken back resolves nothing", async (openModelScene) => {
  const config = `${CONFIG}timeoutSeconds: 5\n`;
  const scene = await openReviewed(openModelScene, [finding(AMOUNT)], { config });
  scene.server.script([ENDLESS]);
  assert.equal(await pushAndReview(scene, totalOf(FIXED)), "timeout-partial");
  await push(scene, totalOf(TOTAL), [finding({ ...AGAIN, quote: TOTAL })]);
  assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
  assert.ok(prompts(scene).at(-1)?.includes(TOTAL));
  assert.doesNotMatch(prompts(scene).at(-1) ?? "", /zone 29/);
  scene.check();
});

testModels(
  "a finding on code that was read before is dropped, unless new code causes it",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, []);
    const caused = { ...AMOUNT, severity: "medium", caused_by: "src/stock.ts" };
    await push(scene, { "src/stock.ts": LOW }, [
      finding(CURRENCY),
      finding({
        path: "src/orders.ts",
        quote: TABLE[3] ?? "",
        title: "Zones have no names",
        caused_by: "src/prices.ts",
      }),
      finding(caused),
    ]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
    const [comment] = scene.comments().values();
    assert.match(comment ?? "", /Note: its code was reviewed before; new code in src\/stock\.ts causes it/);
    assert.match(scene.summary(), /Not shown: 2 findings \(2 about code that was reviewed before\)/);
    scene.check();
  },
);

/** Whether a prompt has all code of the first push. */
function isOfAll(prompt: string): boolean {
  return [TOTAL, '"zone 29"', '["apple", 30]', '["apple", 100]'].every((code) => prompt.includes(code));
}

testModels("a model that is configured later reads what only rules had read", async (openModelScene) => {
  const scene = await openModelScene({ config: CONFIG, script: oneByOne([finding(AMOUNT), FINISHING]) });
  const { fake, repository, pullRequest } = scene;
  await fake.commit(repository, BASE);
  await fake.push(pullRequest, FIRST, { isForced: true });
  const withoutModel = await scene.start(undefined, { KODIAI_MODEL: "floor" });
  assert.equal(await reasonOf(scene, () => scene.send("opened")), "published");
  assert.equal(prompts(scene).length, 0);
  await withoutModel.stop();
  await scene.start();

  assert.equal(await pushAndReview(scene, { "src/low.ts": "export const LOW = 3;\n" }), "published");
  const [first = ""] = prompts(scene);
  assert.ok(isOfAll(first) && first.includes("export const LOW = 3;"));
  assert.doesNotMatch(first, /reviewed before/);
  assert.match(scene.summary(), /Read: everything, because only built-in rules had reviewed it/);
  assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);

  // From then on, it reads what is new.
  await push(scene, { "src/low.ts": "export const LOW = 4;\n" }, []);
  const [, second = ""] = prompts(scene);
  assert.match(second, /1 hunk in 1 file/);
  assert.ok(!isOfAll(second));
  scene.check();
});

testModels(
  "a full review on request and after a changed configuration reads everything and repeats nothing",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT), finding(CURRENCY)]);
    const { fake, repository, server } = scene;
    const states = [`${AMOUNT.title} | open`, `${CURRENCY.title} | open`];
    const again = [
      finding({ ...AGAIN, quote: TOTAL }),
      finding({ ...CURRENCY, category: "maintainability" }),
    ];

    server.script(oneByOne([...again, ...INSISTING]));
    assert.equal(await askAndReview(scene, "@kodiai full review"), "published");
    assert.ok(isOfAll(prompts(scene).at(-1) ?? ""));
    assert.match(scene.summary(), /Read: everything, because a full review was requested/);
    assert.deepEqual(await threadStates(scene), states);

    // The configuration of the base counts once the branch has it.
    await fake.commit(repository, { ".kodiai.yml": `${CONFIG}  mode: strict\n` });
    server.script(oneByOne([...again, ...INSISTING]));
    assert.equal(await pushAndReview(scene, FIRST, { isForced: true }), "published");
    assert.ok(isOfAll(prompts(scene).at(-1) ?? ""));
    assert.match(scene.summary(), /Read: everything, because the configuration changed/);
    assert.deepEqual(await threadStates(scene), states);
    assert.equal(prompts(scene).length, 3);
    scene.check({ reviewsPerHead: 2 });
  },
);

testModels(
  "when the last reviewed commit is gone, everything is read again and nothing is repeated",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT), finding(CURRENCY)]);
    const { fake, pullRequest, repository, folder, server } = scene;
    // GitHub removes commits that nothing refers to.
    const total = ["  if (items.length === 0) return 0;", TOTAL];
    const files = { ...FIRST, "src/orders.ts": orders({ total, table: TABLE }), "src/stock.ts": LOW };
    await fake.push(pullRequest, files, { isForced: true });
    await runGit(repository.directory, ["repack", "-a", "-d", "--quiet"]);
    await runGit(repository.directory, ["prune", "--expire=now"]);
    rmSync(join(folder.path, "repositories"), { recursive: true });
    server.script(
      oneByOne([
        finding({ ...AGAIN, quote: TOTAL }),
        finding({ ...CURRENCY, title: "A price without a currency", category: "maintainability" }),
        ...INSISTING,
      ]),
    );
    assert.equal(await reasonOf(scene, () => scene.send("synchronize")), "published");
    const last = prompts(scene).at(-1) ?? "";
    for (const code of [TOTAL, "zone 29", '["apple", 30]', "LOW = 3"]) assert.ok(last.includes(code), code);
    assert.match(
      scene.summary(),
      /Read: everything, because the last reviewed commit is no longer available/,
    );
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`, `${CURRENCY.title} | open`]);
    scene.check();
  },
);

testModels(
  "of two pushes while a review runs, the newest is reviewed once, with all that is new",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
    const { fake, pullRequest, server } = scene;
    server.script(({ conversation, turn }) =>
      conversation === 2 ? ENDLESS : (oneByOne([confirming(1, "fixed", FIXED), FINISHING])[turn] ?? {}),
    );
    await fake.push(pullRequest, { "src/stock.ts": LOW });
    await scene.send("synchronize");
    await eventually("the model to be asked", () => prompts(scene).length === 2);
    for (const total of [UNFIXED, FIXED]) {
      await fake.push(pullRequest, totalOf(total));
      await scene.send("synchronize");
    }
    const jobs = await eventually("the last review", async () => {
      const all = await scene.settled();
      return all.at(-1)?.reason === "published" && all.length > 2 && all;
    });
    assert.deepEqual(
      jobs.slice(1, -1).map(({ state }) => state),
      jobs.slice(1, -1).map(() => "superseded"),
    );
    const [, , last = "", ...more] = prompts(scene);
    assert.equal(more.length, 0);
    assert.match(last, /Review what changed since: 2 hunks in 2 files\./);
    assert.ok(last.includes(FIXED) && last.includes("export const LOW = 3;"));
    assert.doesNotMatch(last, /isPaid|"apple", 30/);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | kodiai[bot]`]);
    scene.check();
  },
);
