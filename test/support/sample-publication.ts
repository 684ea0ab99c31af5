/** Small changes and publications for tests of output, composed by the real composers. */
import { learningOf, memoryOf } from "./memory-fixtures.ts";
import type { Analysis, FileAnalysis } from "../../src/review/analysis/analysis.ts";
import type { Change, ChangedFile } from "../../src/review/change/change.ts";
import { addedLines, removedLines } from "../../src/review/change/walk-hunks.ts";
import type { Anchor, DroppedFinding, Finding, JudgedFinding } from "../../src/review/findings/finding.ts";
import { composePublication } from "../../src/review/publication/compose/compose-publication.ts";
import type {
  EarlierReviews,
  PublicationInput,
  PublicationOrigin,
  ShownContext,
} from "../../src/review/publication/compose/compose-publication.ts";
import type { ReadCoverage } from "../../src/review/publication/compose/compose-receipt.ts";
import type { FileCoverage } from "../../src/review/publication/receipt.ts";
import type { PassReport, Publication } from "../../src/review/publication/publication.ts";
import { NO_TOKENS } from "../../src/model/model.ts";
import type { LineReading } from "../../src/review/change/readings.ts";
import type { HunkScope, Scope } from "../../src/review/change/scope.ts";
import type { Reviewed } from "../../src/review/publication/reviewed.ts";
import { FIRST_SCOPE } from "./no-context.ts";
import { openFinding, priorFinding, settledOf } from "./prior-fixtures.ts";

/** A modified file with one hunk that consists of `lines` and starts at line 10 on both sides. */
export function sampleFile(
  path: string,
  lines: readonly string[],
  more: Partial<ChangedFile> = {},
): ChangedFile {
  const file: ChangedFile = {
    path,
    oldPath: path,
    status: "modified",
    oldMode: "100644",
    newMode: "100644",
    oldBlob: null,
    newBlob: null,
    addedLines: 0,
    removedLines: 0,
    hunks: lines.length === 0 ? [] : [{ oldStart: 10, newStart: 10, section: "", lines }],
    unreadable: null,
    cutLines: [],
  };
  const counts = { addedLines: addedLines(file).length, removedLines: removedLines(file).length };
  return { ...file, ...counts, ...more };
}

export function sampleFileAnalysis(path: string, more: Partial<FileAnalysis> = {}): FileAnalysis {
  return {
    path,
    category: "source",
    language: "typescript",
    mark: null,
    isSkipped: false,
    risk: 10,
    tier: "full",
    ...more,
  };
}

export function sampleAnalysis(files: readonly FileAnalysis[], more: Partial<Analysis> = {}): Analysis {
  return {
    files,
    byPath: new Map(files.map((file) => [file.path, file])),
    skippedBecause: null,
    intent: {
      skipReview: false,
      isDraft: false,
      mode: null,
      focus: [],
      ignore: [],
      type: "feat",
      scope: null,
      isBreaking: false,
      breakingSource: null,
      ignoredTags: [],
    },
    mode: {
      mode: "balanced",
      origin: "size",
      minLevel: "medium",
      shownFrom: "minor",
      maxComments: 7,
      ignoredCategories: [],
      listedCategories: ["style"],
      focusedCategories: [],
    },
    scale: { files: files.length, addedLines: 9, removedLines: 3, isLarge: false, isTriaged: false },
    riskSignals: [{ id: "raw-sql", label: "Adds raw SQL", paths: ["src/db/users.ts"] }],
    authorTier: "regular",
    timeBudgetSeconds: 600,
    passes: [],
    ...more,
  };
}

export function sampleChange(files: readonly ChangedFile[], more: Partial<Change> = {}): Change {
  return {
    kind: "branch",
    description: "feature/login against origin/main",
    title: "feat: log in by name",
    body: "",
    base: "1111111111111111111111111111111111111111",
    head: "2222222222222222222222222222222222222222",
    commits: [],
    files,
    notes: [],
    ...more,
  };
}

export function sampleFinding(more: Partial<Finding> = {}): Finding {
  return {
    title: "SQL is built from a string",
    body: "The name is put into the statement unescaped. An attacker who chooses it can read or change any row; pass it as a parameter instead.",
    severity: "critical",
    category: "security",
    path: "src/db/users.ts",
    quote: "  return client.query(`SELECT * FROM users WHERE name = '${name}'`);",
    lineHint: 13,
    sideHint: "new",
    suggestion: null,
    confidence: 0.95,
    evidence: [],
    source: "floor",
    rule: "sql-from-strings",
    pass: "floor",
    ignoredBecause: null,
    ...more,
  };
}

