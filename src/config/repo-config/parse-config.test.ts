import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIG_EXAMPLES } from "./config-examples.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { MAX_NESTED_FILES, parseConfigTree } from "./parse-config.ts";
import type { ConfigTree } from "./repo-config.ts";
import { RepoConfigSchema } from "./schema.ts";

function parseRoot(text: string | Uint8Array): ConfigTree {
  return parseConfigTree([{ path: ".kodiai.yml", text }]);
}

/** Problems as an editor would show them: "3:9 error message". */
function tell(tree: ConfigTree): readonly string[] {
  return tree.problems.map(
    ({ severity, line, column, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

test("nothing to say is all defaults", () => {
  for (const text of [
    "",
    "\n\n",
    "# only a comment\n",
    "---\n",
    "{}",
    "review:\n",
    "review:\n  triggers:\nfloor: {}\n",
  ]) {
    const tree = parseRoot(text);
    assert.deepEqual(tell(tree), [], JSON.stringify(text));
    assert.deepEqual(tree.root.values, DEFAULT_CONFIG);
    assert.equal(tree.root.isSet("review"), false);
    assert.deepEqual(tree.files, [".kodiai.yml"]);
  }
  assert.deepEqual(parseConfigTree([]).root.values, DEFAULT_CONFIG);
});

const MESSAGES: readonly {
  readonly name: string;
  readonly text: string;
  readonly told: readonly string[];
}[] = [
  {
    name: "a misspelt choice names the nearest",
    text: "review:\n  mode: strct\n",
    told: [
      '2:9 error review.mode: expected one of auto, strict, balanced, lenient, got "strct"; did you mean "strict"? (the default auto is used)',
    ],
  },
  {
    name: "a word that older YAML read as a boolean",
    text: "review:\n  drafts: yes\n",
    told: [
      '2:11 error review.drafts: expected true or false, got "yes"; did you mean true? (the default false is used)',
    ],
  },
  {
    name: "a number out of range, without a default",
    text: "# comment\n\nreview:\n  maxComments: 51\n",
    told: [
      "4:16 error review.maxComments: expected a whole number from 0 to 50, got 51; the key counts as not set",
    ],
  },
  {
    name: "a fraction where a whole number belongs",
    text: "timeoutSeconds: 60.5\n",
    told: [
      "1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got 60.5; the default 600 is used",
    ],
  },
  {
    name: "a quoted number",
    text: 'timeoutSeconds: "90"\n',
    told: [
      '1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got "90"; write it without quotes; the default 600 is used',
    ],
  },
  {
    name: "infinity and huge numbers",
    text: "timeoutSeconds: 1e999\nbudget:\n  perReviewUsd: 99999999999999999999999\n",
    told: [
      "1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got Infinity; the default 600 is used",
      "3:17 error budget.perReviewUsd: expected a number from 0 to 100000, got 1e+23; the key counts as not set",
      "3:17 warning budget: no model is used until this section is correct",
    ],
  },
  {
    name: "a key without a value",
    text: "review:\n  mode:\n  drafts: true\n",
    told: [
      "2:3 error review.mode: expected one of auto, strict, balanced, lenient, got nothing; the default auto is used",
    ],
  },
  {
    name: "a single value where a list belongs",
    text: "review:\n  skipPaths: dist/**\n",
    told: [
      '2:14 error review.skipPaths: expected a list, got "dist/**" alone; put it in brackets, as in ["dist/**"]; the default [] is used',
    ],
  },
  {
    name: "a number where text belongs, in a list",
    text: "review:\n  patterns:\n    customRules:\n      - 404\n      - Be kind.\n",
    told: [
      "4:9 error review.patterns.customRules[0]: expected text of 1 to 4000 characters, got 404; put it in quotes; the entry is left out",
    ],
  },
  {
    name: "text that is too long says how long",
    text: `model: ${"m".repeat(201)}\n`,
    told: [
      "1:8 error model: expected text of 1 to 200 characters, got 201 characters; the key counts as not set",
    ],
  },
  {
    name: "a section that is no mapping",
    text: "budget: 5\nreview: [a]\n",
    told: [
      "1:9 error budget: expected a mapping, got 5; the defaults of the section are used",
      "1:9 warning budget: no model is used until this section is correct",
      "2:9 error review: expected a mapping, got a list; the defaults of the section are used",
    ],
  },
  {
    name: "an entry that lacks a key, one with an unknown key",
    text: 'review:\n  pathInstructions:\n    - paths: ["a/**"]\n    - paths: ["b/**"]\n      instructions: Hi.\n      path: x\n',
    told: [
      '3:7 error review.pathInstructions[0]: needs the key "instructions"; the entry is left out',
      '6:7 warning review.pathInstructions[1].path: unknown key; did you mean "paths"?',
    ],
  },
  {
    name: "an unknown key near a known one",
    text: "review:\n  skipPath: []\n",
    told: ['2:3 warning review.skipPath: unknown key; did you mean "skipPaths"?'],
  },
  {
    name: "a key of another section beats a near one",
    text: "mode: strict\nreview:\n  minLevel: major\nfloor:\n  timeoutSeconds: 90\n",
    told: [
      "1:1 warning mode: unknown key; `mode` belongs under `review`",
      "3:3 warning review.minLevel: unknown key; `minLevel` belongs under `review.severity`",
      "5:3 warning floor.timeoutSeconds: unknown key; `timeoutSeconds` belongs at the top level",
    ],
  },
  {
    name: "a key near nothing lists what there is",
    text: "floor:\n  zzz: 1\n",
    told: ["2:3 warning floor.zzz: unknown key; known here: enabled, rules"],
  },
  {
    name: "merge keys",
    text: "review:\n  <<: { mode: strict }\n",
    told: ["2:3 warning review.<<: merge keys are not read; write the values out"],
  },
  {
    name: "aliases are not followed, tags are not read",
    text: "model: &m openai:x\nfallbackModels: [*m, openai:y]\ntimeoutSeconds: !!int 60\n",
    told: [
      "2:18 error fallbackModels[0]: expected text of 1 to 200 characters, got an alias (`*name`), which is not followed; write the value out, or put a glob in quotes; the entry is left out",
      "3:23 error timeoutSeconds: expected a whole number from 5 to 3600, got a tag (tag:yaml.org,2002:int), which is not read; the default 600 is used",
    ],
  },
  {
    name: "control and direction characters are shown as escapes",
    text: 'review:\n  mode: "a\\u202e\\u001b[31m"\n',
    told: [
      '2:9 error review.mode: expected one of auto, strict, balanced, lenient, got "a\\u{202e}\\u001b[31m"; the default auto is used',
    ],
  },
  {
    name: "globs and patterns beyond the limits",
    text: `review:\n  skipPaths:\n    - "${"{a,b}".repeat(12)}"\n    - "ok/**"\n    - "{1..9}"\n  suppressions:\n    - "regex:(?=x)"\n    - "regex:(a+)+$"\n    - "glob:{0..99999}"\n`,
    told: [
      '3:7 error review.skipPaths[0]: expected a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges, got "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,…; the entry is left out',
      '5:7 error review.skipPaths[2]: expected a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges, got "{1..9}"; the entry is left out',
      '7:7 error review.suppressions[0]: expected a regular expression after `regex:` in RE2 syntax (no look-around, no back-references, small repeat counts), got "regex:(?=x)"; the entry is left out',
      '9:7 error review.suppressions[2]: expected a usable glob after `glob:`, with at most 64 brace alternatives and no numeric ranges, got "glob:{0..99999}"; the entry is left out',
    ],
  },
  {
    name: "names of the language's own objects are only text",
    text: "__proto__:\n  polluted: true\nconstructor: 1\nfloor:\n  rules:\n    __proto__: off\n    toString: off\n",
    told: [
      "1:1 warning __proto__: unknown key; known here: review, floor, model, fallbackModels, timeoutSeconds, languageRules, fileCategories, largePR, budget, limits, prices, memory, feedback, dependencies, pack, deepReview, mentions, write, bots, telemetry",
      "3:1 warning constructor: unknown key; known here: review, floor, model, fallbackModels, timeoutSeconds, languageRules, fileCategories, largePR, budget, limits, prices, memory, feedback, dependencies, pack, deepReview, mentions, write, bots, telemetry",
      "6:5 error floor.rules.__proto__: is not a usable name; the entry is left out",
    ],
  },
  {
    name: "line ends of Windows",
    text: "# a\r\nreview:\r\n  mode: strict\r\n  mod: 1\r\n",
    told: ['4:3 warning review.mod: unknown key; did you mean "mode"?'],
  },
];

for (const { name, text, told } of MESSAGES) {
  test(`problem: ${name}`, () => {
    assert.deepEqual(tell(parseRoot(text)), told);
  });
}

test("a mistake leaves its neighbours alone", () => {
  const { root } = parseRoot(
    [
      "review:",
      "  mode: strct",
      "  failOn: major",
      "  severity: { minLevel: mjaor }",
      '  skipPaths: ["a/**", 7, "{1..9}", "b/**"]',
      "  suppressions: ['regex:(a+)+$', 'regex:(', plain]",
      "floor: { rules: { a: of, b: off, c: minor } }",
      "languageRules: { severityFloors: [{ match: x, severity: major, inTests: maybe }, { match: y }] }",
      "nonsense: 1",
      "timeoutSeconds: 90",
    ].join("\n"),
  );
  assert.deepEqual(root.values, {
    ...DEFAULT_CONFIG,
    review: {
      ...DEFAULT_CONFIG.review,
      failOn: "major",
      skipPaths: ["a/**", "b/**"],
      suppressions: ["regex:(a+)+$", "plain"],
    },
    floor: { enabled: true, rules: { b: "off", c: "minor" } },
    languageRules: {
      ...DEFAULT_CONFIG.languageRules,
      severityFloors: [{ match: "x", severity: "major", inTests: false, languages: [] }],
    },
    timeoutSeconds: 90,
  });
  assert.equal(root.isSet("review.mode"), false, "a bad value was not set");
  assert.equal(root.isSet("review.severity"), false);
});

test("nothing reaches a prototype", () => {
  const { root } = parseRoot(
    '"__proto__": { polluted: 1 }\nreview: { "__proto__": { polluted: 1 }, constructor: { prototype: { polluted: 1 } } }\nfloor: { rules: { "__proto__": off, constructor: off } }\nprices: { "__proto__": { inputUsd: 1, outputUsd: 1 } }\n',
  );
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Object.getPrototypeOf(root.values.floor.rules), Object.prototype);
  assert.deepEqual(Object.keys(root.values.floor.rules), ["constructor"]);
  assert.deepEqual(root.values.prices, {});
});

test("set means written, also when it equals the default", () => {
  const { root } = parseRoot(
    "review:\n  mode: auto\n  triggers: {}\nfloor:\n  rules: { empty-catch: off }\n",
  );
  for (const [key, isSet] of [
    ["review", true],
    ["review.mode", true],
    ["review.triggers", false],
    ["review.drafts", false],
    ["floor.rules", true],
    ["floor.rules.empty-catch", true],
    ["floor.rules.other", false],
    ["budget", false],
  ] as const) {
    assert.equal(root.isSet(key), isSet, key);
    assert.equal(root.originOf(key), isSet ? ".kodiai.yml" : "default", key);
  }
});

test("the nearest file wins key by key; sections and rules merge, lists replace", () => {
  const tree = parseConfigTree([
    {
      path: "pkg/a/.kodiai.yml",
      text: "review: { mode: strict, skipAuthors: [] }\nfloor: { rules: { y: minor } }",
    },
    {
      path: "pkg/.kodiai.yml",
      text: "review: { failOn: major, skipAuthors: [pkg] }\nfloor: { rules: { x: on } }",
    },
    {
      path: ".kodiai.yml",
      text: "review: { mode: lenient, drafts: true, skipAuthors: [a, b] }\nfloor: { rules: { x: off, y: off } }",
    },
  ]);
  assert.deepEqual(tell(tree), []);
  assert.deepEqual(tree.files, [".kodiai.yml", "pkg/.kodiai.yml", "pkg/a/.kodiai.yml"]);
  const see = (path: string) => {
    const { review, floor } = tree.forPath(path).values;
    return [review.mode, review.failOn, review.drafts, review.skipAuthors, floor.rules];
  };
  assert.deepEqual(see("pkg/a/deep/er/x.ts"), ["strict", "major", true, [], { x: "on", y: "minor" }]);
  assert.deepEqual(see("pkg/x.ts"), ["lenient", "major", true, ["pkg"], { x: "on", y: "off" }]);
  assert.deepEqual(see("pkg/ab/x.ts"), ["lenient", "major", true, ["pkg"], { x: "on", y: "off" }]);
  assert.deepEqual(see("x.ts"), ["lenient", "none", true, ["a", "b"], { x: "off", y: "off" }]);
  assert.deepEqual(tree.forPath("x.ts"), tree.root);
  const near = tree.forPath("pkg/a/x.ts");
  assert.deepEqual(
    [
      "review.mode",
      "review.failOn",
      "review.drafts",
      "review.skipAuthors",
      "review.language",
      "floor.rules.x",
    ].map((key) => near.originOf(key)),
    [
      "pkg/a/.kodiai.yml",
      "pkg/.kodiai.yml",
      ".kodiai.yml",
      "pkg/a/.kodiai.yml",
      "default",
      "pkg/.kodiai.yml",
    ],
  );
});

test("what is merged from files is what the schema would make of it", () => {
  const texts = Object.values(CONFIG_EXAMPLES);
  const tree = parseConfigTree([
    { path: ".kodiai.yml", text: texts.join("\n") },
    ...texts.map((text, index) => ({ path: `a${index}/.kodiai.yml`, text })),
  ]);
  for (const config of [tree.root, ...texts.map((_, index) => tree.forPath(`a${index}/x`))]) {
    assert.deepEqual(RepoConfigSchema.parse(config.values), config.values);
    assert.equal(config.values.review.mode, "balanced");
  }
  assert.equal(tree.forPath("other").values.write.enabled, true);
});

test("a nested file that cannot be read leaves the outer one in place", () => {
  const tree = parseConfigTree([
    { path: ".kodiai.yml", text: "review: { mode: strict }" },
    { path: "a/.kodiai.yml", text: "review: { mode: lenient" },
    { path: "b/.kodiai.yml", text: "review: { mode: lnient }" },
  ]);
  assert.equal(tree.forPath("a/x").values.review.mode, "strict");
  assert.equal(tree.forPath("b/x").values.review.mode, "strict");
  assert.deepEqual(
    tree.problems.map(({ file, line, key }) => [file, line, key]),
    [
      ["a/.kodiai.yml", 1, ""],
      ["b/.kodiai.yml", 1, "review.mode"],
    ],
  );
  assert.match(tree.problems[1]?.message ?? "", /the value from outside this folder is used/);
});

test("globs of a nested file that cannot match in its folder are told", () => {
  const text =
    'review: { skipPaths: ["pkg/a/gen/**", "*.md", "**/x/**", "p*/q", "dist/**"], suppressions: ["glob:out/**"] }\nreview2: 1';
  const tree = parseConfigTree([{ path: "pkg/a/.kodiai.yml", text }]);
  assert.deepEqual(
    tree.problems.map(({ key, line }) => [key, line]),
    [
      ["review.skipPaths", 1],
      ["review.suppressions", 1],
      ["review2", 2],
    ],
  );
  assert.match(
    tree.problems[0]?.message ?? "",
    /"dist\/\*\*" matches nothing in this folder; write "pkg\/a\/dist\/\*\*"/,
  );
});

test("more nested files than the limit: the deepest are not read, and that is told", () => {
  const nested = Array.from({ length: MAX_NESTED_FILES + 2 }, (_, index) => ({
    path: `${String(index).padStart(2, "0")}/.kodiai.yml`,
    text: "review: { mode: strict }",
  }));
  const tree = parseConfigTree([...nested, { path: ".kodiai.yml", text: "" }]);
  assert.equal(tree.files.length, MAX_NESTED_FILES + 1);
  assert.equal(tree.files[0], ".kodiai.yml");
  assert.deepEqual(
    tree.problems.map(({ severity, file }) => [severity, file]),
    [["error", "50/.kodiai.yml"]],
  );
  assert.equal(tree.forPath("49/x").values.review.mode, "strict");
  assert.equal(tree.forPath("51/x").values.review.mode, "auto");
});

test("any mistake under `write` keeps write mode off", () => {
  const cases: readonly (readonly [text: string, isEnabled: boolean])[] = [
    ["write: { enabled: true, allowPaths: ['docs/**'] }", true],
    ["write: { enabled: true, allowPaths: ['{1..9}'] }", false],
    ["write: { enabled: true, allowPath: ['docs/**'] }", false],
    ["write: { enabled: true, denyPaths: 5 }", false],
    ["write: { enabled: true }\nreview: { mode: strct }", true],
  ];
  for (const [text, isEnabled] of cases) {
    assert.equal(parseRoot(text).root.values.write.enabled, isEnabled, text);
  }
  const tree = parseConfigTree([
    { path: ".kodiai.yml", text: "write: { enabled: true }" },
    { path: "a/.kodiai.yml", text: "write: { denyPaths: ['{1..9}'] }" },
  ]);
  assert.equal(tree.root.values.write.enabled, true);
  assert.equal(tree.forPath("a/x").values.write.enabled, false);
});

test("any mistake under `budget` lets nothing be spent, instead of anything", () => {
  const cases: readonly (readonly [text: string, perReviewUsd: number | undefined])[] = [
    ["budget: { perReviewUsd: 2 }", 2],
    ["budget: { perReviewUsd: 0,50 }", 0],
    ["budget: { perReviewUsd: -1 }", 0],
    ["budget: { perReviewUsd: 2, perPullRequestUSD: 5 }", 0],
    ["budget: 5", 0],
    ["budget:", undefined],
    ["budget: { perReviewUsd: 2 }\nreview: { mode: strct }", 2],
  ];
  for (const [text, perReviewUsd] of cases) {
    const { root, problems } = parseRoot(text);
    assert.equal(root.values.budget.perReviewUsd, perReviewUsd, text);
    const isTold = problems.some(({ message }) => message.includes("no model is used"));
    assert.equal(isTold, perReviewUsd === 0, text);
  }
});

test("what holds for a whole review and stands in a nested file is told to do nothing there", () => {
  const text = [
    "model: openai:x",
    "fallbackModels: [openai:y]",
    "timeoutSeconds: 60",
    "budget: { perReviewUsd: 1 }",
    'prices: { "openai:x": { inputUsd: 1, outputUsd: 1 } }',
    "review:",
    "  effort: high",
    "  prompt: Look twice.",
    "  pathInstructions: [{ paths: ['a/**'], instructions: Look. }]",
    "  patterns: { customRules: [No globals.], focus: [security] }",
    "  guidelines: { enabled: false }",
    "  chunked: { enabled: true }",
    "  language: de",
    "  suppressions: [plain]",
  ].join("\n");
  const nested = parseConfigTree([{ path: "a/.kodiai.yml", text }]);
  const told = nested.problems.filter(({ message }) => message.includes("at the root only"));
  assert.deepEqual(
    told.map(({ line, severity }) => [line, severity]),
    [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13].map((line) => [line, "warning"]),
  );
  assert.deepEqual(parseRoot(text).problems, []);
});

test("a file full of nonsense is told in part, and warnings hide no error", () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `unknown${index}: 1`);
  const tree = parseRoot([...lines, "timeoutSeconds: soon"].join("\n"));
  assert.equal(tree.problems.length, 52);
  assert.equal(tree.problems.filter(({ key }) => key === "timeoutSeconds").length, 1);
  assert.equal(tree.problems.at(-1)?.message, "the file has 1950 more problems like these");
});
