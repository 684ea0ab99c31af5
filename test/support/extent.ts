/** How much the tests run: a part of what is alike, all of it (KODIAI_TEST_ALL=1), or that and the long forms (KODIAI_TEST_LONG=1). */
export const isLong = process.env["KODIAI_TEST_LONG"] === "1";
export const isAll = isLong || process.env["KODIAI_TEST_ALL"] === "1";

/** How many random cases a property is tried with: a fifth, unless all of what is alike runs. */
export const someRuns = (all: number): number => (isAll ? all : Math.ceil(all / 5));
