/** How much the tests run: a part of what is alike, all of it (KODIAI_TEST_ALL=1), or that and the long forms (KODIAI_TEST_LONG=1). */
export const isLong = process.env["KODIAI_TEST_LONG"] === "1";
export const isAll = isLong || process.env["KODIAI_TEST_ALL"] === "1";
