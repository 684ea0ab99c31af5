/** Money that is set aside and spent, on both databases and in memory, held to the ceilings whatever happens. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { BudgetName } from "../../model/budget-names.ts";
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import type { Database } from "../../store/database.ts";
import type { SpendingScope } from "../../store/repositories/spendings.ts";
import { openStore } from "../../store/store.ts";
import { NO_BUDGETS } from "../../../test/support/no-budgets.ts";
import { type EffectiveBudgets, effectiveBudgets } from "./budgets.ts";
import { createMemorySpending, lowestCeiling } from "./create-memory-spending.ts";
import { createSpending, findUsedUpBudget } from "./create-spending.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MODEL = "openai:gpt-5";

const SCOPE: SpendingScope = {
  runId: 5_000_000_001,
  installationId: 5_000_000_002,
  repositoryId: 5_000_000_003,
  pullRequest: 7,
  author: "ada",
  isOutsider: false,
};

async function reserved(spending: Spending, usd: number, withinUsd?: number): Promise<Reservation> {
  const answer = await spending.reserve(usd, MODEL, withinUsd);
  if (answer.kind === "refused") assert.fail(JSON.stringify(answer));
  return answer;
}

const refusal = (budget: BudgetName, limitUsd: number, spentUsd: number): Refusal => ({
  kind: "refused",
  budget,
  limitUsd,
  spentUsd,
});

/** The contract of every kind of spending. */
const KINDS: readonly {
  readonly name: string;
  readonly open: (limit: number | null, work: (spending: Spending) => Promise<void>) => Promise<void>;
}[] = [
  {
    name: "memory",
    open: (limit, work) => work(createMemorySpending(lowestCeiling([{ name: "perReviewUsd", usd: limit }]))),
  },
  ...ENGINES.map((engine) => ({
    name: engine.name,
    open: (limit: number | null, work: (spending: Spending) => Promise<void>) =>
      withStore(engine, ({ database, now }) =>
        work(
          createSpending({ scope: SCOPE, budgets: { ...NO_BUDGETS, perReviewUsd: limit }, database, now }),
        ),
      ),
  })),
];

/** The part that a reservation is kept within, and the limit that results. */
const WITHIN: readonly {
  readonly ceiling: number | null;
  readonly within: number;
  readonly limit: number;
}[] = [
  { ceiling: 1, within: 0.7, limit: 0.7 },
  { ceiling: 0.6, within: 0.9, limit: 0.6 },
  { ceiling: null, within: 0.5, limit: 0.5 },
];

for (const { name, open } of KINDS) {
  test(`${name}: what is set aside counts until it is settled, then what it came to`, () =>
    open(1, async (spending) => {
      assert.equal(spending.isLimited, true);
      const first = await reserved(spending, 0.6);
      assert.deepEqual(await spending.reserve(0.5, MODEL), refusal("perReviewUsd", 1, 0.6));
      assert.equal(await first.extend(0.3), null);
      assert.deepEqual(await first.extend(0.2), refusal("perReviewUsd", 1, 0.9));
      await first.settle(0.25);
      const second = await reserved(spending, 0.75);
      assert.deepEqual(await spending.reserve(0.000_001, MODEL), refusal("perReviewUsd", 1, 1));
      await second.settle(0);
      // The actual cost is kept, even if it exceeds the reservation.
      const third = await reserved(spending, 0.1);
      await third.settle(2);
      assert.deepEqual(await spending.reserve(0, MODEL), refusal("perReviewUsd", 1, 2.25));
      assert.equal(await spending.spentUsd(), 2.25);
    }));

  test(`${name}: amounts add up exactly, down to a millionth`, () =>
    open(0.3, async (spending) => {
      for (let count = 0; count < 3; count++) await (await reserved(spending, 0.1)).settle(0.1);
      await reserved(spending, 0);
      assert.deepEqual(await spending.reserve(0.000_000_4, MODEL), refusal("perReviewUsd", 0.3, 0.3));
      await assert.rejects(spending.reserve(Number.NaN, MODEL), RangeError);
      await assert.rejects(spending.reserve(-1, MODEL), RangeError);
    }));

  test(`${name}: without a ceiling everything is allowed, and a ceiling of nothing allows nothing`, async () => {
    await open(null, async (spending) => {
      assert.equal(spending.isLimited, false);
      const one = await reserved(spending, 99_999);
      assert.equal(await one.extend(99_999), null);
    });
    await open(0, async (spending) => {
      assert.equal(spending.isLimited, true);
      assert.deepEqual(await spending.reserve(0.01, MODEL), refusal("perReviewUsd", 0, 0));
    });
  });

  for (const { ceiling, within, limit } of WITHIN)
    test(`${name}: a part of ${within} within ${ceiling ?? "no limit"} holds for the review's total, also when extended`, () =>
      open(ceiling, async (spending) => {
        // Spending by others counts, whether or not they have a part of their own.
        const other = await reserved(spending, 0.2);
        const capped = await reserved(spending, 0.1, within);
        assert.deepEqual(
          await spending.reserve(limit - 0.299_999, MODEL, within),
          refusal("perReviewUsd", limit, 0.3),
        );
        assert.deepEqual(await capped.extend(limit - 0.299_999), refusal("perReviewUsd", limit, 0.3));
        assert.equal(await capped.extend(limit - 0.3), null);
        assert.deepEqual(await capped.extend(0.000_001), refusal("perReviewUsd", limit, limit));
        // A refusal reserves nothing, and what others settle leaves room.
        assert.equal(await spending.spentUsd(), limit);
        await other.settle(0.1);
        assert.equal(await capped.extend(0.1), null);
      }));

  test(`${name}: a part of one reservation doesn't limit those without one`, () =>
    open(1, async (spending) => {
      const capped = await reserved(spending, 0.4, 0.4);
      const free = await reserved(spending, 0.3);
      assert.equal(await free.extend(0.3), null);
      assert.deepEqual(await free.extend(0.000_001), refusal("perReviewUsd", 1, 1));
      assert.deepEqual(await capped.extend(0), refusal("perReviewUsd", 0.4, 1));
    }));
}

