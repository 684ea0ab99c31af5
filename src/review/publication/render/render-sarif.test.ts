import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Ajv } from "ajv";
import { DESCRIPTION_PATH } from "../../findings/description-path.ts";
import { openFinding, priorFinding, settledOf } from "../../../../test/support/prior-fixtures.ts";
import {
  againPublication,
  sampleAnchor,
  sampleChange,
  sampleDropped,
  sampleFile,
  sampleFinding,
  sampleJudged,
  samplePublication,
  SAMPLE_PUBLICATIONS,
  SINCE,
} from "../../../../test/support/sample-publication.ts";
import type { Publication } from "../publication.ts";
import { renderSarif, type SarifRule } from "./render-sarif.ts";

const SCHEMA_FILE = createRequire(import.meta.url).resolve(
  "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
);

/** The official schema is draft 4: of it only `id` and `$schema` mean something else to a newer validator. */
function loadSchema(): object {
  const {
    id: _id,
    $schema: _schema,
    ...schema
  } = JSON.parse(readFileSync(SCHEMA_FILE, "utf8")) as Record<string, unknown>;
  return schema;
}

const validate = new Ajv({
  strict: false,
  // One of its patterns is not valid with the unicode flag.
  unicodeRegExp: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/,
    "date-time": /^\d{4}-/,
  },
}).compile(loadSchema());

const RULES: readonly SarifRule[] = [
  {
    id: "sql-from-strings",
    title: "SQL is built from a string",
    why: "Anyone can inject.",
    fix: "Use parameters.",
    severity: "critical",
    category: "security",
  },
  {
    id: "empty-catch",
    title: "Empty catch",
    why: "Errors vanish.",
    fix: "Handle it.",
    severity: "medium",
    category: "reliability",
  },
];

type Result = {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations?: {
    physicalLocation: {
      artifactLocation: { uri: string; uriBaseId: string };
      region?: { [key: string]: unknown };
    };
  }[];
  partialFingerprints: { [key: string]: string };
  baselineState?: string;
  properties: { [key: string]: unknown };
  fixes?: { artifactChanges: { replacements: unknown[] }[] }[];
  suppressions?: { kind: string; justification: string }[];
};
type Run = {
  results: Result[];
  properties: { overview: unknown; scope: unknown; resolved: unknown };
  tool: {
    driver: {
      rules: {
        id: string;
        defaultConfiguration: { level: string };
        properties: { [key: string]: unknown };
      }[];
    };
  };
  invocations: {
    executionSuccessful: boolean;
    toolExecutionNotifications: { message: { text: string } }[];
    toolConfigurationNotifications: unknown[];
  }[];
};

function run(publication: Publication): Run {
  const log: unknown = JSON.parse(renderSarif(publication, RULES));
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 2));
  const [only, ...others] = (log as { runs: Run[] }).runs;
  assert.ok(only !== undefined && others.length === 0);
  return only;
}

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`sarif: ${name} is valid by the official schema`, () => {
    const { results, tool, invocations } = run(compose());
    for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex]?.id, ruleId);
    assert.equal(invocations[0]?.executionSuccessful, compose().receipt.coverage.isComplete);
  });
}

test("sarif: the validator refuses a broken log", () => {
  const log = JSON.parse(renderSarif(samplePublication(), RULES)) as {
    runs: { results: Record<string, unknown>[] }[];
  };
  delete log.runs[0]?.results[0]?.["message"];
  assert.ok(!validate(log));
});

test("sarif: levels, places and fingerprints of each kind of finding", () => {
  const table = run(samplePublication()).results.map(({ ruleId, level, locations, partialFingerprints }) => {
    const place = locations?.[0]?.physicalLocation;
    return [
      ruleId,
      level,
      place?.artifactLocation.uri,
      place?.region?.["startLine"] ?? null,
      place?.region?.["endLine"] ?? null,
      Object.keys(partialFingerprints)[0],
    ];
  });
  assert.deepEqual(table, [
    ["sql-from-strings", "error", "src/db/users.ts", 13, 13, "kodiai/v1"],
    ["model/correctness", "warning", "src/db/users.ts", null, null, "kodiai/v1"],
    ["empty-catch", "warning", "src/session.ts", 11, 13, "kodiai/v1"],
    ["removed-test", "warning", "test/login.test.ts", 11, null, "kodiai/v1"],
    ["untested-source", "warning", "src/db/users.ts", null, null, "kodiai/v1"],
    ["magic-number", "note", "src/db/users.ts", 11, 11, "kodiai/v1"],
    ["debugger", "warning", "src/db/users.ts", 13, 13, "kodiai/v1"],
  ]);
});

