import assert from "node:assert/strict";
import { test } from "node:test";
import { SEVERITIES, type Severity } from "../../../base/severity.ts";
import { assertGolden } from "../../../../test/support/golden.ts";
import { exampleReport } from "../../../../test/support/example-report.ts";
import { openFinding, priorFinding, settledOf, threadAt } from "../../../../test/support/prior-fixtures.ts";
import {
  cleanPublication,
  emptyPublication,
  FLOOR_PASS,
  incompletePublication,
  READ_ALL,
  sampleAnalysis,
  sampleAnchor,
  sampleChange,
  sampleDropped,
  sampleFile,
  sampleFileAnalysis,
  sampleFinding,
  sampleJudged,
  samplePublication,
  skippedPublication,
  modelPass,
  SAMPLE_PUBLICATIONS,
} from "../../../../test/support/sample-publication.ts";
import { NO_MODEL_REASONS } from "../../../model/no-model-reason.ts";
import type { StopReason } from "../../../model/stop-reason.ts";
import type { CheckGap } from "../../findings/check-gap.ts";
import { composePullRequest, type PullRequestPolicy } from "./compose-pull-request.ts";
import { MAX_MARKDOWN_COMMENT_CHARS } from "../render/markdown-blocks.ts";
import type { CheckConclusion, PullRequestPublication } from "../pull-request-publication.ts";
import { MODEL_PROBLEM } from "../model-problem.ts";
import type { Publication } from "../publication.ts";
import { renderTerminal } from "../render/render-terminal.ts";

const ADVICE: PullRequestPolicy = {
  failOn: "none",
  autoApprove: false,
  summary: "findings",
  mention: "@kodiai",
};

/** Every file was read, but time ran out before the model finished. */
function cutOffPublication(): Publication {
  const passes = [FLOOR_PASS, modelPass("a:x", { outcome: "timed-out", stopReason: { kind: "deadline" } })];
  const change = sampleChange([sampleFile("src/users.ts", ["+x"])]);
  return samplePublication({ judged: [], dropped: [], change, passes });
}

function idsOf({ review }: PullRequestPublication): readonly string[] {
  return review?.comments.map(({ findingId }) => findingId) ?? [];
}

/** Everything that is published, in reading order. */
function wholeText({ head, review, summary, check }: PullRequestPublication): string {
  const comments = (review?.comments ?? []).map(
    ({ findingId, path, side, startLine, endLine, body }) =>
      `===== comment ${findingId} on ${path}, ${side} ${startLine} to ${endLine}\n${body}\n`,
  );
  return [
    `===== head ${head}\n`,
    `===== review: ${review?.event ?? "none"}\n${review?.body ?? ""}\n`,
    ...comments,
    `===== summary\n${summary}`,
    `===== check: ${check.conclusion}\n${check.title}\n\n${check.summary}`,
  ].join("\n");
}

test("golden: everything that is published about a sample", () => {
  const settled = settledOf(
    [
      openFinding({
        number: 3,
        title: "Reported at an earlier head",
        thread: threadAt("https://github.example/acme/shop/pull/7#discussion_r1"),
      }),
      openFinding({ number: 1, title: "Edited since", severity: "critical" }, "addressed"),
    ],
    [
      {
        prior: priorFinding({ number: 2, title: "Fixed since", path: "src/session.ts" }),
        state: "verified",
        because: "its code was changed",
      },
    ],
  );
  const scope = { full: null, since: "0".repeat(40) };
  const publication = samplePublication({ dropped: [sampleDropped()], settled, scope, lastNumber: 3 });
  const moved = [{ findingId: "id-empty-catch-11", reason: "GitHub doesn't allow a comment on that line" }];
  assertGolden(
    "publication/pull-request/findings.md",
    wholeText(composePullRequest(publication, ADVICE, moved)),
  );
});

/** Texts for the operator: variables and keys, documents of Kodiai's repository, the author's tier. Markdown escapes `_`. */
const FOR_OPERATOR =
  /KODIAI\\?_|API\\?_KEY|BASE\\?_URL|where Kodiai runs|docs\/|Author:|first-time|regular contributor/;

