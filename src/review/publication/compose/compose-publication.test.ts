import assert from "node:assert/strict";
import { test } from "node:test";
import {
  READ_ALL,
  sampleAnalysis,
  sampleAnchor,
  sampleChange,
  sampleDropped,
  sampleFile,
  sampleFileAnalysis,
  sampleFinding,
  sampleJudged,
  type SampleInput,
  samplePublication,
  SAMPLE_PUBLICATIONS,
  FLOOR_PASS,
  modelPass,
} from "../../../../test/support/sample-publication.ts";
import { SECRET_RULES } from "../../findings/secret-rules.ts";
import type { Verdict } from "../publication.ts";
import { OUTPUT_FORMATS } from "../output-format.ts";
import { loadRenderer } from "../../../forge/terminal/load-renderer.ts";

const HEADLINES: Readonly<Record<string, readonly [Verdict["outcome"], string, Verdict["highest"]]>> = {
  findings: ["findings", "6 findings (1 critical, 4 medium, 1 minor) in 3 of 5 files", "critical"],
  again: [
    "findings",
    "1 new finding (1 critical) in 1 of 5 files; 3 more still open; 1 ignored or suppressed; 1 resolved",
    "critical",
  ],
  memory: ["findings", "1 finding (1 critical) in 1 of 5 files", "critical"],
  clean: ["clean", "No findings in 2 files (6 added lines reviewed by built-in rules)", null],
  incomplete: [
    "incomplete",
    "1 finding (1 critical) in 1 of 6 files. Incomplete: 48,211 lines in 1 file (file too large) and 3 lines in 1 file (a rule failed) not reviewed; not checked: ruff, 2 files (not installed; to install it, run npm install @example/ruff)",
    "critical",
  ],
  parts: [
    "incomplete",
    "1 finding (1 critical) in 1 of 5 files. Incomplete: 1 file (time ran out) not reviewed; 1 line in 1 file (the model failed) not reviewed by a model",
    "critical",
  ],
  empty: ["empty", "Nothing to review: no staged changes", null],
  skipped: ["skipped", "Review skipped: [no-review] in the title", null],
};

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`verdict: ${name}`, () => {
    const { outcome, headline, highest } = compose().verdict;
    assert.deepEqual([outcome, headline, highest], HEADLINES[name]);
  });
}

const CODE = sampleFile("a.ts", ["+x"]);
const LOCK = sampleFile("package-lock.json", ["+{", "+}"]);
const ANALYSIS = sampleAnalysis([
  sampleFileAnalysis("a.ts"),
  sampleFileAnalysis("package-lock.json", { mark: "lockfile" }),
]);
const SILENT = { judged: [], dropped: [], analysis: ANALYSIS } satisfies Partial<SampleInput>;

