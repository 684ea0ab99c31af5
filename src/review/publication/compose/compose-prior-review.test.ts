import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../../test/support/analysis-fixtures.ts";
import {
  openFinding,
  priorFinding,
  priorRun,
  settledOf,
  threadAt,
} from "../../../../test/support/prior-fixtures.ts";
import {
  sampleAnchor,
  sampleChange,
  sampleFile,
  sampleFinding,
  sampleJudged,
  samplePublication,
} from "../../../../test/support/sample-publication.ts";
import { createPlaceMap, type Place } from "../../change/map-places.ts";
import type { PriorFinding, PriorReview } from "../../context/prior-review.ts";
import { PriorReview as PriorReviewSchema } from "../../context/prior-review.ts";
import type { JudgedFinding } from "../../findings/finding.ts";
import { locatePrior } from "../../findings/match-prior.ts";
import { type Settled, settlePrior } from "../../findings/settle-prior.ts";
import { composePriorReview, type PriorReviewInput } from "./compose-prior-review.ts";

const CHANGE = sampleChange([sampleFile("src/db/users.ts", ["+x", "+y"])]);
const READ = { model: { id: "a:x", head: "h2" } };

const NOTHING_NEW = samplePublication({ change: CHANGE, judged: [], dropped: [] });

function leave(more: Partial<PriorReviewInput> = {}): PriorReview {
  return composePriorReview({
    change: CHANGE,
    prior: { runs: [], findings: [] },
    publication: NOTHING_NEW,
    settled: settledOf([]),
    readings: [{ path: "src/db/users.ts", readings: [READ, READ] }],
    config: "c2",
    ...more,
  });
}

/** Returns what a review with this finding leaves of it. */
function leftOf(judged: JudgedFinding, lastNumber = 0): PriorFinding | undefined {
  const publication = samplePublication({ change: CHANGE, judged: [judged], dropped: [], lastNumber });
  return leave({ publication }).findings[0];
}

test("a run leaves its commits, configuration, diff and readings", () => {
  const { runs } = leave();
  assert.deepEqual(runs, [
    {
      base: "1".repeat(40),
      head: "2".repeat(40),
      config: "c2",
      readings: { usual: READ, others: [] },
      files: CHANGE.files,
    },
  ]);
  const { runs: local } = leave({ change: { ...CHANGE, base: null, head: null } });
  assert.deepEqual(
    local.map(({ base, head }) => [base, head]),
    [["uncommitted", "uncommitted"]],
  );
});

test("five runs at most are left, newest first", () => {
  const runs = ["h5", "h4", "h3", "h2", "h1"].map((head) => priorRun({ head }));
  const left = leave({ prior: { runs, findings: [] } }).runs.map(({ head }) => head);
  assert.deepEqual(left, ["2".repeat(40), "h5", "h4", "h3", "h2"]);
});

test("a new finding is left open with its number, place and words", () => {
  const finding = sampleFinding({ title: "Query from text", body: "Attackers choose the name." });
  const others = [{ id: "id-20", startLine: 20, endLine: 21 }];
  const left = leftOf(sampleJudged(finding, sampleAnchor(), { severity: "major", others }), 4);
  assert.deepEqual(left, {
    identity: "id-sql-from-strings-13",
    number: 5,
    path: "src/db/users.ts",
    side: "new",
    startLine: 13,
    endLine: 13,
    others: [{ identity: "id-20", side: "new", startLine: 20, endLine: 21 }],
    title: "Query from text",
    words: [],
    severity: "major",
    category: "security",
    rule: "sql-from-strings",
    source: "floor",
    sources: [
      {
        title: "Query from text",
        body: "Attackers choose the name.",
        severity: finding.severity,
        category: "security",
        suggestion: finding.suggestion,
        confidence: finding.confidence,
        evidence: finding.evidence,
        source: "floor",
        rule: "sql-from-strings",
        pass: finding.pass,
      },
    ],
    state: "open",
    thread: null,
  });
});

test("all reports of a merged finding are left, so that the next review judges each of them again", () => {
  const rule = sampleFinding({ title: "Query from text", severity: "medium" });
  const model = sampleFinding({ title: "Injection", rule: null, source: "model", severity: "critical" });
  const left = leftOf(sampleJudged(rule, sampleAnchor(), { severity: "critical", sources: [rule, model] }));
  assert.deepEqual(
    left?.sources?.map(({ source, title, severity }) => [source, title, severity]),
    [
      ["floor", "Query from text", "medium"],
      ["model", "Injection", "critical"],
    ],
  );
});

test("an open finding is left with the severity of this review, and with its reports", () => {
  const open = openFinding({ severity: "minor" });
  const judged = { ...open.judged, severity: "critical" as const };
  const settled = settledOf([{ ...open, judged }]);
  const publication = samplePublication({ change: CHANGE, judged: [], dropped: [], settled });
  const [left] = leave({ prior: { runs: [], findings: [open.prior] }, publication, settled }).findings;
  assert.equal(left?.severity, "critical");
  assert.deepEqual(
    left?.sources?.map(({ title, rule }) => [title, rule]),
    [["Reported before", "sql-from-strings"]],
  );
});