const FAILURES: readonly StopReason[] = [
  { kind: "http-error", status: 401 },
  { kind: "http-error", status: 404 },
  { kind: "no-connection" },
  { kind: "price-unknown" },
  { kind: "budget-unavailable" },
];

/** Reviews in which a model was missing or failed, for all reasons that come with advice. */
function operatorPublications(): readonly Publication[] {
  const failed = FAILURES.flatMap((stopReason) =>
    ["openai:x", "compatible:x", "x:y"].map((model) =>
      samplePublication({
        passes: [FLOOR_PASS, modelPass(model, { outcome: "failed", stopReason, turns: 0, costUsd: 0 })],
      }),
    ),
  );
  const message = "anthropic:x: ANTHROPIC_API_KEY is not set";
  const missing = NO_MODEL_REASONS.map((noModel) =>
    samplePublication({ noModel, degradations: [{ what: MODEL_PROBLEM, message, count: 1 }] }),
  );
  return [...failed, ...missing];
}

test("nothing on a pull request is meant for the operator, and the terminal keeps all of it", () => {
  const samples = Object.values(SAMPLE_PUBLICATIONS).map((compose) => compose());
  for (const publication of [...samples, ...operatorPublications()])
    assert.doesNotMatch(wholeText(composePullRequest(publication, ADVICE, [])), FOR_OPERATOR);
  const page = { color: false, width: 400 };
  const terminal = operatorPublications().map((publication) => renderTerminal(publication, page));
  for (const kept of ["OPENAI_API_KEY", "KODIAI_COMPATIBLE_URL", "KODIAI_PRICES", "docs/models.md"])
    assert.ok(
      terminal.some((text) => text.includes(kept)),
      kept,
    );
  assert.ok(
    terminal.some((text) => text.includes("Degraded    model: anthropic:x: ANTHROPIC_API_KEY is not set")),
  );
});

test("a finding is explained once: in its comment, or without one in the summary, or without that in the check", () => {
  const publication = samplePublication();
  const explanations = publication.findings
    .filter(({ placement }) => placement !== "details")
    .map(({ finding }) => finding.body.split("\n")[0] ?? "");
  for (const summary of ["always", "findings", "off"] as const) {
    const composed = composePullRequest(publication, { ...ADVICE, summary }, []);
    assert.equal(composed.isSummaryWanted, summary !== "off");
    const { review, check } = composed;
    const seen = [
      ...(review?.comments ?? []).map(({ body }) => body),
      ...(composed.isSummaryWanted ? [composed.summary] : []),
      check.summary,
      ...check.annotations.map(({ message }) => message),
    ].join("\n");
    for (const explanation of explanations)
      assert.equal(seen.split(explanation).length, 2, `${summary}: ${explanation}`);
    assert.equal(seen.split("Prompt for a coding agent").length, 2, `${summary}: one prompt`);
    const footers = `${review?.body ?? ""}\n${seen}`.match(
      /`@kodiai help` lists the commands · React with 👎/g,
    );
    assert.ok((footers?.length ?? 0) >= 1, `${summary}: how to talk to it and how to teach it`);
  }
});

test("the table links to the thread of each comment, and before that is known to its line", () => {
  const url = "https://github.example/acme/shop/pull/7";
  const thread = `${url}#discussion_r12`;
  const threads = new Map([
    ["id-sql-from-strings-13", thread],
    ["id-empty-catch-11", "javascript:alert(1)"],
  ]);
  const policy = { ...ADVICE, url };
  const { summary, check, review } = composePullRequest(samplePublication(), policy, [], threads);
  for (const text of [summary, check.summary]) {
    assert.ok(
      text.includes(`| 1 | Critical | SQL is built from a string | [\`src/db/users.ts:13\`](${thread}) |`),
      text,
    );
    assert.match(
      text,
      /\| Errors are swallowed by an empty catch \| \[`src\/session\.ts:11`\]\(https:[^)]*\/blob\//,
    );
  }
  // The addresses are known only once the comments are posted, so they must not change them.
  assert.deepEqual(review, composePullRequest(samplePublication(), policy, []).review);
});

