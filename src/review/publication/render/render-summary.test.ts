import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cleanPublication,
  sampleAnchor,
  sampleDropped,
  sampleFinding,
  sampleJudged,
  samplePublication,
  modelPass,
} from "../../../../test/support/sample-publication.ts";
import { openFinding, priorFinding, settledOf, threadAt } from "../../../../test/support/prior-fixtures.ts";
import type { JudgedFinding } from "../../findings/finding.ts";
import { NO_LINKS } from "./links.ts";
import { MAX_MARKDOWN_COMMENT_CHARS } from "./markdown-blocks.ts";
import type { Publication } from "../publication.ts";
import { renderSummary, type SummaryOptions } from "./render-summary.ts";

const ALL_INLINE: SummaryOptions = {
  isInline: ({ placement }) => placement === "inline",
  movedReasons: new Map(),
  isAnnotated: () => false,
  threads: new Map(),
  links: NO_LINKS,
  mention: "@kodiai",
  stateChars: 0,
};

/** The forge adds its marker to the summary. */
const MAX_CHARS = MAX_MARKDOWN_COMMENT_CHARS - 400;

/** The text between a heading and the next heading or block. */
function section(summary: string, heading: string): string {
  const start = summary.indexOf(`### ${heading}`);
  assert.notEqual(start, -1, `${heading} is there`);
  return summary.slice(start).split(/\n(?=### |<details>|\| )/)[0] ?? "";
}

function reasonFor(publication: Publication, id: string, reason: string): SummaryOptions {
  assert.ok(publication.findings.some((finding) => finding.id === id));
  return {
    ...ALL_INLINE,
    isInline: (finding) => finding.placement === "inline" && finding.id !== id,
    movedReasons: new Map([[id, reason]]),
  };
}

test("a finding with a comment is in the table, without its explanation and its code", () => {
  const summary = renderSummary(samplePublication(), ALL_INLINE);
  assert.match(summary, /^\| 1 \| Critical \| SQL is built from a string \| `src\/db\/users\.ts:13` \|$/m);
  assert.doesNotMatch(summary, /put into the statement|client\.query|nothing else checks it/);
  assert.doesNotMatch(summary, /Shown here because/);
});

test("a finding without a comment is shown in full", () => {
  const summary = renderSummary(samplePublication(), ALL_INLINE);
  assert.match(section(summary, "Couldn't be placed on a line"), /It loops until the pool answers\./);
  assert.match(section(summary, "About whole files"), /No test under `test\/` names `users`\./);
});

test("a finding whose line was refused is shown in full, with the reason", () => {
  const publication = samplePublication();
  const options = reasonFor(publication, "id-sql-from-strings-13", "line is not part of the @diff");
  const critical = section(renderSummary(publication, options), "Without a line comment");
  assert.match(critical, /^\*\*\(1\) Critical: SQL is built from a string\*\*$/m);
  assert.match(critical, /The name is put into the statement/);
  assert.match(
    critical,
    /^\+ {3}return client\.query\("SELECT \* FROM users WHERE name = \$1", \[name\]\);$/m,
  );
  assert.match(critical, /^Shown here because line is not part of the @&#8203;diff\.$/m);
});

test("findings of every placement are in the table or in the list once", () => {
  const publication = samplePublication();
  const summary = renderSummary(publication, ALL_INLINE);
  const rows = summary.split("\n").filter((line) => /^\| \d|^- \(/.test(line));
  assert.equal(publication.findings.length, 6);
  for (const { finding, number } of publication.findings)
    assert.equal(rows.filter((row) => row.includes(finding.title)).length, 1, `${number} ${finding.title}`);
});

test("open findings of an earlier review have a separate section, most severe first, with their numbers and threads", () => {
  const url = "https://github.example/acme/shop/pull/7#discussion_r1";
  const open = [
    openFinding({ number: 1, title: "First", severity: "minor" }),
    openFinding({ number: 4, title: "Fourth", side: null, startLine: null, endLine: null }),
    openFinding({ number: 2, title: "Second", thread: threadAt(url) }, "addressed"),
  ];
  const summary = renderSummary(samplePublication({ judged: [], settled: settledOf(open) }), ALL_INLINE);
  assert.equal(
    section(summary, "Still open"),
    [
      "### Still open (3)",
      "",
      `- (2) Major: Second, \`src/db/users.ts:13\` ([thread](${url})) (its code changed; the fix isn't confirmed)`,
      "- (4) Major: Fourth, `src/db/users.ts`",
      "- (1) Minor: First, `src/db/users.ts:13`",
      "",
    ].join("\n"),
  );
});

test("an open finding is linked where it is now, on its own side", () => {
  const links = { ...NO_LINKS, repositoryUrl: "https://github.example/a/b", base: "b1", head: "h1" };
  const here = { path: "src/new.ts", startLine: 20, endLine: 22 };
  const open = [
    { ...openFinding({ number: 1 }), place: { ...here, side: "new" as const } },
    { ...openFinding({ number: 2 }), place: { ...here, side: "old" as const } },
  ];
  const summary = renderSummary(samplePublication({ judged: [], settled: settledOf(open) }), {
    ...ALL_INLINE,
    links,
  });
  const [first, second] = section(summary, "Still open").split("\n").slice(2);
  assert.equal(
    first,
    "- (1) Major: Reported before, [`src/new.ts:20`](https://github.example/a/b/blob/h1/src/new.ts#L20-L22)",
  );
  assert.match(second ?? "", /\/blob\/b1\/src\/new\.ts#L20-L22\)$/);
});

test("resolved findings are named once, with the reason", () => {
  const prior = priorFinding({ number: 2, title: "Fixed" });
  const resolved = [{ prior, state: "verified" as const, because: "its code was changed" }];
  const summary = renderSummary(
    samplePublication({ judged: [], settled: settledOf([], resolved) }),
    ALL_INLINE,
  );
  assert.equal(
    section(summary, "Resolved"),
    "### Resolved (1) in `222222222222`\n\n- (2) Fixed, `src/db/users.ts`: its code was changed\n\n",
  );
  assert.doesNotMatch(summary, /Still open/);
});

test("findings of one rule are explained once, and in the list only if nothing else explains them", () => {
  const why = "An attacker can read any row.\n\nPass it as a parameter.";
  const found = (file: string, more: Partial<JudgedFinding> = {}) =>
    sampleJudged(
      sampleFinding({ path: `${file}.ts`, title: `SQL in ${file}`, body: `${file} is interpolated. ${why}` }),
      sampleAnchor({ path: `${file}.ts` }),
      { id: file, ...more },
    );
  const judged = [found("a"), found("b", { priority: 0.3 }), found("c", { placement: "details" })];
  const summary = renderSummary(samplePublication({ judged }), { ...ALL_INLINE, isInline: () => false });
  const shown = section(summary, "Without a line comment");
  assert.equal(shown.split("An attacker can read any row").length, 2);
  assert.match(shown, /\(\d\) Critical: SQL in b\*\*\n\n`b\.ts:13` · [^\n]+\n\nb is interpolated\.\n/);
  const listOf = (text: string): string => text.slice(text.indexOf("More findings (1)"));
  assert.match(
    listOf(summary),
    /^ {2}c is interpolated\. An attacker can read any row\. Pass it as a parameter\.$/m,
  );
  const annotated = renderSummary(samplePublication({ judged }), { ...ALL_INLINE, isAnnotated: () => true });
  assert.match(listOf(annotated), /^- \(\d\) Critical: SQL in c, `c\.ts:13`$/m);
  assert.doesNotMatch(listOf(annotated), /is interpolated/);
});

test("without earlier findings there is no section", () => {
  const publication = samplePublication({ dropped: [sampleDropped()] });
  assert.doesNotMatch(renderSummary(publication, ALL_INLINE), /Still open|### Resolved/);
});

test("many findings that are still open are collapsed after the first thirty, and none is left out", () => {
  const settled = settledOf(Array.from({ length: 45 }, () => openFinding()));
  const open = renderSummary(samplePublication({ judged: [], settled }), ALL_INLINE);
  assert.match(open, /### Still open \(45\)/);
  const [shown, collapsed] = open.split("<details>\n<summary>More still open (15)</summary>");
  assert.equal(shown?.match(/Reported before/g)?.length, 30);
  assert.equal(collapsed?.split("</details>")[0]?.match(/Reported before/g)?.length, 15);
});

test("a summary without findings is the verdict and the details", () => {
  const summary = renderSummary(cleanPublication(), ALL_INLINE);
  assert.match(
    summary,
    /^## Kodiai\n\n\*\*No findings in 2 files \(6 added lines reviewed by [^*]*\)\*\*\n\n- 2 files to read, 8 changed lines: source \(TypeScript\)\.\n- Needs attention: .+\n\n<details>/,
  );
  assert.match(summary, /<\/details>\n\n<sub>`@kodiai help` lists the commands · [^\n]+<\/sub>\n$/);
});

test("the model's summary comes after the verdict and before the findings, escaped, part by part", () => {
  const live = "Adds tax. Ask @octocat about #12, ![x](https://e.example/x.png) <b>";
  const one = renderSummary(samplePublication({ overview: [{ pass: "review", text: live }] }), ALL_INLINE);
  assert.match(
    one,
    /^## Kodiai\n\n\*\*[^*]+\*\*\n\n### Summary by the model\n\nAdds tax\. Ask @&#8203;octocat about #&#8203;12, [^\n]+\n\n\| # \| Severity \|/,
  );
  assert.doesNotMatch(one, /!\[|<b>|\(https:/);
  const overview = ["part 1 of 2", "part 2 of 2"].map((pass) => ({ pass, text: `Adds ${pass}.` }));
  assert.equal(
    section(renderSummary(samplePublication({ overview }), ALL_INLINE), "Summary by the model"),
    [
      "### Summary by the model",
      "",
      "**part 1 of 2:** Adds part 1 of 2.",
      "",
      "**part 2 of 2:** Adds part 2 of 2.",
      "",
    ].join("\n"),
  );
});

test("without a model's summary, the facts of the diff are shown instead", () => {
  const summary = renderSummary(samplePublication(), ALL_INLINE);
  assert.doesNotMatch(summary, /Summary by the model/);
  assert.match(
    summary,
    /^- 3 files to read, 11 changed lines: 2 source \(TypeScript\) and 1 test\. Not counted: 1 lock file and 1 file without text\.$/m,
  );
});

test("hundreds of findings fit, those left out are counted, and the details stay", () => {
  const judged = Array.from({ length: 600 }, (_, index) =>
    sampleJudged(sampleFinding({ body: `Word ${index}. `.repeat(200) }), sampleAnchor(), {
      id: String(index).padStart(3, "0"),
    }),
  );
  const settled = settledOf(Array.from({ length: 300 }, () => openFinding()));
  for (const isInline of [true, false]) {
    const summary = renderSummary(samplePublication({ judged, settled }), {
      ...ALL_INLINE,
      isInline: () => isInline,
    });
    assert.ok(summary.length <= MAX_CHARS, `${summary.length} characters`);
    const listed = summary.match(/^\| \d+ \|/gm)?.length ?? 0;
    assert.ok(listed > 100);
    assert.match(summary, new RegExp(`_${judged.length - listed} more findings didn't fit in this table`));
    const shown = summary.match(/^\*\*\(\d+\)/gm)?.length ?? 0;
    if (!isInline)
      assert.match(summary, new RegExp(`_${judged.length - shown} more findings didn't fit in this comment`));
    assert.match(summary, /### Still open \(300\)/);
    assert.match(summary, /<summary>Review details<\/summary>[^]*<\/details>\n\n<sub>/);
  }
});

test("a finding too long for the comment is listed by its title, and hides none of the others", () => {
  const long = sampleFinding({ title: "A very long one" });
  // Escaping makes each character eight times as long.
  const anchor = sampleAnchor({ lines: Array.from({ length: 40 }, () => "\u200b".repeat(5_000)) });
  const judged = [
    sampleJudged(long, anchor, { id: "long" }),
    sampleJudged(sampleFinding({ title: "A short one", body: "Its text." }), sampleAnchor(), { id: "short" }),
  ];
  const summary = renderSummary(samplePublication({ judged }), { ...ALL_INLINE, isInline: () => false });
  assert.match(summary, /^\*\*\(\d\)\*\* A very long one, `/m);
  assert.match(summary, /A short one\*\*[^]*Its text\./);
  assert.doesNotMatch(summary, /not fit/);
  assert.ok(summary.length <= MAX_CHARS);
});

test("never over the limit, however the text grows by escaping", () => {
  const flood = "\u200b".repeat(1_500);
  const finding = sampleFinding({ title: flood, body: flood, path: flood, quote: flood });
  const anchor = sampleAnchor({ path: flood, lines: [flood] });
  const judged = ["a", "b", "c"].map((id) => sampleJudged(finding, anchor, { id, notes: [flood] }));
  const more = judged.map((one) => ({ ...one, id: `more ${one.id}`, placement: "details" as const }));
  const open = Array.from({ length: 60 }, () => openFinding({ title: flood, path: flood }));
  const resolved = open.map(({ prior }) => ({ prior, state: "verified" as const, because: flood }));
  const hidden = open.map(({ prior }) => ({ prior, state: "ignored" as const, because: flood }));
  const publication = samplePublication({
    judged: [...judged, ...more],
    settled: settledOf(open, resolved, hidden),
    configOrigin: flood,
    overview: Array.from({ length: 10 }, () => ({ pass: flood, text: flood })),
    passes: [modelPass(flood)],
    degradations: Array.from({ length: 60 }, () => ({ what: flood, message: flood, count: 2 })),
  });
  for (const [isInline, stateChars] of [
    [true, 0],
    [false, 0],
    [false, 24_000],
  ] as const) {
    const movedReasons = new Map(judged.map(({ id }) => [id, flood]));
    const options = { ...ALL_INLINE, isInline: () => isInline, movedReasons, stateChars };
    const summary = renderSummary(publication, options);
    assert.ok(summary.length + stateChars <= MAX_CHARS, `${summary.length} characters`);
    assert.match(summary, /### Still open \(60\)[^]*More still open \(\d+\)[^]*- … and \d+ more\n/);
  }
});