for (const engine of ENGINES) {
  test(`${engine.name}: each ceiling counts what belongs to it, in windows that slide`, () =>
    withStore(engine, async ({ database }) => {
      let nowMs = 100 * DAY_MS;
      const now = () => nowMs;
      const spend = async (scope: Partial<SpendingScope>, usd: number) => {
        const spending = createSpending({
          scope: { ...SCOPE, ...scope },
          budgets: NO_BUDGETS,
          database,
          now,
        });
        await (await reserved(spending, usd)).settle(usd);
      };
      const ask = async (key: keyof EffectiveBudgets, usd: number) => {
        const spending = createSpending({
          scope: SCOPE,
          budgets: { ...NO_BUDGETS, [key]: 10 },
          database,
          now,
        });
        assert.equal(spending.isLimited, true);
        const answer = await spending.reserve(usd, MODEL);
        if (answer.kind === "refused") return answer.spentUsd;
        await answer.settle(0);
        return "ok";
      };
      await spend({}, 1);
      // Another attempt of the same job on another head, another pull request, author, repository, installation.
      await spend({ runId: 2 }, 2);
      await spend({ runId: 3, pullRequest: 8 }, 3);
      await spend({ runId: 4, pullRequest: 8, author: "grace" }, 1);
      await spend({ runId: 5, repositoryId: 6 }, 1.5);
      await spend({ runId: 6, repositoryId: 7, author: "grace" }, 0.5);
      await spend({ runId: 7, repositoryId: 8, installationId: 9 }, 10);

      assert.equal(await ask("perReviewUsd", 9.000_001), 1);
      assert.equal(await ask("perReviewUsd", 9), "ok");
      assert.equal(await ask("perPullRequestUsd", 7.1), 3);
      assert.equal(await ask("perAuthorHourUsd", 2.6), 7.5);
      assert.equal(await ask("perRepositoryDayUsd", 3.1), 7);
      assert.equal(await ask("perInstallationMonthUsd", 1.1), 9);
      assert.equal(await ask("perInstallationMonthUsd", 1), "ok");

      nowMs += HOUR_MS;
      assert.equal(await ask("perAuthorHourUsd", 10), "ok");
      assert.equal(await ask("perRepositoryDayUsd", 3.1), 7);
      nowMs += DAY_MS;
      assert.equal(await ask("perRepositoryDayUsd", 10), "ok");
      assert.equal(await ask("perInstallationMonthUsd", 1.1), 9);
      nowMs += 30 * DAY_MS;
      assert.equal(await ask("perInstallationMonthUsd", 10), "ok");
      // These two know no time.
      assert.equal(await ask("perReviewUsd", 9.1), 1);
      assert.equal(await ask("perPullRequestUsd", 7.1), 3);
    }));

  test(`${engine.name}: a long review takes what it spends along into the next hour`, () =>
    withStore(engine, async ({ database }) => {
      let nowMs = DAY_MS;
      const budgets = { ...NO_BUDGETS, perAuthorHourUsd: 1 };
      const open = (runId: number) =>
        createSpending({ scope: { ...SCOPE, runId }, budgets, database, now: () => nowMs });
      const long = await reserved(open(1), 0.5);
      nowMs += HOUR_MS - 1;
      assert.equal(await long.extend(0.4), null);
      nowMs += 2;
      assert.deepEqual(await open(2).reserve(0.2, MODEL), refusal("perAuthorHourUsd", 1, 0.9));
      await reserved(open(2), 0.1);
    }));

  test(`${engine.name}: the reservation of a crashed process stays spent for the next attempt`, () =>
    withStore(engine, async (store, url) => {
      const budgets = { ...NO_BUDGETS, perReviewUsd: 0.5 };
      const first = createSpending({ scope: SCOPE, budgets, database: store.database, now: store.now });
      await reserved(first, 0.4);
      const later = await openStore(url);
      try {
        const second = createSpending({ scope: SCOPE, budgets, database: later.database, now: later.now });
        assert.deepEqual(await second.reserve(0.2, MODEL), refusal("perReviewUsd", 0.5, 0.4));
        await (await reserved(second, 0.1)).settle(0.03);
        assert.equal(await second.spentUsd(), 0.43);
        const other = { ...SCOPE, runId: 2 };
        const third = createSpending({ scope: other, budgets, database: later.database, now: later.now });
        assert.equal(await third.spentUsd(), 0);
      } finally {
        await later.close();
      }
    }));

  test(`${engine.name}: whatever is reserved, extended, settled or left behind, no ceiling is passed`, () =>
    withStore(engine, async ({ database }) => {
      // Other numbers each time; a failure names the one to try again.
      const seed = Math.floor(Math.random() * 2 ** 31);
      await runRandomly(database, seed);
    }));
}

