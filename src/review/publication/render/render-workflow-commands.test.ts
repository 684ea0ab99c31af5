import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { SEVERITIES, type Severity } from "../../../base/severity.ts";
import {
  againPublication,
  sampleAnchor,
  sampleFinding,
  sampleJudged,
  samplePublication,
  SAMPLE_PUBLICATIONS,
} from "../../../../test/support/sample-publication.ts";
import { describeContents } from "../describe-contents.ts";
import { renderWorkflowCommands } from "./render-workflow-commands.ts";
import { someRuns } from "../../../../test/support/extent.ts";

function lines(...judged: Parameters<typeof sampleJudged>[]): string[] {
  const publication = samplePublication({
    judged: judged.map((parts) => sampleJudged(...parts)),
    dropped: [],
  });
  return renderWorkflowCommands(publication).trimEnd().split("\n");
}

test("github: each kind of finding, then the verdict", () => {
  assert.deepEqual(
    renderWorkflowCommands(samplePublication())
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/(?<=^::.*?::.{75}).*/, "")),
    [
      "::error file=src/db/users.ts,line=13,endLine=13,title=Critical%3A SQL is built from a string::The name is put into the statement unescaped. An attacker who chooses it ca",
      "::warning file=src/db/users.ts,title=Medium%3A The retry never ends::Couldn't be placed on a line. It loops until the pool answers.",
      "::warning file=src/session.ts,line=11,endLine=13,title=Medium%3A Errors are swallowed by an empty catch::A token that can't be decoded leaves `session` unchanged, so the caller con",
      "::warning file=test/login.test.ts,line=11,endLine=11,title=Medium%3A A test was removed::About removed code (line 11 before the change). `refuses a wrong password` ",
      "::warning file=src/db/users.ts,title=Medium%3A Source changed without its test::No test under `test/` names `users`.",
      "::notice file=src/db/users.ts,line=11,endLine=11,title=Minor%3A The timeout is a bare number::Give it a name with its unit.",
      "::notice title=Kodiai::6 findings (1 critical, 4 medium, 1 minor) in 3 of 5 files%0A%0A3 files to ",
    ],
  );
});

test("github: findings that are still open are annotated after the new ones, and resolved ones are counted", () => {
  const output = renderWorkflowCommands(againPublication()).trimEnd().split("\n");
  assert.deepEqual(
    output.slice(0, -1).map((line) => /^::(\w+) [^:]*title=([^:]*(?:%3A[^:]*)?)::/.exec(line)?.slice(1)),
    [
      ["error", "Critical%3A SQL is built from a string"],
      ["error", "Critical%3A The retry never ends"],
      ["warning", "Major%3A Errors are swallowed"],
      ["notice", "Minor%3A The name is too short"],
    ],
  );
  assert.equal(
    output.at(-1)?.split("%0A%0A3 files to read", 1)[0],
    "::notice title=Kodiai::1 new finding (1 critical) in 1 of 5 files; 3 more still open; 1 ignored or suppressed; 1 resolved" +
      "%0A%0ARead: 1 of 5 files since 1a2b3c4 (2 read before)",
  );
});

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`github: ${name} ends with its verdict`, () => {
    const { verdict, change, details, overview } = compose();
    const scope = name === "again" ? "%0A%0ARead: 1 of 5 files since 1a2b3c4 (2 read before)" : "";
    const lines = overview.length > 0 ? [] : describeContents(change.contents, details.riskSignals);
    const contents = lines.length === 0 ? "" : `%0A%0A${lines.join("%0A")}`;
    const hiding =
      name === "memory"
        ? "%0A%0ASuppressed by feedback: s12: A comment says nothing, until 2027-06-30, hides 1 finding here. To undo: kodiai memory forget s12"
        : "";
    const text = renderWorkflowCommands(compose());
    assert.ok(
      text.endsWith(`::notice title=Kodiai::${verdict.headline}${scope}${contents}${hiding}\n`),
      text,
    );
  });
}

