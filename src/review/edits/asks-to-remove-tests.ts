/** Whether a request says in so many words that tests are to be removed or merged. In doubt it doesn't. Pure, and linear. */

/** Words that may be between the verb and the tests. */
const BETWEEN =
  String.raw`(?:(?:the|its|their|all|these|those|this|that|both|two|three|old|obsolete|outdated|redundant|duplicated?|failing|flaky|skipped|unit|integration|of|for|and|in|\w{1,40}['\u2019]s|\d{1,3}|` +
  "`[^`\\n]{1,100}`" +
  String.raw`),?[ \t]{1,4}){0,8}`;

const TESTS = String.raw`(?:unit[ -])?(?:tests?|specs?)(?:[ -](?:cases?|files?|suites?))?(?![\w-])`;

const ORDER = new RegExp(
  String.raw`(?<![\w'\u2019-])(?:remove|delete|drop|merge|combine|consolidate)[ \t]{1,4}${BETWEEN}${TESTS}`,
  "i",
);

/** "don't remove the tests", "without having to delete tests". */
const NEGATION = /(?:\b(?:not|never|without|nor|neither)\b|n['’]t\b)[^.!?;\n]{0,60}$/i;

export function asksToRemoveTests(words: string): boolean {
  return words.split(/[.!?;\n]/).some((sentence) => {
    const found = ORDER.exec(sentence);
    return found !== null && !NEGATION.test(sentence.slice(0, found.index));
  });
}