export function sampleAnchor(more: Partial<Anchor> = {}): Anchor {
  return {
    path: "src/db/users.ts",
    side: "new",
    startLine: 13,
    endLine: 13,
    lines: ["  return client.query(`SELECT * FROM users WHERE name = '${name}'`);"],
    method: "exact",
    isChanged: true,
    ...more,
  };
}

/** Severity, path and quote default to those of the finding. */
export function sampleJudged(
  finding: Finding,
  anchor: Anchor | null,
  more: Partial<JudgedFinding> = {},
): JudgedFinding {
  return {
    id: `id-${finding.rule ?? finding.source}-${anchor?.startLine ?? 0}`,
    finding,
    anchor,
    severity: finding.severity,
    suggestion: { kind: "none" },
    placement: anchor === null ? "summary" : "inline",
    priority: 0.5,
    notes: [],
    ...more,
  };
}

/** The pass of the built-in rules, which starts every review. */
export const FLOOR_PASS: PassReport = {
  name: "floor",
  model: "floor",
  step: "floor",
  outcome: "completed",
  stopReason: { kind: "finished" },
  files: 2,
  turns: 0,
  tokens: NO_TOKENS,
  costUsd: 0,
  ms: 12,
  findings: 0,
};

/** A model that reviewed everything. */
export function modelPass(model: string, more: Partial<PassReport> = {}): PassReport {
  const tokens = { input: 12_345, cachedInput: 8_000, output: 678 };
  return {
    ...FLOOR_PASS,
    name: "review",
    model,
    step: "full",
    turns: 3,
    tokens,
    costUsd: 0.0421,
    ms: 23_400,
    ...more,
  };
}

export const READ_ALL: ReadCoverage = {
  offPaths: new Set(),
  unreadPaths: new Map(),
  byModel: null,
  gaps: [],
};

const USERS = sampleFile("src/db/users.ts", [
  " export async function findUser(name: string) {",
  "-  const client = await pool.connect();",
  "-  return client.query(USER_BY_NAME, [name]);",
  "+  const client = await pool.connect({ timeout: 5_000 });",
  "+",
  "+  return client.query(`SELECT * FROM users WHERE name = '${name}'`);",
  " }",
  " ",
]);

const SESSION = sampleFile("src/session.ts", [
  "   function restore(token: string) {",
  "+    try {",
  "+      session = decode(token);",
  "+    } catch {}",
  "     return session;",
]);

const AUTH_TEST = sampleFile("test/login.test.ts", [
  ' describe("login", () => {',
  '-  it("refuses a wrong password", () => {',
  '-    assert.equal(login("ada", "wrong"), null);',
  "-  });",
  '   it("accepts the right one", () => {});',
  " });",
]);

export const SAMPLE_FILES: readonly ChangedFile[] = [
  USERS,
  SESSION,
  AUTH_TEST,
  sampleFile("package-lock.json", ["+{", "+}"]),
  sampleFile("logo.png", [], { unreadable: "binary" }),
];

const SAMPLE_ANALYSIS = sampleAnalysis([
  sampleFileAnalysis("src/db/users.ts"),
  sampleFileAnalysis("src/session.ts"),
  sampleFileAnalysis("test/login.test.ts", { category: "test" }),
  sampleFileAnalysis("package-lock.json", { mark: "lockfile", language: "json", category: "config" }),
  sampleFileAnalysis("logo.png", { language: "unknown" }),
]);