test("the title of a finding can't add a cell to the table", () => {
  const judged = [sampleJudged(sampleFinding({ title: "a | b `c | d` \\| e" }), sampleAnchor())];
  const { summary } = composePullRequest(samplePublication({ judged }), ADVICE, []);
  const row = summary.split("\n").find((line) => line.startsWith("| 1 |")) ?? "";
  assert.equal(row.split(/(?<!\\)\|/).length, 6, row);
});

function withBump(isBreaking: boolean): Publication {
  return { ...cleanPublication(), dependencies: exampleReport({ change: { isBreaking } }) };
}

/** Whether a summary is created, with the default policy. */
const WANTED: Readonly<Record<string, readonly [publication: () => Publication, isWanted: boolean]>> = {
  "nothing was found": [cleanPublication, false],
  "there is nothing to review": [emptyPublication, false],
  "there are findings": [samplePublication, true],
  "earlier findings are still open": [() => withOpen("minor"), true],
  "all earlier findings are resolved": [() => withResolved("critical"), false],
  "lines were not read": [incompletePublication, true],
  "the model didn't finish": [cutOffPublication, true],
  "something was not available": [
    () =>
      samplePublication({
        change: sampleChange([sampleFile("src/users.ts", ["+x"])]),
        judged: [],
        dropped: [],
        degradations: [{ what: MODEL_PROBLEM, message: "no key", count: 1 }],
      }),
    true,
  ],
  "dependencies changed, and nothing speaks against it": [() => withBump(false), false],
  "dependencies changed, and something speaks against it": [() => withBump(true), true],
  "the review was skipped": [skippedPublication, true],
};
for (const [when, [publication, isWanted]] of Object.entries(WANTED))
  test(`a summary is ${isWanted ? "" : "not "}created when ${when}`, () => {
    const composed = composePullRequest(publication(), ADVICE, []);
    assert.equal(composed.isSummaryWanted, isWanted);
    assert.equal(
      composePullRequest(publication(), { ...ADVICE, summary: "always" }, []).isSummaryWanted,
      true,
    );
    assert.equal(composePullRequest(publication(), { ...ADVICE, summary: "off" }, []).isSummaryWanted, false);
    // An existing one is edited, so the text is always true.
    assert.ok(composed.summary.includes(publication().verdict.headline.slice(0, 10)));
  });

test("prices, tokens and the amounts of budgets stay off a pull request, and the terminal has them", () => {
  const stopReason: StopReason = {
    kind: "over-budget",
    budget: "perReviewUsd",
    limitUsd: 0.5,
    spentUsd: 0.4,
    neededUsd: 0.2,
  };
  const passes = [
    FLOOR_PASS,
    modelPass("anthropic:x", { outcome: "stopped-by-budget", stopReason, costUsd: 0.4, turns: 3 }),
  ];
  const publication = samplePublication({ passes });
  const text = wholeText(composePullRequest(publication, ADVICE, []));
  assert.doesNotMatch(text, /USD|dollar|price|put token|perReview/i);
  assert.match(text, /anthropic:x was stopped by the budget:/);
  assert.match(
    renderTerminal(publication, { color: false, width: 400 }),
    /budget\.perReviewUsd is USD 0\.50/,
  );
});

