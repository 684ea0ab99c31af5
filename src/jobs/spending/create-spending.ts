/**
 * Spending in the database: reservations and costs together never exceed a budget, however many processes work at once and whichever of
 * them crash.
 */
import type { BudgetKey } from "../../model/budget-names.ts";
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import type { Database, Sql } from "../../store/database.ts";
import {
  insertSpending,
  lockSpending,
  raiseSpending,
  readReserved,
  settleSpending,
  type SpendingScope,
  type SpendingSum,
  sumSpendings,
} from "../../store/repositories/spendings.ts";
import type { EffectiveBudgets } from "./budgets.ts";
import { fromMicroUsd, toMicroUsd } from "./micro-usd.ts";

export type SpendingOptions = {
  readonly scope: SpendingScope;
  readonly budgets: EffectiveBudgets;
  /** As in `Spending`; left out, every budget counts as set. */
  readonly isLimited?: boolean;
  readonly database: Database;
  /** The store's clock, in milliseconds. */
  readonly now: () => number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Windows slide, so that no first day of a month resets a budget. */
const MONTH_MS = 30 * DAY_MS;

type Ceiling = { readonly key: BudgetKey; readonly sum: (nowMs: number) => SpendingSum };

/** The narrowest first, because users can do most about that one. */
const CEILINGS: readonly Ceiling[] = [
  { key: "perReviewUsd", sum: () => ({ of: "run" }) },
  { key: "perPullRequestUsd", sum: () => ({ of: "pull-request" }) },
  { key: "perAuthorHourUsd", sum: (nowMs) => ({ of: "author", sinceMs: nowMs - HOUR_MS }) },
  { key: "perOutsidersDayUsd", sum: (nowMs) => ({ of: "outsiders", sinceMs: nowMs - DAY_MS }) },
  { key: "perRepositoryDayUsd", sum: (nowMs) => ({ of: "repository", sinceMs: nowMs - DAY_MS }) },
  { key: "perInstallationMonthUsd", sum: (nowMs) => ({ of: "installation", sinceMs: nowMs - MONTH_MS }) },
];

export function createSpending(options: SpendingOptions): Spending {
  const { scope, budgets, database, now } = options;
  return {
    isLimited: options.isLimited ?? CEILINGS.some(({ key }) => budgets[key] !== null),
    reviewLimitUsd: budgets.perReviewUsd,
    async reserve(usd, model, withinUsd) {
      const microUsd = toMicroUsd(usd);
      const at = now();
      const capped =
        withinUsd === undefined ? options : { ...options, budgets: capReview(budgets, withinUsd) };
      const taken = await database.transaction(async (sql) => {
        await lockSpending(scope.installationId, at, sql);
        const refusal = await findRefusal({ ...capped, id: null, microUsd, at }, sql);
        return refusal ?? (await insertSpending({ ...scope, model, microUsd, at }, sql));
      });
      return typeof taken === "number" ? reservationOf(taken, capped) : taken;
    },
    async spentUsd() {
      return fromMicroUsd(await sumSpendings(scope, { of: "run" }, { exceptId: null, sql: database }));
    },
  } satisfies Spending;
}

function capReview(budgets: EffectiveBudgets, withinUsd: number): EffectiveBudgets {
  return { ...budgets, perReviewUsd: Math.min(budgets.perReviewUsd ?? Infinity, withinUsd) };
}

function reservationOf(id: number, options: SpendingOptions): Reservation {
  const { scope, database, now } = options;
  return {
    kind: "reserved",
    async extend(usd) {
      const more = toMicroUsd(usd);
      const at = now();
      return database.transaction(async (sql) => {
        await lockSpending(scope.installationId, at, sql);
        const reserved = await readReserved(id, sql);
        if (reserved === null) throw new Error(`Spending ${id} was settled before it was extended.`);
        const refusal = await findRefusal({ ...options, id, microUsd: reserved + more, at }, sql);
        if (refusal === null) await raiseSpending(id, more, at, sql);
        return refusal;
      });
    },
    settle: (usd) => settleSpending(id, toMicroUsd(usd), database),
  } satisfies Reservation;
}

/** The budget that admits no further call, however cheap; null if none is used up. Reserves nothing. */
export function findUsedUpBudget(options: SpendingOptions): Promise<Refusal | null> {
  return findRefusal({ ...options, id: null, microUsd: 1, at: options.now() }, options.database);
}

type Asked = SpendingOptions & {
  /** Of the reservation that is extended; null for a new one. */
  readonly id: number | null;
  /** The total reservation after the extension. */
  readonly microUsd: number;
  readonly at: number;
};

/** Counts the whole reservation as of now: an older part may have left the window, but is spent within it. */
async function findRefusal({ scope, budgets, id, microUsd, at }: Asked, sql: Sql): Promise<Refusal | null> {
  for (const { key, sum } of CEILINGS) {
    const limitUsd = budgets[key];
    if (limitUsd === null || (key === "perOutsidersDayUsd" && !scope.isOutsider)) continue;
    const spent = await sumSpendings(scope, sum(at), { exceptId: id, sql });
    if (spent + microUsd <= toMicroUsd(limitUsd)) continue;
    const own = id === null ? 0 : ((await readReserved(id, sql)) ?? 0);
    return { kind: "refused", budget: key, limitUsd, spentUsd: fromMicroUsd(spent + own) };
  }
  return null;
}