const SAMPLE_JUDGED: readonly JudgedFinding[] = [
  sampleJudged(
    sampleFinding({
      title: "Errors are swallowed by an empty catch",
      body: "A token that can't be decoded leaves `session` unchanged, so the caller continues with another user's session.\n\nEither\n\n- rethrow the error, or\n- log it and return null",
      severity: "medium",
      category: "reliability",
      path: "src/session.ts",
      quote: "    } catch {}",
      rule: "empty-catch",
    }),
    sampleAnchor({
      path: "src/session.ts",
      startLine: 11,
      endLine: 13,
      lines: ["    try {", "      session = decode(token);", "    } catch {}"],
    }),
    { notes: ["lowered from major to medium: its line isn't changed"] },
  ),
  sampleJudged(sampleFinding(), sampleAnchor(), {
    suggestion: {
      kind: "verified",
      replacement: '  return client.query("SELECT * FROM users WHERE name = $1", [name]);',
    },
  }),
  sampleJudged(
    sampleFinding({
      title: "A test was removed",
      body: "`refuses a wrong password` is gone and nothing else checks it.",
      severity: "medium",
      category: "tests",
      path: "test/login.test.ts",
      quote: '  it("refuses a wrong password", () => {',
      sideHint: "old",
      rule: "removed-test",
    }),
    sampleAnchor({
      path: "test/login.test.ts",
      side: "old",
      startLine: 11,
      endLine: 11,
      lines: ['  it("refuses a wrong password", () => {'],
    }),
    { suggestion: { kind: "prose", reason: "it's about removed code", text: "Bring the test back." } },
  ),
  sampleJudged(
    sampleFinding({
      title: "The retry never ends",
      body: "It loops until the pool answers.",
      severity: "medium",
      category: "correctness",
      path: "src/db/users.ts",
      quote: "while (true) await retry();",
      source: "model",
      rule: null,
      confidence: 0.6,
      pass: "review",
    }),
    null,
  ),
  sampleJudged(
    sampleFinding({
      title: "Source changed without its test",
      body: "No test under `test/` names `users`.",
      severity: "medium",
      category: "tests",
      path: "src/db/users.ts",
      quote: "",
      rule: "untested-source",
    }),
    null,
    { priority: 0.4 },
  ),
  sampleJudged(
    sampleFinding({
      title: "The timeout is a bare number",
      body: "Give it a name with its unit.",
      severity: "minor",
      category: "maintainability",
      quote: "  const client = await pool.connect({ timeout: 5_000 });",
      rule: "magic-number",
    }),
    sampleAnchor({
      startLine: 11,
      endLine: 11,
      lines: ["  const client = await pool.connect({ timeout: 5_000 });"],
    }),
    { placement: "details" },
  ),
];

export function sampleDropped(more: Partial<DroppedFinding> = {}): DroppedFinding {
  return {
    id: "id-dropped",
    finding: sampleFinding({
      title: "A comment says nothing",
      severity: "minor",
      category: "style",
      rule: "empty-comment",
    }),
    anchor: sampleAnchor(),
    severity: "minor",
    reason: "filtered:below-mode",
    detail: "severity.minLevel is medium",
    ...more,
  };
}

const SAMPLE_DROPPED: readonly DroppedFinding[] = [
  sampleDropped(),
  sampleDropped({ id: "id-dropped-2" }),
  sampleDropped({
    id: "id-suppressed",
    finding: sampleFinding({
      title: "A debugger statement",
      rule: "debugger",
      severity: "major",
      category: "correctness",
    }),
    severity: "major",
    reason: "suppressed:in-code",
    detail: "kodiai-ignore-next-line debugger -- needed in the demo",
  }),
];

/** The input of a publication without its nouns, for tests that replace a few parts. */
export type SampleInput = Pick<PublicationInput, "change" | "analysis" | "degradations"> &
  PublicationInput["judgement"] &
  Omit<Reviewed, "findings" | "rules" | "rulesForAll" | "answers"> &
  ShownContext &
  Omit<PublicationOrigin, "config"> & {
    readonly rulesRun: number;
    readonly configOrigin: string;
    readonly configProblems: PublicationOrigin["config"]["problems"];
    readonly settled: EarlierReviews["settled"];
    readonly scope: Partial<Scope>;
    readonly lastNumber: number;
  };

/** A publication with every kind of finding; `more` replaces parts of its input. */
export function samplePublication(more: Partial<SampleInput> = {}): Publication {
  const { judged = SAMPLE_JUDGED, dropped = SAMPLE_DROPPED, settled = settledOf([]), lastNumber = 0 } = more;
  return composePublication({
    change: more.change ?? sampleChange(SAMPLE_FILES),
    analysis: more.analysis ?? SAMPLE_ANALYSIS,
    reviewed: sampleReviewed(more),
    judgement: { judged, dropped },
    earlier: {
      prior: { findings: [{ number: lastNumber }] },
      scope: { ...FIRST_SCOPE, ...more.scope },
      settled,
    },
    context: {
      dependencies: more.dependencies ?? null,
      memory: more.memory ?? { similar: [], learnings: [], suppressions: [], taught: [] },
    },
    degradations: more.degradations ?? [],
    origin: {
      config: { origin: more.configOrigin ?? ".kodiai.yml", problems: more.configProblems ?? [] },
      notes: more.notes ?? [],
      version: more.version ?? "0.1.0",
      rulesUrl: more.rulesUrl ?? null,
    },
  });
}