test("findings on lines get a comment there, the others none", () => {
  const publication = samplePublication();
  const composed = composePullRequest(publication, ADVICE, []);
  const placements = publication.findings.map(({ id, placement }) => [id, placement]);
  assert.deepEqual(
    idsOf(composed),
    placements.filter(([, placement]) => placement === "inline").map(([id]) => id),
  );
  assert.equal(composed.head, "2".repeat(40));
  assert.equal(composed.review?.event, "comment");
  assert.match(composed.review.body, /^3 new comments\. 6 findings \(/);
  assert.deepEqual(
    composed.review.comments.map(({ path, side, startLine, endLine }) => [path, side, startLine, endLine]),
    [
      ["src/db/users.ts", "new", 13, 13],
      ["src/session.ts", "new", 11, 13],
      ["test/login.test.ts", "old", 11, 11],
    ],
  );
});

test("a finding whose line was refused is only in the summary", () => {
  const publication = samplePublication();
  const id = "id-sql-from-strings-13";
  const before = composePullRequest(publication, ADVICE, []);
  const after = composePullRequest(publication, ADVICE, [{ findingId: id, reason: "refused" }]);
  assert.ok(idsOf(before).includes(id));
  assert.deepEqual(
    idsOf(after),
    idsOf(before).filter((other) => other !== id),
  );
  assert.match(after.review?.body ?? "", /^2 new comments\. /);
  assert.doesNotMatch(before.summary, /client\.query/);
  assert.match(after.summary, /^- {3}return client\.query\(/m);
  assert.match(after.summary, /Shown here because refused\.$/m);
});

test("when every line was refused there is no review, and the summary shows all findings", () => {
  const publication = samplePublication();
  const moved = publication.findings.map(({ id }) => ({ findingId: id, reason: "refused" }));
  const composed = composePullRequest(publication, { ...ADVICE, autoApprove: true }, moved);
  assert.equal(composed.review, null);
  assert.equal(composed.summary.match(/Shown here because refused\.$/gm)?.length, 5);
});

test("a finding in a path that the host can't accept is only in the summary", () => {
  const path = "src/\udcff.ts";
  const judged = [sampleJudged(sampleFinding({ path }), sampleAnchor({ path }))];
  const composed = composePullRequest(samplePublication({ judged }), ADVICE, []);
  assert.equal(composed.review, null);
  assert.match(composed.summary, /`src\/\\xff\.ts:13`/);
  assert.match(composed.summary, /The name is put into the statement/);
});

test("both sides of a renamed file are named by its new path", () => {
  const file = sampleFile("new.ts", ["-gone", " kept"], { status: "renamed", oldPath: "old.ts" });
  const anchor = sampleAnchor({ path: "old.ts", side: "old", startLine: 10, endLine: 10, lines: ["gone"] });
  const judged = [sampleJudged(sampleFinding({ path: "new.ts" }), anchor)];
  const publication = samplePublication({ change: sampleChange([file]), judged });
  const [comment] = composePullRequest(publication, ADVICE, []).review?.comments ?? [];
  assert.deepEqual([comment?.path, comment?.side], ["new.ts", "old"]);
});

function withFinding(severity: Severity): Publication {
  return samplePublication({
    judged: [sampleJudged(sampleFinding({ severity }), sampleAnchor())],
    dropped: [],
  });
}

function withSuppressed(severity: Severity): Publication {
  return samplePublication({
    judged: [],
    dropped: [sampleDropped({ severity, reason: "suppressed:config" })],
  });
}

function withOpen(severity: Severity): Publication {
  return samplePublication({ judged: [], dropped: [], settled: settledOf([openFinding({ severity })]) });
}

function withResolved(severity: Severity): Publication {
  const resolved = {
    prior: priorFinding({ severity }),
    state: "verified",
    because: "its code was changed",
  } as const;
  return samplePublication({ judged: [], dropped: [], settled: settledOf([], [resolved]) });
}

test("a check fails at the level it is set to and above, for new findings and for those still open", () => {
  for (const [level, failOn] of SEVERITIES.entries()) {
    for (const [rank, severity] of SEVERITIES.entries()) {
      const expected = rank <= level ? "failure" : "success";
      for (const publication of [withFinding(severity), withOpen(severity)]) {
        const { check } = composePullRequest(publication, { ...ADVICE, failOn, autoApprove: false }, []);
        assert.equal(check.conclusion, expected, `${severity} with failOn ${failOn}`);
      }
    }
  }
});

const CONCLUSIONS: readonly (readonly [
  what: string,
  publication: () => Publication,
  none: CheckConclusion,
  major: CheckConclusion,
])[] = [
  ["nothing found", cleanPublication, "success", "success"],
  ["a critical finding", () => withFinding("critical"), "neutral", "failure"],
  ["a minor finding", () => withFinding("minor"), "neutral", "success"],
  ["a critical finding still open", () => withOpen("critical"), "neutral", "failure"],
  ["a minor finding still open", () => withOpen("minor"), "neutral", "success"],
  ["a critical finding that was resolved", () => withResolved("critical"), "success", "success"],
  ["a critical finding that was suppressed", () => withSuppressed("critical"), "success", "success"],
  ["a critical finding in what could be read", incompletePublication, "neutral", "failure"],
  [
    "nothing in what could be read",
    () => ({ ...incompletePublication(), findings: [], dropped: [] }),
    "neutral",
    "neutral",
  ],
  ["a check that failed", () => withGap("failed"), "neutral", "neutral"],
  ["a linter that isn't installed", () => withGap("not-installed"), "neutral", "neutral"],
  ["a check that a limit stopped", () => withGap("limit"), "neutral", "neutral"],
  ["a check that a person switched off", () => withGap("off"), "success", "success"],
  ["a finding that a comment ignores", () => withHidden("ignored"), "success", "success"],
  ["a model that didn't finish", cutOffPublication, "neutral", "neutral"],
  ["nothing to read", emptyPublication, "success", "success"],
  ["a skipped review", skippedPublication, "neutral", "neutral"],
];

for (const [what, publication, none, major] of CONCLUSIONS) {
  test(`check: ${what} is ${none} as advice and ${major} as a gate`, () => {
    const conclude = (failOn: PullRequestPolicy["failOn"]): CheckConclusion =>
      composePullRequest(publication(), { ...ADVICE, failOn, autoApprove: true }, []).check.conclusion;
    assert.deepEqual([conclude("none"), conclude("major")], [none, major]);
  });
}

function withGap(reason: CheckGap["reason"]): Publication {
  const change = sampleChange([sampleFile("a.ts", ["+x"])]);
  const analysis = sampleAnalysis([sampleFileAnalysis("a.ts")]);
  const gaps = [{ check: "ruff", reason, detail: null, paths: ["a.ts"], rules: ["ruff/"] }];
  return samplePublication({ change, analysis, judged: [], dropped: [], coverage: { ...READ_ALL, gaps } });
}

function withHidden(state: "ignored" | "suppressed"): Publication {
  const settled = settledOf([], [], [{ prior: priorFinding(), state, because: "a demo" }]);
  return samplePublication({
    change: sampleChange([sampleFile("a.ts", ["+x"])]),
    judged: [],
    dropped: [],
    settled,
  });
}

const DEGRADED = [{ what: "syntax", message: "no parser", count: 1 }];

const APPROVALS: readonly (readonly [what: string, publication: () => Publication, isApproved: boolean])[] = [
  ["nothing found, everything read", cleanPublication, true],
  ["a finding in the summary", () => samplePublication({ judged: unplaced(), dropped: [] }), false],
  ["a finding that was suppressed", () => withSuppressed("minor"), false],
  ["a finding still open", () => withOpen("minor"), false],
  ["a finding that a comment ignores", () => withHidden("ignored"), false],
  ["a finding that the configuration suppresses", () => withHidden("suppressed"), false],
  ["a finding that a person waived", withWaived, false],
  ["a check that failed", () => withGap("failed"), false],
  ["a check that a person switched off", () => withGap("off"), false],
  ["something degraded", () => ({ ...cleanPublication(), degradations: DEGRADED }), false],
  ["not everything read", () => ({ ...incompletePublication(), findings: [], dropped: [] }), false],
  ["a model that didn't finish", cutOffPublication, false],
  ["nothing to read", emptyPublication, false],
  ["a skipped review", skippedPublication, false],
];

function withWaived(): Publication {
  const settled = settledOf([openFinding({}, "waived")]);
  return samplePublication({
    change: sampleChange([sampleFile("a.ts", ["+x"])]),
    judged: [],
    dropped: [],
    settled,
  });
}

function unplaced() {
  return [sampleJudged(sampleFinding(), null)];
}

for (const [what, publication, isApproved] of APPROVALS) {
  test(`approval: ${what} is ${isApproved ? "" : "not "}approved, and never without being allowed to`, () => {
    const composed = composePullRequest(publication(), { ...ADVICE, autoApprove: true }, []);
    if (isApproved) {
      const body = `${publication().verdict.headline}.`;
      assert.deepEqual(composed.review, { event: "approve", body, comments: [] });
    } else assert.equal(composed.review, null);
    assert.equal(composePullRequest(publication(), ADVICE, []).review, null);
  });
}

test("a review with comments never approves", () => {
  const composed = composePullRequest(samplePublication(), { ...ADVICE, autoApprove: true }, []);
  assert.equal(composed.review?.event, "comment");
});

test("the check lists every finding, explains none that has a comment, and annotates those without one", () => {
  const { check } = composePullRequest(samplePublication(), ADVICE, []);
  for (const { finding } of samplePublication().findings)
    assert.equal(check.summary.split(finding.title).length, 2, finding.title);
  assert.doesNotMatch(check.summary, /The name is put into the statement/);
  // The other findings have a comment or no line.
  assert.deepEqual(check.annotations, [
    {
      path: "src/db/users.ts",
      startLine: 11,
      endLine: 11,
      level: "notice",
      title: "Minor: The timeout is a bare number",
      message: "Give it a name with its unit.\n\nmagic-number",
    },
  ]);
  assert.deepEqual(composePullRequest(skippedPublication(), ADVICE, []).check.annotations, []);
});

test("a finding whose line was refused is annotated, removed code on the nearest line with a note", () => {
  const publication = samplePublication();
  const moved = publication.findings.map(({ id }) => ({ findingId: id, reason: "refused" }));
  const { annotations } = composePullRequest(publication, ADVICE, moved).check;
  assert.deepEqual(
    annotations.map(({ path, startLine, endLine, level }) => `${path}:${startLine}-${endLine} ${level}`),
    [
      "src/db/users.ts:13-13 failure",
      "src/session.ts:11-13 warning",
      "test/login.test.ts:11-11 warning",
      "src/db/users.ts:11-11 notice",
    ],
  );
  assert.match(annotations[2]?.message ?? "", /^About removed code \(line 11 before the change\)\. /);
});

test("annotations are bounded, and rules take turns", () => {
  const judged = Array.from({ length: 300 }, (_, index) => {
    const rule = index < 250 ? "flood" : "other";
    const path = `src/${index}.ts`;
    return sampleJudged(
      sampleFinding({ rule, path, title: "\u202e".repeat(300), body: "x".repeat(9_000) }),
      sampleAnchor({ path }),
      { id: String(index), placement: "details" },
    );
  });
  const { annotations } = composePullRequest(samplePublication({ judged }), ADVICE, []).check;
  assert.equal(annotations.length, 100);
  assert.equal(annotations.filter(({ message }) => message.endsWith("\n\nother")).length, 50);
  for (const { title, message } of annotations) {
    assert.ok(title.length <= 255 && message.length < 2_100);
    assert.doesNotMatch(title, /\u202e/);
  }
});

test("places and rules are links on a pull request, and a hostile path can't leave its link", () => {
  const path = "src/a b](https:\u002f\u002fe.example) `#1`/(ü).ts";
  const judged = [
    sampleJudged(sampleFinding({ path }), sampleAnchor({ path, endLine: 15 })),
    sampleJudged(
      sampleFinding({ path: "src/old.ts", title: "Gone" }),
      sampleAnchor({ path: "src/old.ts", side: "old" }),
      { id: "more", placement: "details" },
    ),
  ];
  const publication = { ...samplePublication({ judged }), rulesUrl: "https://kodiai.example/docs/rules.md" };
  const url = "https://github.example/acme/shop/pull/7";
  const { summary, check, review } = composePullRequest(publication, { ...ADVICE, url }, []);
  const encoded = "src/a%20b%5D%28https%3A/%2Fe.example%29%20%60%231%60/%28%C3%BC%29.ts".replace(
    "A/%2F",
    "A//",
  );
  const here = `](https://github.example/acme/shop/blob/${"2".repeat(40)}/${encoded}#L13-L15)`;
  for (const text of [summary, check.summary]) {
    assert.ok(text.includes(here), text);
    assert.ok(text.includes(`](https://github.example/acme/shop/blob/${"1".repeat(40)}/src/old.ts#L13)`));
  }
  assert.ok(review?.comments[0]?.body.includes("](https://kodiai.example/docs/rules.md#sql-from-strings)"));
  const unlinked = composePullRequest(publication, { ...ADVICE, url: "https://e.example/) /pull/7" }, []);
  assert.doesNotMatch(unlinked.summary, /e\.example\/\)/);
});

test("the check has the verdict and the details, and its title is plain and short", () => {
  const { check } = composePullRequest(samplePublication(), ADVICE, []);
  assert.equal(check.title, "6 findings (1 critical, 4 medium, 1 minor) in 3 of 5 files");
  assert.match(
    check.summary,
    /^- 3 files to read, [^]*\n### Details\n\n- Change: feature\/login against origin\/main/,
  );
  assert.doesNotMatch(check.summary, /<summary>Review details/);
  const description = `\u202e\u001b${"x".repeat(180)}${"\u{1F43B}".repeat(200)}`;
  const change = sampleChange([], { kind: "pull-request", description });
  const hostile = composePullRequest(samplePublication({ change, judged: [], dropped: [] }), ADVICE, []);
  assert.ok(hostile.check.title.length <= 250);
  assert.ok(hostile.check.title.isWellFormed());
  assert.match(hostile.check.title, /^Nothing to review: no changed files in \\u\{202e\}\\x1bxxx/);
});

test("nothing is longer than a forge accepts, with many findings that grow by escaping", () => {
  const flood = "@\u200b</details>".repeat(800);
  const finding = sampleFinding({ title: flood, body: flood, quote: flood });
  const judged = Array.from({ length: 100 }, (_, index) =>
    sampleJudged({ ...finding, path: `${flood}${index}` }, sampleAnchor({ lines: [flood] }), {
      id: String(index),
      notes: [flood],
      suggestion: { kind: "verified", replacement: flood },
    }),
  );
  const open = judged.map(({ id }) => openFinding({ identity: id, title: flood, path: flood }));
  const resolved = open.map(({ prior }) => ({ prior, state: "verified" as const, because: flood }));
  const hidden = open.map(({ prior }) => ({ prior, state: "suppressed" as const, because: flood }));
  const moved = judged.slice(50).map(({ id }) => ({ findingId: id, reason: flood }));
  const composed = composePullRequest(
    samplePublication({ judged, settled: settledOf(open, resolved, hidden) }),
    ADVICE,
    moved,
  );
  assert.equal(composed.review?.comments.length, 50);
  const texts = [composed.review.body, composed.summary, composed.check.summary];
  for (const text of [...texts, ...composed.review.comments.map(({ body }) => body)]) {
    assert.ok(text.length > 0);
    assert.ok(text.length <= MAX_MARKDOWN_COMMENT_CHARS, `${text.length} characters`);
  }
});

/** The text that a forge acts on: without code spans and the content of code blocks, parsed like Markdown. */
function outsideCode(markdown: string): string {
  const lines: string[] = [];
  let closing: string | null = null;
  for (const line of markdown.split("\n")) {
    const { ticks, language } = /^(?<ticks>`{3,})(?<language>[^`]*)$/.exec(line)?.groups ?? {};
    if (closing !== null) {
      if (ticks !== undefined && ticks.length >= closing.length && line === ticks) closing = null;
    } else if (ticks === undefined) lines.push(withoutCodeSpans(line));
    else {
      lines.push(`a block of ${language}`);
      closing = ticks;
    }
  }
  assert.equal(closing, null, "a fence is left open");
  return lines.join("\n");
}

