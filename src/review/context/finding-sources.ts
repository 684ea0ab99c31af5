/** "analyser": a linter that Kodiai runs. "sarif": the results of another tool, which the user passed. */
export const FINDING_SOURCES = ["floor", "analyser", "sarif", "model", "bump"] as const;