/** Without findings: the judgement has them. */
export function sampleReviewed({ rulesRun = 42, ...more }: Partial<SampleInput> = {}): Reviewed {
  return {
    findings: [],
    coverage: more.coverage ?? READ_ALL,
    passes: more.passes ?? [FLOOR_PASS],
    rules: new Set(Array.from({ length: rulesRun }, (_, index) => `rule-${index}`)),
    rulesForAll: new Set(),
    analysers: more.analysers ?? [],
    sarif: more.sarif ?? [],
    answers: new Map(),
    overview: more.overview ?? [],
    cutOffUsd: more.cutOffUsd ?? 0,
    verification: more.verification ?? null,
    noModel: more.noModel ?? null,
  };
}

export function cleanPublication(): Publication {
  return samplePublication({ judged: [], dropped: [], change: sampleChange([USERS, SESSION]) });
}

/** Too-large file, failed rule, a missing linter, look-ups turned off, degradations, notes and configuration problems. */
export function incompletePublication(): Publication {
  const files = [
    ...SAMPLE_FILES,
    sampleFile("data/config.json", [], { unreadable: "too-large", addedLines: 48_211 }),
  ];
  const coverage: ReadCoverage = {
    ...READ_ALL,
    unreadPaths: new Map([["src/session.ts", "failed:rule-error"]]),
    gaps: [
      {
        check: "ruff",
        reason: "not-installed",
        detail: "not installed; to install it, run npm install @example/ruff",
        paths: ["tools/build.py", "tools/deploy.py"],
        rules: ["ruff/"],
      },
      {
        check: "advisories",
        reason: "off",
        detail: "look-ups are turned off",
        paths: null,
        rules: ["dependency-advisory"],
      },
    ],
  };
  return samplePublication({
    change: sampleChange(files, { notes: ["main is its own base: reading its last commit"] }),
    judged: SAMPLE_JUDGED.slice(1, 2),
    coverage,
    degradations: [{ what: "rule empty-catch", message: "failed on src/session.ts", count: 2 }],
    configProblems: [
      {
        severity: "error",
        file: ".kodiai.yml",
        line: 3,
        column: 9,
        key: "review.mode",
        message:
          'review.mode: expected one of auto, strict, balanced, lenient, got "strct"; did you mean "strict"? Using "auto".',
      },
    ],
    passes: [FLOOR_PASS, modelPass("example:large", { findings: 1 })],
  });
}

/**
 * Three parts for a model: one finished with a summary, one was cut off after one of two hunks, and one is a file with the
 * built-in rules switched off.
 */
export function partsPublication(): Publication {
  const byModel = new Map<string, FileCoverage>([
    ["src/db/users.ts", null],
    ["src/session.ts", { hunks: new Set([1]), rest: "failed:model" }],
    ["test/login.test.ts", "limit:time"],
  ]);
  const second = { oldStart: 80, newStart: 80, section: "", lines: ["+export const LIMIT = 3;"] };
  const session = { ...SESSION, hunks: [...SESSION.hunks, second], addedLines: SESSION.addedLines + 1 };
  const files = SAMPLE_FILES.with(SAMPLE_FILES.indexOf(SESSION), session);
  const coverage = { ...READ_ALL, offPaths: new Set(["test/login.test.ts"]), byModel };
  const failed = {
    outcome: "failed",
    stopReason: { kind: "http-error", status: 401 },
    turns: 0,
    costUsd: 0,
  } as const;
  return samplePublication({
    change: sampleChange(files),
    judged: SAMPLE_JUDGED.slice(1, 2),
    dropped: [],
    coverage,
    overview: [
      {
        pass: "part 1 of 3",
        text: "Finds users by name and adds a timeout to the pool.\nCallers of `findUser` couldn't be checked.",
      },
    ],
    passes: [
      FLOOR_PASS,
      modelPass("example:large", { name: "part 1 of 3", files: 1, findings: 1 }),
      modelPass("example:large", { name: "part 2 of 3", files: 1, ...failed }),
      modelPass("example:large", {
        name: "part 3 of 3",
        outcome: "timed-out",
        stopReason: { kind: "deadline" },
      }),
    ],
  });
}

export function emptyPublication(): Publication {
  return samplePublication({
    change: sampleChange([], { kind: "staged", description: "staged changes" }),
    analysis: sampleAnalysis([], { riskSignals: [] }),
    judged: [],
    dropped: [],
  });
}

export function skippedPublication(): Publication {
  return samplePublication({
    change: sampleChange(SAMPLE_FILES, { title: "chore: vendor the parser [no-review]" }),
    analysis: { ...SAMPLE_ANALYSIS, skippedBecause: "[no-review] in the title" },
    judged: [],
    dropped: [],
  });
}