test("sarif: the message explains places that a location can't express", () => {
  const texts = run(samplePublication()).results.map(({ message }) => message.text);
  assert.match(
    texts.find((text) => text.startsWith("A test was removed")) ?? "",
    /About removed code \(line 11 before the change\)/,
  );
  assert.match(
    texts.find((text) => text.startsWith("The retry never ends")) ?? "",
    /Couldn't be placed on a line/,
  );
  assert.doesNotMatch(texts.find((text) => text.startsWith("Source changed")) ?? "", /Couldn't be placed/);
});

test("sarif: security rules carry a score, others none", () => {
  const { rules } = run(samplePublication()).tool.driver;
  assert.equal(rules[0]?.properties["security-severity"], "9.5");
  assert.equal(rules[0]?.defaultConfiguration.level, "error");
  assert.ok(!("security-severity" in (rules[1]?.properties ?? {})));
});

test("sarif: only verified suggestions become fixes, and an empty one deletes the lines", () => {
  const { results } = run(samplePublication());
  assert.deepEqual(
    results.filter(({ fixes }) => fixes !== undefined).map(({ ruleId }) => ruleId),
    ["sql-from-strings"],
  );
  const deletion = sampleJudged(sampleFinding(), sampleAnchor(), {
    suggestion: { kind: "verified", replacement: "" },
  });
  const [result] = run(samplePublication({ judged: [deletion], dropped: [] })).results;
  assert.deepEqual(result?.fixes?.[0]?.artifactChanges[0]?.replacements, [
    {
      deletedRegion: { startLine: 13, startColumn: 1, endLine: 14, endColumn: 1 },
      insertedContent: { text: "" },
    },
  ]);
});

test("sarif: suppressed findings are marked as suppressed, other dropped ones are left out", () => {
  const dropped = (
    ["suppressed:in-code", "suppressed:config", "suppressed:feedback", "dropped:duplicate"] as const
  ).map((reason) => sampleDropped({ id: reason, reason, detail: reason }));
  const { results } = run(samplePublication({ judged: [], dropped }));
  assert.deepEqual(
    results.map(({ suppressions }) => [suppressions?.[0]?.kind, suppressions?.[0]?.justification]),
    [
      ["inSource", "suppressed:in-code"],
      ["external", "suppressed:config"],
      ["external", "suppressed:feedback"],
    ],
  );
});

test("sarif: degradations, unread lines and configuration problems are notifications", () => {
  const [invocation] = run(SAMPLE_PUBLICATIONS["incomplete"]?.() ?? samplePublication()).invocations;
  const texts = invocation?.toolExecutionNotifications.map(({ message }) => message.text);
  assert.deepEqual(texts, [
    "rule empty-catch: failed on src/session.ts",
    "Skipped: 48,211 lines in 1 file (file too large)",
    "Skipped: 3 lines in 1 file (a rule failed)",
    "Not checked: ruff, 2 files (not installed; to install it, run npm install @example/ruff)",
    "Not checked: advisories (look-ups are turned off)",
    "main is its own base: reading its last commit",
  ]);
  assert.equal(invocation?.toolConfigurationNotifications.length, 1);
});

test("sarif: lines that only rules have read are a notification, and the model's summary is a property of the run", () => {
  const parts = SAMPLE_PUBLICATIONS["parts"]?.() ?? assert.fail();
  const [invocation] = run(parts).invocations;
  const texts = invocation?.toolExecutionNotifications.map(({ message }) => message.text) ?? [];
  assert.deepEqual(texts.slice(-2), [
    "Reviewed by built-in rules only: 1 line in 1 file (the model failed)",
    "Skipped: 1 file (time ran out)",
  ]);
  const overview = [{ pass: "review", text: "Adds [tax](https://e.example).\u202e" }];
  const { properties } = run(samplePublication({ overview }));
  assert.deepEqual(properties.overview, [
    { pass: "review", text: "Adds [tax] (https://e.example).\\u{202e}" },
  ]);
});

const URIS: readonly [string, string][] = [
  ["src/a b.ts", "src/a%20b.ts"],
  ["C:/x", "C%3A/x"],
  ["ä/#1?.ts", "%C3%A4/%231%3F.ts"],
  ["caf\udce9/\udcff.ts", "caf%E9/%FF.ts"],
  ["a\nb%", "a%0Ab%25"],
  ["\ud800", "%EF%BF%BD"],
];
for (const [path, uri] of URIS) {
  test(`sarif: uri of ${JSON.stringify(path)}`, () => {
    const judged = [
      sampleJudged(sampleFinding({ path }), sampleAnchor({ path, startLine: 10, endLine: 10, lines: ["x"] })),
    ];
    const [result] = run(
      samplePublication({ change: sampleChange([sampleFile(path, ["+x"])]), judged, dropped: [] }),
    ).results;
    assert.deepEqual(result?.locations?.[0]?.physicalLocation.artifactLocation, {
      uri,
      uriBaseId: "SRCROOT",
    });
  });
}

test("sarif: removed code of a deleted file is located on the file", () => {
  const file = sampleFile("gone.ts", ["-x"], { status: "deleted" });
  const anchor = sampleAnchor({ path: "gone.ts", side: "old", startLine: 10, endLine: 10, lines: ["x"] });
  const [result] = run(
    samplePublication({
      change: sampleChange([file]),
      judged: [sampleJudged(sampleFinding(), anchor)],
      dropped: [],
    }),
  ).results;
  assert.equal(result?.locations?.[0]?.physicalLocation.region, undefined);
});

test("sarif: messages contain no links", () => {
  const judged = [
    sampleJudged(sampleFinding({ title: "[x](1)", body: "[y](https://e.example)\u202e" }), sampleAnchor()),
  ];
  const [result] = run(samplePublication({ judged, dropped: [] })).results;
  assert.ok(!result?.message.text.includes("]("));
  assert.ok(result?.message.text.includes("\\u{202e}"));
});

test("sarif: after an earlier review every result has a baseline state, and open findings are unchanged", () => {
  const dropped = [
    sampleDropped({ id: "id-ignored", reason: "suppressed:in-code" }),
    sampleDropped({ id: "id-other", reason: "suppressed:config" }),
  ];
  const ignored = {
    prior: priorFinding({ identity: "id-ignored" }),
    state: "ignored",
    because: "ok",
  } as const;
  const fixed = {
    prior: priorFinding({ identity: "id-fixed", number: 2 }),
    state: "verified",
    because: "ok",
  } as const;
  const open = openFinding({ identity: "id-open", number: 4, rule: "semgrep/eval", source: "sarif" });
  const { results, tool, properties } = run(
    againPublication({ dropped, settled: settledOf([open], [fixed], [ignored]) }),
  );
  assert.deepEqual(
    results.map(({ partialFingerprints, baselineState, properties: { number } }) => [
      partialFingerprints["kodiai/v1"],
      baselineState,
      number ?? null,
    ]),
    [
      ["id-sql-from-strings-13", "new", 6],
      ["id-open", "unchanged", 4],
      ["id-ignored", "unchanged", null],
      ["id-other", "new", null],
    ],
  );
  assert.equal(tool.driver.rules[results[1]?.ruleIndex ?? -1]?.id, "semgrep/eval");
  assert.deepEqual(properties.scope, { full: null, since: SINCE });
  assert.deepEqual(properties.resolved, [
    { id: "id-fixed", number: 2, title: "Reported before", because: "ok" },
  ]);
});

test("sarif: a first review has no baseline", () => {
  const { results } = run(samplePublication());
  assert.ok(results.length > 0 && results.every((result) => !("baselineState" in result)));
});

test("sarif: an open finding is explained, and is where its code is now", () => {
  const place = { path: "src/new.ts", startLine: 20, endLine: 22 };
  const settled = settledOf([
    openFinding({ number: 1, ...place }),
    openFinding({ number: 2, ...place, side: "old" }),
    openFinding({ number: 3, side: null, startLine: null, endLine: null }),
    openFinding({ number: 4, path: DESCRIPTION_PATH, side: null, startLine: null, endLine: null }),
  ]);
  const { results } = run(againPublication({ judged: [], settled }));
  assert.deepEqual(
    results.map(({ message, locations }) => [message.text, locations?.[0]?.physicalLocation]),
    [
      [
        "Reported before. It matters.",
        {
          artifactLocation: { uri: "src/new.ts", uriBaseId: "SRCROOT" },
          region: { startLine: 20, endLine: 22, snippet: { text: "the code" } },
        },
      ],
      [
        "Reported before. About removed code (line 20 before the change). It matters.",
        { artifactLocation: { uri: "src/new.ts", uriBaseId: "SRCROOT" } },
      ],
      [
        "Reported before. It matters.",
        { artifactLocation: { uri: "src/db/users.ts", uriBaseId: "SRCROOT" } },
      ],
      ["Reported before. It matters.", undefined],
    ],
  );
});