const SILENCES: readonly [string, Partial<SampleInput>, Verdict["outcome"], string][] = [
  [
    "files left out by policy are not called clean",
    { change: sampleChange([CODE, LOCK]) },
    "clean",
    "No findings in 1 of 2 files (1 of 3 added lines reviewed by built-in rules)",
  ],
  [
    "nothing that could be read",
    { change: sampleChange([LOCK]) },
    "empty",
    "Nothing to review: 2 lines in 1 file (lock file)",
  ],
  [
    "findings that are not shown",
    {
      change: sampleChange([CODE]),
      dropped: [sampleDropped(), sampleDropped({ reason: "dropped:duplicate" })],
    },
    "clean",
    "No findings in 1 file (1 added line reviewed by built-in rules); 1 not shown",
  ],
  [
    "something degraded",
    { change: sampleChange([CODE]), degradations: [{ what: "syntax", message: "no parser", count: 1 }] },
    "clean",
    "No findings in 1 file (1 added line reviewed by built-in rules); 1 degradation (see below)",
  ],
  [
    "floor switched off",
    {
      change: sampleChange([CODE]),
      coverage: { ...READ_ALL, offPaths: new Set([CODE.path]) },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (built-in rules are turned off) not reviewed. Nothing else to review",
  ],
  [
    "time ran out",
    {
      change: sampleChange([CODE, sampleFile("b.ts", ["+y"])]),
      coverage: {
        ...READ_ALL,
        unreadPaths: new Map([["b.ts", "limit:time"]]),
      },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (time ran out) not reviewed. No findings in 1 of 2 files (1 of 2 added lines reviewed by built-in rules)",
  ],
  [
    "a model took part",
    { change: sampleChange([CODE]), passes: [modelPass("example:large")] },
    "clean",
    "No findings in 1 file (1 added line reviewed by example:large and built-in rules)",
  ],
  [
    "a model took part, and the floor is off",
    { change: sampleChange([CODE]), passes: [modelPass("example:large")], rulesRun: 0 },
    "clean",
    "No findings in 1 file (1 added line reviewed by example:large)",
  ],
  [
    "a model failed, and the floor has read everything",
    {
      change: sampleChange([CODE]),
      passes: [
        FLOOR_PASS,
        modelPass("example:large", {
          outcome: "failed",
          stopReason: { kind: "http-error", status: 401 },
          turns: 0,
        }),
      ],
      coverage: {
        ...READ_ALL,
        byModel: new Map([[CODE.path, "failed:model"]]),
      },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (the model failed) not reviewed by a model. No findings from built-in rules",
  ],
  [
    "a model failed, and the floor is off",
    {
      change: sampleChange([CODE]),
      passes: [
        FLOOR_PASS,
        modelPass("example:large", {
          outcome: "failed",
          stopReason: { kind: "http-error", status: 401 },
          turns: 0,
        }),
      ],
      coverage: {
        ...READ_ALL,
        offPaths: new Set([CODE.path]),
        byModel: new Map([[CODE.path, "failed:model"]]),
      },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (the model failed) not reviewed. Nothing else to review",
  ],
  [
    "a model ran out of time, and the floor did not",
    {
      change: sampleChange([CODE]),
      passes: [
        FLOOR_PASS,
        modelPass("example:large", { outcome: "timed-out", stopReason: { kind: "deadline" } }),
      ],
      coverage: {
        ...READ_ALL,
        byModel: new Map([[CODE.path, "limit:time"]]),
      },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (time ran out) not reviewed by a model. No findings from built-in rules",
  ],
  [
    "a model that ran out of time after it had read everything",
    {
      change: sampleChange([CODE]),
      passes: [
        FLOOR_PASS,
        modelPass("example:large", { outcome: "timed-out", stopReason: { kind: "deadline" } }),
      ],
    },
    "incomplete",
    "Incomplete review: the model didn't finish. No findings in 1 file (1 added line reviewed by example:large and built-in rules)",
  ],
  [
    "an empty branch",
    { change: sampleChange([]) },
    "empty",
    "Nothing to review: no changed files in feature/login against origin/main",
  ],
  [
    "switched off in a commit",
    {
      change: sampleChange([CODE]),
      analysis: { ...ANALYSIS, skippedBecause: "[no-review] in a commit subject" },
    },
    "skipped",
    "Review skipped: [no-review] in a commit subject",
  ],
];

for (const [name, input, outcome, headline] of SILENCES) {
  test(`verdict without findings: ${name}`, () => {
    const { verdict } = samplePublication({ ...SILENT, ...input });
    assert.deepEqual([verdict.outcome, verdict.headline], [outcome, headline]);
  });
}

test("findings are ordered by severity, priority, path and line, whatever the input's order", () => {
  const at = (path: string, startLine: number, severity: "critical" | "minor", priority: number) =>
    sampleJudged(sampleFinding({ path, severity }), sampleAnchor({ path, startLine }), {
      priority,
      id: `${path}${startLine}${priority}`,
    });
  const sorted = [
    at("z", 9, "critical", 0.9),
    at("a", 2, "critical", 0.1),
    at("a", 10, "critical", 0.1),
    at("b", 1, "critical", 0.1),
    at("a", 1, "minor", 1),
  ];
  for (const judged of [sorted, sorted.toReversed()]) {
    assert.deepEqual(
      samplePublication({ judged }).findings.map(({ id }) => id),
      sorted.map(({ id }) => id),
    );
  }
});

test("details carry languages by files, and problems with their place", () => {
  const { details } = samplePublication({
    analysis: sampleAnalysis([
      sampleFileAnalysis("a", { language: "go" }),
      sampleFileAnalysis("b"),
      sampleFileAnalysis("c"),
      sampleFileAnalysis("d", { language: "unknown" }),
    ]),
    configProblems: [
      { severity: "warning", file: ".kodiai.yml", line: 2, column: 1, key: "x", message: "x: unknown key" },
      { severity: "error", file: ".kodiai.yml", line: null, column: null, key: "", message: "too large" },
    ],
  });
  assert.deepEqual(details.languages, [
    { language: "typescript", files: 2 },
    { language: "go", files: 1 },
  ]);
  assert.deepEqual(details.configProblems, [
    ".kodiai.yml:2:1: warning: x: unknown key",
    ".kodiai.yml: error: too large",
  ]);
});

test("a finding is framed by the patch that shows it when a path comes twice", () => {
  const first = sampleFile("a.ts", ["+first"]);
  const second = sampleFile("a.ts", ["+second"]);
  const anchor = sampleAnchor({ path: "a.ts", startLine: 10, endLine: 10, lines: ["second"] });
  const { findings } = samplePublication({
    change: sampleChange([first, second]),
    judged: [sampleJudged(sampleFinding({ path: "a.ts" }), anchor)],
  });
  assert.deepEqual(
    findings[0]?.frame.map(({ text }) => text),
    ["second"],
  );
});

test("removed code of a renamed file is framed by its old path", () => {
  const file = sampleFile("new.ts", ["-gone", " kept"], { status: "renamed", oldPath: "old.ts" });
  const anchor = sampleAnchor({ path: "old.ts", side: "old", startLine: 10, endLine: 10, lines: ["gone"] });
  const { findings } = samplePublication({
    change: sampleChange([file]),
    judged: [sampleJudged(sampleFinding(), anchor)],
  });
  assert.deepEqual(
    findings[0]?.frame.map(({ text }) => text),
    ["gone", "kept"],
  );
  assert.equal(findings[0]?.headLine, 10);
});

test("[P9] a secret appears in no format, no matter which finding's frame contains it", async () => {
  const secret = "AKIAIOSFODNN7EXAMPLEKEY";
  const file = sampleFile("a.ts", ["+before", `+const key = "${secret}";`, `+${secret}`, "+after()"]);
  const about = sampleFinding({
    path: "a.ts",
    rule: "secret-in-code",
    quote: `const key = "${secret}";`,
    evidence: [secret],
  });
  const anchor = sampleAnchor({
    path: "a.ts",
    startLine: 11,
    endLine: 12,
    lines: [`const key = "${secret}";`, secret],
  });
  const neighbour = sampleJudged(
    sampleFinding({ path: "a.ts", rule: "other", quote: "after()" }),
    sampleAnchor({ path: "a.ts", startLine: 13, endLine: 13, lines: ["after()"] }),
  );
  const same = sampleJudged(
    sampleFinding({ path: "a.ts", rule: "third", quote: secret, suggestion: secret }),
    anchor,
    {
      suggestion: { kind: "verified", replacement: secret },
    },
  );
  const publication = samplePublication({
    change: sampleChange([file]),
    judged: [sampleJudged(about, anchor), neighbour, same],
    dropped: [sampleDropped({ finding: about, anchor, reason: "suppressed:in-code" })],
  });
  for (const format of OUTPUT_FORMATS) {
    const render = await loadRenderer(format);
    const text = render(publication, { color: false, width: 100, rules: [] });
    assert.ok(!text.includes(secret), `${format} repeats the secret`);
  }
  assert.deepEqual(publication.findings[0]?.anchor?.lines, ["const key =[masked]", "[masked]"]);
});

test("[P9] text shaped like a secret is masked even if no rule reported it", () => {
  const key = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
  const file = sampleFile("a.ts", [`+const key = "${key}";`, "+use(key)", "+after()"]);
  const anchor = sampleAnchor({ path: "a.ts", startLine: 11, endLine: 11, lines: ["use(key)"] });
  const { findings } = samplePublication({
    change: sampleChange([file]),
    judged: [sampleJudged(sampleFinding({ path: "a.ts", rule: "other" }), anchor)],
  });
  const texts = findings[0]?.frame.map(({ text }) => text) ?? [];
  assert.equal(texts.length, 3);
  assert.ok(!texts.join("\n").includes(key));
  assert.equal(texts[1], "use(key)");
});

test("a secret in a model's prose or suggestion isn't published", async () => {
  const key = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
  const said = { path: "a.ts", source: "model", rule: null, quote: "use(key)" } as const;
  const anchor = sampleAnchor({ path: "a.ts", startLine: 10, endLine: 10, lines: ["use(key)"] });
  const [words, code] = [`use("${key}")`, "use(other)"];
  const publication = samplePublication({
    change: sampleChange([sampleFile("a.ts", ["+use(key)"])]),
    judged: [
      sampleJudged(
        sampleFinding({ ...said, title: `${key} is used`, body: `It is ${key}.`, suggestion: code }),
        anchor,
        {
          suggestion: { kind: "verified", replacement: code },
        },
      ),
      sampleJudged(sampleFinding({ ...said, title: "Another", suggestion: words }), anchor, {
        suggestion: { kind: "verified", replacement: words },
      }),
    ],
    dropped: [
      sampleDropped({ finding: sampleFinding({ ...said, body: key }), anchor }),
      // Two formats list dropped findings with their reasons.
      sampleDropped({
        finding: sampleFinding({ ...said, title: "The same", path: `${key}.ts` }),
        anchor: null,
        reason: "dropped:duplicate",
        detail: `the same as "${key} is used"`,
      }),
      sampleDropped({ finding: sampleFinding(said), anchor, reason: "suppressed:in-code", detail: key }),
    ],
  });
  for (const format of OUTPUT_FORMATS) {
    const text = (await loadRenderer(format))(publication, { color: false, width: 100, rules: [] });
    assert.ok(!text.includes(key), `${format} repeats the secret`);
  }
  // The surrounding text stays.
  assert.deepEqual(publication.findings.map(({ suggestion }) => suggestion.kind).toSorted(), [
    "none",
    "verified",
  ]);
});

for (const [shown, hasBorders] of [
  ["with its borders", true],
  ["its middle alone", false],
] as const) {
  test(`no line of a private key is in any format if a finding quotes one or is on the line after it: ${shown}`, async () => {
    const random = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8m";
    const keyName = "PRIVATE KEY";
    const body = Array.from({ length: 8 }, (_, index) => `${random.slice(index)}${random.slice(0, index)}`);
    const border = (kind: string): string => (hasBorders ? `-----${kind} ${keyName}-----` : "");
    const lines = [border("BEGIN"), ...body, border("END"), "after()"];
    const file = sampleFile(
      "key.pem",
      lines.map((line) => `+${line}`),
    );
    const at = (index: number) => ({
      startLine: 10 + index,
      endLine: 10 + index,
      lines: [lines[index] ?? ""],
    });
    const finding = (index: number) =>
      sampleFinding({ path: "key.pem", quote: lines[index] ?? "", rule: null });
    const publication = samplePublication({
      change: sampleChange([file]),
      judged: [5, 10].map((index) =>
        sampleJudged(finding(index), sampleAnchor({ path: "key.pem", ...at(index) })),
      ),
      dropped: [sampleDropped({ finding: finding(4), anchor: sampleAnchor({ path: "key.pem", ...at(4) }) })],
    });
    for (const format of OUTPUT_FORMATS) {
      const text = (await loadRenderer(format))(publication, { color: false, width: 100, rules: [] });
      for (const line of body) assert.ok(!text.includes(line), `${format} repeats the key`);
    }
  });
}

test("the rules that find secrets are rules", async () => {
  const known = [...SECRET_RULES].map(async (id) => {
    const rules: Readonly<Record<string, unknown>> = await import(`../../../rules/checks/${id}.ts`);
    return Object.values(rules).some(
      (rule) => typeof rule === "object" && rule !== null && "id" in rule && rule.id === id,
    );
  });
  assert.deepEqual(await Promise.all(known), [true, true]);
});
