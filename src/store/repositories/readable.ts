/** Restricts a query to the repositories that a reader may read. A reader without any gets no rows. */
import type { SqlValue } from "../database.ts";

/** Our ids of repositories, or all of an installation for its administrators. */
export type ReadableRepositories = readonly number[] | "all";

/** The values of one statement, which conditions add to. */
export type Conditions = {
  readonly params: readonly SqlValue[];
  /** Adds a value and returns its placeholder. */
  readonly value: (value: SqlValue) => string;
  /** Adds a condition. */
  readonly add: (condition: string) => void;
  /** Adds the condition that the column is a readable repository. */
  readonly readable: (column: string, repositories: ReadableRepositories) => void;
  /** All conditions, joined; "1 = 1" for none. */
  readonly where: () => string;
};

export function createConditions(): Conditions {
  const params: SqlValue[] = [];
  const conditions: string[] = [];
  const value = (given: SqlValue): string => `$${params.push(given)}`;
  const add = (condition: string): void => void conditions.push(condition);
  return {
    params,
    value,
    add,
    readable(column, repositories) {
      if (repositories === "all") return;
      add(repositories.length === 0 ? "1 = 0" : `${column} in (${repositories.map(value).join(", ")})`);
    },
    where: () => (conditions.length === 0 ? "1 = 1" : conditions.join(" and ")),
  };
}