test("a model's finding is left with words to recognize it by", () => {
  const finding = sampleFinding({
    title: "Query from text",
    body: "Attackers choose the name.",
    rule: null,
    source: "model",
  });
  const words = leftOf(sampleJudged(finding, sampleAnchor()))?.words ?? [];
  assert.ok(words.length > 3, words.join(" "));
});

test("a finding without a place is left without lines", () => {
  const left = leftOf(sampleJudged(sampleFinding(), null));
  assert.deepEqual(
    [left?.path, left?.side, left?.startLine, left?.endLine],
    ["src/db/users.ts", null, null, null],
  );
});

test("numbers stay: new findings get the next ones, and one that is back has its own again", () => {
  const before = priorFinding({ identity: "back", number: 2, state: "verified", words: ["earlier"] });
  const prior: PriorReview = {
    runs: [],
    findings: [
      priorFinding({ identity: "first", number: 1 }),
      before,
      priorFinding({ identity: "third", number: 3 }),
    ],
  };
  const judged = [
    sampleJudged(sampleFinding(), sampleAnchor(), { id: "new" }),
    sampleJudged(sampleFinding({ severity: "minor" }), sampleAnchor(), { id: "back", reopens: before }),
  ];
  const publication = samplePublication({ change: CHANGE, judged, dropped: [], lastNumber: 3 });
  const { findings } = leave({ prior, publication });
  assert.deepEqual(
    findings.map(({ identity, number, state }) => `${number} ${identity} ${state}`).toSorted(),
    ["1 first open", "2 back open", "3 third open", "4 new open"],
  );
  assert.ok(findings.find(({ identity }) => identity === "back")?.words.includes("earlier"));
});

test("states and places of earlier findings are those of this review, and the rest of them stays", () => {
  const open = openFinding({ identity: "open", thread: threadAt("https://e.example/1") }, "addressed");
  const moved = {
    ...open,
    place: { path: "src/moved.ts", side: "old", startLine: 30, endLine: 31 } as const,
  };
  const fixed = priorFinding({ identity: "fixed", number: 2 });
  const hushed = priorFinding({ identity: "hushed", number: 3 });
  const gone = openFinding({ identity: "gone", number: 4 }, "addressed");
  const settled: Settled = {
    stillOpen: [moved, { ...gone, place: null }],
    hidden: [{ prior: hushed, state: "ignored", because: "a demo" }],
    resolved: [{ prior: fixed, state: "verified", because: "its rule ran again and no longer finds it" }],
    places: new Map<string, Place>([
      ["open", moved.place],
      ["hushed", { path: "src/db/users.ts", side: "new", startLine: 40, endLine: 40 }],
    ]),
    words: new Map([["open", ["other"]]]),
  };
  const prior: PriorReview = { runs: [], findings: [open.prior, fixed, hushed, gone.prior] };
  const publication = samplePublication({ change: CHANGE, judged: [], dropped: [], settled });
  const left = leave({ prior, publication, settled }).findings.map(
    ({ sources: _sources, ...finding }) => finding,
  );
  assert.deepEqual(left, [
    { ...open.prior, ...moved.place, words: [...open.prior.words, "other"], state: "addressed" },
    { ...fixed, state: "verified" },
    { ...hushed, startLine: 40, endLine: 40, state: "ignored" },
    { ...gone.prior, state: "addressed" },
  ]);
});

test("all lines of an earlier finding move with the code, so that the review after this one finds them", () => {
  const lines = ["+first(query);", "+between();", "+second(query);"];
  const before = [changedFile({ path: "a.ts", lines })];
  const now = [changedFile({ path: "a.ts", lines: ["+// new", "+// lines", ...lines] })];
  const others = [{ identity: "second", side: "new", startLine: 3, endLine: 3 } as const];
  const finding = priorFinding({ identity: "first", path: "a.ts", startLine: 1, endLine: 1, others });
  const prior: PriorReview = { runs: [priorRun({ files: before })], findings: [finding] };
  const located = locatePrior(prior, createPlaceMap(now, before));
  const settled = settlePrior(located, [], new Map());
  const [left] = leave({ change: sampleChange(now), prior, settled }).findings;
  assert.deepEqual([left?.startLine, left?.others.map(({ startLine }) => startLine)], [3, [5]]);
});

test("a review leaves a valid prior review", () => {
  const publication = samplePublication();
  const prior: PriorReview = { runs: [priorRun()], findings: [priorFinding()] };
  const left = leave({ publication, prior });
  assert.deepEqual(PriorReviewSchema.parse(JSON.parse(JSON.stringify(left))), left);
});