/** The head of the review before. */
export const SINCE = "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b";

/** The model that read the change before, and that reads it now. */
export const SAMPLE_MODEL = "example:large";

/** A model has read these files, or the part of them that was new. */
export function readByModel(files: readonly ChangedFile[], more: Partial<ReadCoverage> = {}): ReadCoverage {
  return { ...READ_ALL, byModel: new Map(files.map(({ path }) => [path, null])), ...more };
}

/** Every changed line of these files was read before by a model. */
export function carriedScope(
  files: readonly ChangedFile[],
  reading: LineReading = { model: { id: SAMPLE_MODEL, head: SINCE } },
): Scope {
  const byPath = files.map(({ path, hunks }) => {
    const scopes = hunks.map(({ lines }): HunkScope => ({
      status: "carried",
      readings: lines.map((line) => (line.startsWith(" ") ? null : reading)),
    }));
    return [path, scopes] as const;
  });
  return { full: null, since: SINCE, byPath: new Map(byPath) };
}

/** A second review: one file is new, with a finding; of the earlier findings three are open, one is hidden and one is resolved. */
export function againPublication(more: Partial<SampleInput> = {}): Publication {
  return samplePublication({
    judged: SAMPLE_JUDGED.slice(1, 2),
    dropped: [],
    coverage: readByModel(SAMPLE_FILES),
    passes: [FLOOR_PASS, modelPass(SAMPLE_MODEL)],
    scope: carriedScope([SESSION, AUTH_TEST]),
    settled: settledOf(
      [
        openFinding({ number: 4, severity: "minor", title: "The name is too short", path: "src/session.ts" }),
        openFinding({ number: 2, title: "Errors are swallowed", path: "src/session.ts", startLine: 11 }),
        openFinding({ number: 5, title: "The retry never ends", severity: "critical" }, "addressed"),
      ],
      [
        {
          prior: priorFinding({ number: 1, title: "A secret is logged" }),
          state: "verified",
          because: "its rule ran again and no longer finds it",
        },
      ],
      [
        {
          prior: priorFinding({ number: 3, title: "A debugger statement" }),
          state: "ignored",
          because: "a demo",
        },
      ],
    ),
    lastNumber: 5,
    ...more,
  });
}

/** Everything that memory can add to a review, with texts that try to be more than text. */
function memoryPublication(): Publication {
  const hidden = sampleDropped({
    id: "id-hidden",
    severity: "medium",
    reason: "suppressed:feedback",
    detail: "suppression s12: rejected 3 times by 3 people on 2 pull requests",
  });
  return samplePublication({
    judged: SAMPLE_JUDGED.slice(1, 2),
    dropped: [hidden],
    memory: {
      similar: [
        memoryOf({ title: "Promise is not awaited, says @ada in #5" }),
        memoryOf({ id: 8, distance: null, method: "text", outcome: "dismissed", url: null, path: "a`b.ts" }),
        memoryOf({ id: 9, url: "javascript:alert(1)", repository: "acme/<b>" }),
      ],
      learnings: [
        learningOf({ text: "Errors are **returned**, see [here](https://evil.test)." }),
        learningOf({
          id: null,
          source: "config",
          confidence: 0.9,
          provenance: ".kodiai/learnings.yml",
          owner: "@acme/core",
        }),
        learningOf({ id: 4, source: "feedback", provenance: "https://github.com/acme/app/pull/3" }),
      ],
      suppressions: [
        { id: 12, title: "A comment says nothing", expiresAt: Date.UTC(2027, 5, 30), hidden: 1 },
        { id: 7, title: "Old\n::error::news", expiresAt: Date.UTC(2027, 0, 2), hidden: 0 },
      ],
      taught: [
        {
          title: "A comment says nothing",
          path: "src/a.ts",
          line: 3,
          effect: "suppress",
          reason: { by: "ben", words: "we do **this** on purpose", pullRequest: 3, url: null },
          undo: "s12",
        },
        {
          title: "Old <b>news</b>",
          path: "src/b.ts",
          line: null,
          effect: "lower",
          reason: { by: "cem", words: "", pullRequest: 4, url: "https://github.com/acme/app/pull/4#r1" },
          undo: "l4",
        },
      ],
    },
  });
}

export const SAMPLE_PUBLICATIONS: Readonly<Record<string, () => Publication>> = {
  findings: () => samplePublication(),
  again: () => againPublication(),
  memory: memoryPublication,
  clean: cleanPublication,
  incomplete: incompletePublication,
  parts: partsPublication,
  empty: emptyPublication,
  skipped: skippedPublication,
};
