/** The rules that `analysers.oxlint.typeAware` turns on. */
export const TYPE_RULE_IDS: ReadonlySet<string> = new Set([
  "oxlint/no-floating-promises",
  "oxlint/no-misused-promises",
]);