function withoutCodeSpans(line: string): string {
  // An escape, a code span, or any other character, whichever comes first.
  return line.replaceAll(/\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(?:.*?[^`])\2(?!`)/g, "");
}

const LIVE = [
  "@octocat and @org/team #1 GH-2 owner/repo#3",
  "<img src=x onerror=alert(1)> <!-- marker --> </details></summary></sub><h1>Approved</h1>",
  "![a](https://e.example/x.png) [b](https://e.example) https://e.example www.e.example",
  "/approve",
  "# heading",
  "> quote",
  "---",
  "```suggestion",
  "evil()",
  "```",
  "@dependabot merge",
].join("\n");

function hostilePublication(): Publication {
  const path = `${LIVE}\`.ts`;
  const finding = sampleFinding({ title: LIVE, body: LIVE, path, quote: LIVE, source: "model", rule: null });
  const anchor = sampleAnchor({ path, startLine: 10, endLine: 10, lines: [LIVE, "```", "/approve"] });
  const prose = { kind: "prose", reason: LIVE, text: LIVE } as const;
  return samplePublication({
    change: sampleChange([sampleFile(path, ["+x"])], { description: LIVE, title: LIVE, notes: [LIVE] }),
    judged: [
      sampleJudged(finding, anchor, {
        id: "verified",
        suggestion: { kind: "verified", replacement: `${LIVE}\n\`\`\`\`` },
        notes: [LIVE],
      }),
      sampleJudged(finding, anchor, { id: "prose", suggestion: prose, notes: [LIVE] }),
      sampleJudged(finding, anchor, { id: "moved", suggestion: prose }),
      sampleJudged(finding, null, { id: "unplaced", suggestion: prose }),
      sampleJudged(finding, anchor, { id: "more", placement: "details" }),
    ],
    dropped: [sampleDropped({ finding, anchor, reason: "suppressed:in-code", detail: LIVE })],
    settled: settledOf(
      [openFinding({ title: LIVE, path, thread: threadAt(LIVE) })],
      [{ prior: priorFinding({ title: LIVE, path }), state: "verified", because: LIVE }],
      [{ prior: priorFinding({ title: LIVE, path }), state: "ignored", because: LIVE }],
    ),
    degradations: [{ what: LIVE, message: LIVE, count: 1 }],
    configOrigin: LIVE,
    passes: [modelPass(LIVE)],
  });
}

test("[P6] nothing of a change is live in a comment, the review, the summary or the check", () => {
  const moved = [{ findingId: "moved", reason: LIVE }];
  const { review, summary, check } = composePullRequest(hostilePublication(), ADVICE, moved);
  assert.deepEqual(
    review?.comments.map(({ findingId }) => findingId),
    ["prose", "verified"],
  );
  const texts = [review.body, summary, check.summary, ...review.comments.map(({ body }) => body)];
  for (const text of texts) {
    const outside = outsideCode(text);
    assert.doesNotMatch(outside, /@(?!&#8203;)/, "a mention");
    assert.doesNotMatch(outside, /(?<!&)#(?!&#8203;)\d|\bGH-\d/, "a reference");
    assert.doesNotMatch(outside, /<(?!\/?(?:details|summary|sub)>)/, "HTML");
    assert.doesNotMatch(outside, /https?:|www\.|!\[|\]\(/, "a link or image");
    assert.doesNotMatch(outside, /^(?:\/approve|# |> |---|===)/m, "a block or command");
    assert.doesNotMatch(text, /^\/approve|^@dependabot/m, "a command of another bot, also inside code");
    for (const tag of ["details", "summary", "sub"]) {
      const opened = outside.split(`<${tag}>`).length;
      assert.equal(outside.split(`</${tag}>`).length, opened, `${tag} is closed as often as opened`);
    }
    assert.doesNotMatch(outside, /^a block of suggestion/m, "nothing is offered that was not exact");
  }
  assert.equal(outsideCode(summary).match(/<details>/g)?.length, 3);
  assert.doesNotMatch(outsideCode(review.comments[0]?.body ?? ""), /<details>/);
});