/** A small generator, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const RANDOM_STEPS = 250;

async function runRandomly(database: Database, seed: number): Promise<void> {
  const random = createRandom(seed);
  let nowMs = DAY_MS;
  const budgets: EffectiveBudgets = {
    perReviewUsd: 0.5,
    perPullRequestUsd: 0.8,
    perAuthorHourUsd: 1,
    perOutsidersDayUsd: 0.6,
    perRepositoryDayUsd: 1.5,
    perInstallationMonthUsd: 2.5,
  };
  const open: { readonly reservation: Reservation; reservedMicroUsd: number }[] = [];
  const counts = { granted: 0, refused: 0 };
  for (let step = 0; step < RANDOM_STEPS; step++) {
    const micro = random(200_000);
    const which = open.length === 0 ? 0 : random(4);
    const chosen = open[random(open.length)];
    if (which === 0 || chosen === undefined) {
      const scope = {
        runId: random(6),
        installationId: 1,
        repositoryId: random(2),
        pullRequest: random(3),
        author: `author ${random(2)}`,
        isOutsider: random(2) === 1,
      };
      const spending = createSpending({ scope, budgets, database, now: () => nowMs });
      const answer = await spending.reserve(micro / 1e6, MODEL);
      counts[answer.kind === "reserved" ? "granted" : "refused"]++;
      if (answer.kind === "reserved") open.push({ reservation: answer, reservedMicroUsd: micro });
    } else if (which === 1) {
      const answer = await chosen.reservation.extend(micro / 1e6);
      counts[answer === null ? "granted" : "refused"]++;
      if (answer === null) chosen.reservedMicroUsd += micro;
    } else {
      // Settled, or lost with its process.
      open.splice(open.indexOf(chosen), 1);
      if (which === 2) await chosen.reservation.settle(random(chosen.reservedMicroUsd + 1) / 1e6);
    }
    nowMs += random(10) === 0 ? random(HOUR_MS * 2) : random(60_000);
    await assertWithin(database, budgets, { nowMs, seed });
  }
  assert.ok(counts.granted > 10 && counts.refused > 10, `seed ${seed} tried ${JSON.stringify(counts)}`);
}

/** Asked in words of its own, and not in those of the code under test. */
async function assertWithin(
  database: Database,
  budgets: EffectiveBudgets,
  { nowMs, seed }: { readonly nowMs: number; readonly seed: number },
): Promise<void> {
  const checks = [
    ["perReviewUsd", "run_id", 0],
    ["perPullRequestUsd", "repository_id, pull_request", 0],
    ["perAuthorHourUsd", "author", nowMs - HOUR_MS],
    ["perRepositoryDayUsd", "repository_id", nowMs - DAY_MS],
    ["perInstallationMonthUsd", "installation_id", nowMs - 30 * DAY_MS],
  ] as const;
  for (const [key, groups, since] of checks) {
    const rows = await database.query<{ total: number }>(
      `select sum(case when settled_micro_usd is null then reserved_micro_usd else settled_micro_usd end) as total
       from spendings where at > $1 group by ${groups}`,
      [since],
    );
    const most = Math.max(0, ...rows.map(({ total }) => total));
    assert.ok(most <= (budgets[key] ?? 0) * 1e6, `seed ${seed}: ${key} has ${most}`);
  }
}