const LEVELS: Readonly<Record<Severity, string>> = {
  critical: "error",
  "must-fix": "error",
  major: "warning",
  medium: "warning",
  minor: "notice",
};
for (const severity of SEVERITIES) {
  test(`github: ${severity} is ${LEVELS[severity]}`, () => {
    assert.ok(lines([sampleFinding({ severity }), sampleAnchor()])[0]?.startsWith(`::${LEVELS[severity]} `));
  });
}

const ESCAPES: readonly [string, string, string][] = [
  ["percent first", "100%0A", "100%250A"],
  ["line feed", "a\nb", "a%0Ab"],
  ["carriage return", "a\r\nb\rc", "a%0Ab%0Ac"],
  ["colons and commas stay in messages", "a:b,c", "a:b,c"],
  ["control characters", "a\u001b[0m", "a\\x1b[0m"],
];
for (const [name, body, expected] of ESCAPES) {
  test(`github: message, ${name}`, () =>
    assert.ok(lines([sampleFinding({ body }), sampleAnchor()])[0]?.endsWith(`::${expected}`)));
}

test("github: properties escape their separators", () => {
  const path = "a,line=1::b%c\nd.ts";
  const [line] = lines([sampleFinding({ path, title: "x, y: z" }), null]);
  assert.ok(line?.startsWith("::error file=a%2Cline=1%3A%3Ab%25c\\nd.ts,title=Critical%3A x%2C y%3A z::"));
});

test("github: no text of a finding starts another command or ends its own", () => {
  const pieces = fc.constantFrom(
    "::",
    "\n",
    "\r",
    "\r\n",
    "%0A",
    "::error::",
    "##[error]",
    "::stop-commands::x",
    "\u2028",
    "\u0085",
    ",",
    "=",
    " ",
    "x",
  );
  const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, hostile, (title, body, path) => {
      const output = lines([sampleFinding({ title, body, path, quote: "q" }), null]);
      assert.equal(output.length, 2);
      const [, properties, message] = /^::error ([^:]*)::(.*)$/u.exec(output[0] ?? "") ?? [];
      assert.ok(properties !== undefined && message !== undefined);
      assert.deepEqual(
        properties.split(",").map((part) => part.split("=", 1)[0]),
        ["file", "title"],
      );
      assert.doesNotMatch(output.join(""), /[\n\r\u0085\u2028]/);
    }),
    { numRuns: someRuns(500) },
  );
});

test("github: past the limit the rest is counted, and details come last", () => {
  const many = (severity: Severity, number: number) =>
    Array.from({ length: number }, (_, index) =>
      sampleJudged(sampleFinding({ severity, title: `${severity} ${index}` }), sampleAnchor(), {
        id: `${severity}${index}`,
      }),
    );
  const last = sampleJudged(sampleFinding({ title: "in the details" }), sampleAnchor(), {
    placement: "details",
    priority: 1,
    id: "d",
  });
  const publication = samplePublication({
    judged: [last, ...many("critical", 12), ...many("minor", 9)],
    dropped: [],
  });
  const output = renderWorkflowCommands(publication).trimEnd().split("\n");
  assert.equal(output.filter((line) => line.startsWith("::error ")).length, 10);
  assert.equal(output.filter((line) => line.startsWith("::notice ")).length, 10);
  assert.ok(!output.some((line) => line.includes("in the details")));
  assert.match(
    output.at(-2) ?? "",
    /GitHub shows at most 10 annotations per level and step; 3 more errors and 1 more notice not shown\./,
  );
});

test("github: the model's summary isn't an annotation", () => {
  const overview = [{ pass: "review", text: "Adds tax to orders." }];
  const text = renderWorkflowCommands(samplePublication({ overview }));
  assert.doesNotMatch(text, /Adds tax|files to read/);
  assert.match(text, /in 3 of 5 files\n$/);
});
