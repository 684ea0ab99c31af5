/** One example per section of `.kodiai.yml`, for docs/configuration.md. A test checks that each one is valid. */

/** By top-level key. Keys without a section share the entry "". */
export const CONFIG_EXAMPLES: Readonly<Record<string, string>> = {
  "": `
model: anthropic:your-model
fallbackModels: [openai:your-other-model]
timeoutSeconds: 900`,
  review: `
review:
  mode: balanced
  skipPaths: ["**/*.snap", "third_party/**"]
  severity:
    minLevel: medium
  patterns:
    customRules:
      - Store money as integer cents, never as floating point.
  pathInstructions:
    - paths: ["db/migrations/**"]
      instructions: Require a down migration for every dropped column.
  suppressions:
    - missing documentation
    - glob:examples/**
    - regex:^(?i)consider (adding|using)
  failOn: critical`,
  floor: `
floor:
  rules:
    sql-from-strings: critical
    empty-catch: off`,
  analysers: `
analysers:
  oxlint: off
  ruff:
    ignore: [S101]`,
  languageRules: `
languageRules:
  severityFloors:
    - match: unbounded recursion
      languages: [c, cpp]
      severity: must-fix
  tooling: "on"`,
  fileCategories: `
fileCategories:
  test: ["**/*.scenario.ts"]
  infra: ["deploy/**"]`,
  largePR: `
largePR:
  fullReviewTokens: 100000
  riskWeights:
    path: 0.5`,
  budget: `
budget:
  perReviewUsd: 0.5
  perRepositoryDayUsd: 20`,
  limits: `
limits:
  strangersPerHour: 1
  writersPerHour: 20`,
  prices: `
prices:
  openai:your-model:
    inputUsd: 1.25
    cachedInputUsd: 0.125
    outputUsd: 10`,
  memory: `
memory:
  shareWithOwner: true
  retrieval:
    topK: 3`,
  feedback: `
feedback:
  autoSuppress:
    enabled: true`,
  dependencies: `
dependencies:
  minReleaseAgeDays: 14
  privatePackages: ["@acme/*"]`,
  pack: `
pack:
  exclude: ["**/testdata/**"]
  includeDocs: true`,
  deepReview: `
deepReview:
  model: openai:your-model
  effort: xhigh`,
  mentions: `
mentions:
  allowEveryone: false`,
  write: `
write:
  enabled: true
  allowPaths: ["src/**", "docs/**"]`,
  bots: `
bots:
  allow: ["acme-updates[bot]"]`,
  telemetry: `
telemetry:
  retentionDays: 30`,
};