test("the smaller of the repository's and the operator's ceilings holds", () => {
  assert.deepEqual(effectiveBudgets({}, {}, {}), NO_BUDGETS);
  assert.deepEqual(
    effectiveBudgets(
      { perReviewUsd: 5, perPullRequestUsd: 1, perAuthorHourUsd: 0 },
      { perReviewUsd: 2, perPullRequestUsd: 3, perInstallationMonthUsd: 100 },
    ),
    {
      perReviewUsd: 2,
      perPullRequestUsd: 1,
      perAuthorHourUsd: 0,
      perOutsidersDayUsd: 10,
      perRepositoryDayUsd: 50,
      perInstallationMonthUsd: 100,
    },
  );
});

test("without a word of the operator 2 dollars hold for a review and 50 for a day; only the operator raises or lifts them", () => {
  const held = (...said: Parameters<typeof effectiveBudgets>) => {
    const { perReviewUsd, perRepositoryDayUsd } = effectiveBudgets(...said);
    return [perReviewUsd, perRepositoryDayUsd];
  };
  assert.deepEqual(held({}, {}), [2, 50]);
  assert.deepEqual(held({ perReviewUsd: 0.5, perRepositoryDayUsd: 20 }, {}), [0.5, 20]);
  assert.deepEqual(held({ perReviewUsd: 500, perRepositoryDayUsd: 5_000 }, {}), [2, 50]);
  assert.deepEqual(held({}, { perReviewUsd: 10 }), [10, 50]);
  assert.deepEqual(held({}, { perReviewUsd: null, perRepositoryDayUsd: null }), [null, null]);
  assert.deepEqual(held({ perReviewUsd: 7 }, { perReviewUsd: null }), [7, 50]);
});

test("without a word of the operator a person gets 10 dollars an hour, and people without write access a fifth of the day", () => {
  const held = (...said: Parameters<typeof effectiveBudgets>) => {
    const { perAuthorHourUsd, perOutsidersDayUsd } = effectiveBudgets(...said);
    return [perAuthorHourUsd, perOutsidersDayUsd];
  };
  assert.deepEqual(held({}, {}), [10, 10]);
  assert.deepEqual(held({ perRepositoryDayUsd: 20, perAuthorHourUsd: 3 }, {}), [3, 4]);
  assert.deepEqual(held({ perOutsidersDayUsd: 2 }, {}), [10, 2]);
  assert.deepEqual(held({ perOutsidersDayUsd: 40 }, {}), [10, 10]);
  assert.deepEqual(held({}, { perOutsidersDayUsd: 40 }), [10, 40]);
  // One review that the operator allows is allowed.
  assert.deepEqual(held({}, { perReviewUsd: 25 }), [25, 10]);
  assert.deepEqual(held({}, { perRepositoryDayUsd: null, perAuthorHourUsd: null }), [null, null]);
});

for (const engine of ENGINES)
  test(`[P11] ${engine.name}: people without write access can't spend more than their share, and don't use up that of others`, () =>
    withStore(engine, async ({ database, now }) => {
      const budgets = { ...NO_BUDGETS, perRepositoryDayUsd: 5, perOutsidersDayUsd: 1 };
      const by = (author: string, isOutsider: boolean) =>
        createSpending({ scope: { ...SCOPE, author, isOutsider }, budgets, database, now });
      await reserved(by("eve", true), 0.6);
      assert.deepEqual(await by("mallory", true).reserve(0.6, MODEL), refusal("perOutsidersDayUsd", 1, 0.6));
      await reserved(by("mallory", true), 0.4);
      await reserved(by("ada", false), 4);
      assert.deepEqual(await by("ada", false).reserve(0.1, MODEL), refusal("perRepositoryDayUsd", 5, 5));
    }));

for (const engine of ENGINES)
  test(`${engine.name}: a budget is used up when it admits not even the cheapest call, and asking reserves nothing`, () =>
    withStore(engine, async ({ database, now }) => {
      const options = { scope: SCOPE, budgets: { ...NO_BUDGETS, perPullRequestUsd: 2 }, database, now };
      await (await reserved(createSpending(options), 1.5)).settle(1.5);
      assert.equal(await findUsedUpBudget(options), null);
      await (await reserved(createSpending(options), 0.5)).settle(0.5);
      assert.deepEqual(await findUsedUpBudget(options), refusal("perPullRequestUsd", 2, 2));
      const [row] = await database.query<{ count: number }>("select count(*) as count from spendings");
      assert.equal(row?.count, 2);
    }));
