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

/** Problems as an editor shows them: "3:9 error message". */
function listProblems(tree: ConfigTree): readonly string[] {
  return tree.problems.map(
    ({ severity, line, column, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

test("an empty configuration has all defaults", () => {
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
    assert.deepEqual(listProblems(tree), [], JSON.stringify(text));
    assert.deepEqual(tree.root.values, DEFAULT_CONFIG);
    assert.equal(tree.root.isSet("review"), false);
    assert.deepEqual(tree.files, [".kodiai.yml"]);
  }
  assert.deepEqual(parseConfigTree([]).root.values, DEFAULT_CONFIG);
});

const MESSAGES: readonly {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly string[];
}[] = [
  {
    name: "a misspelt choice names the nearest",
    text: "review:\n  mode: strct\n",
    problems: [
      '2:9 error review.mode: expected one of auto, strict, balanced, lenient, got "strct"; did you mean "strict"? (the default auto is used)',
    ],
  },
  {
    name: "a word that older YAML read as a boolean",
    text: "review:\n  drafts: yes\n",
    problems: [
      '2:11 error review.drafts: expected true or false, got "yes"; did you mean true? (the default false is used)',
    ],
  },
  {
    name: "a number out of range, without a default",
    text: "# comment\n\nreview:\n  maxComments: 51\n",
    problems: [
      "4:16 error review.maxComments: expected a whole number from 0 to 50, got 51; the key is treated as not set",
    ],
  },
  {
    name: "a fraction where a whole number belongs",
    text: "timeoutSeconds: 60.5\n",
    problems: [
      "1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got 60.5; the default 600 is used",
    ],
  },
  {
    name: "a quoted number",
    text: 'timeoutSeconds: "90"\n',
    problems: [
      '1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got "90"; remove the quotes; the default 600 is used',
    ],
  },
  {
    name: "infinity and huge numbers",
    text: "timeoutSeconds: 1e999\nbudget:\n  perReviewUsd: 99999999999999999999999\n",
    problems: [
      "1:17 error timeoutSeconds: expected a whole number from 5 to 3600, got Infinity; the default 600 is used",
      "3:17 error budget.perReviewUsd: expected a number from 0 to 100000, got 1e+23; the key is treated as not set",
      "3:17 warning budget: no model is used until this section is valid",
    ],
  },
  {
    name: "a key without a value",
    text: "review:\n  mode:\n  drafts: true\n",
    problems: [
      "2:3 error review.mode: expected one of auto, strict, balanced, lenient, got nothing; the default auto is used",
    ],
  },
  {
    name: "a single value where a list belongs",
    text: "review:\n  skipPaths: dist/**\n",
    problems: [
      '2:14 error review.skipPaths: expected a list, got "dist/**" alone; put it in brackets, as in ["dist/**"]; the default [] is used',
    ],
  },
  {
    name: "a number where text belongs, in a list",
    text: "review:\n  patterns:\n    customRules:\n      - 404\n      - Be kind.\n",
    problems: [
      "4:9 error review.patterns.customRules[0]: expected text of 1 to 4000 characters, got 404; put it in quotes; the entry is ignored",
    ],
  },
  {
    name: "text that is too long shows its length",
    text: `model: ${"m".repeat(201)}\n`,
    problems: [
      "1:8 error model: expected text of 1 to 200 characters, got 201 characters; the key is treated as not set",
    ],
  },
  {
    name: "a section that is no mapping",
    text: "budget: 5\nreview: [a]\n",
    problems: [
      "1:9 error budget: expected a mapping, got 5; the section's defaults are used",
      "1:9 warning budget: no model is used until this section is valid",
      "2:9 error review: expected a mapping, got a list; the section's defaults are used",
    ],
  },
  {
    name: "an entry that lacks a key, one with an unknown key",
    text: 'review:\n  pathInstructions:\n    - paths: ["a/**"]\n    - paths: ["b/**"]\n      instructions: Hi.\n      path: x\n',
    problems: [
      '3:7 error review.pathInstructions[0]: needs the key "instructions"; the entry is ignored',
      '6:7 warning review.pathInstructions[1].path: unknown key; did you mean "paths"?',
    ],
  },
  {
    name: "an unknown key near a known one",
    text: "review:\n  skipPath: []\n",
    problems: ['2:3 warning review.skipPath: unknown key; did you mean "skipPaths"?'],
  },
  {
    name: "a key of another section beats a near one",
    text: "mode: strict\nreview:\n  minLevel: major\nfloor:\n  timeoutSeconds: 90\n",
    problems: [
      "1:1 warning mode: unknown key; `mode` belongs under `review`",
      "3:3 warning review.minLevel: unknown key; `minLevel` belongs under `review.severity`",
      "5:3 warning floor.timeoutSeconds: unknown key; `timeoutSeconds` belongs at the top level or `deepReview`",
    ],
  },
  {
    name: "a key near nothing lists what there is",
    text: "floor:\n  zzz: 1\n",
    problems: ["2:3 warning floor.zzz: unknown key; known keys: enabled, rules"],
  },
  {
    name: "merge keys",
    text: "review:\n  <<: { mode: strict }\n",
    problems: ["2:3 warning review.<<: merge keys aren't supported; write out the values"],
  },
  {
    name: "aliases and tags are not supported",
    text: "model: &m openai:x\nfallbackModels: [*m, openai:y]\ntimeoutSeconds: !!int 60\n",
    problems: [
      "2:18 error fallbackModels[0]: expected text of 1 to 200 characters, got an alias (`*name`), which Kodiai doesn't support; write out the value, or put a glob in quotes; the entry is ignored",
      "3:23 error timeoutSeconds: expected a whole number from 5 to 3600, got a tag (tag:yaml.org,2002:int), which Kodiai doesn't support; the default 600 is used",
    ],
  },
  {
    name: "control and direction characters are shown as escapes",
    text: 'review:\n  mode: "a\\u202e\\u001b[31m"\n',
    problems: [
      '2:9 error review.mode: expected one of auto, strict, balanced, lenient, got "a\\u{202e}\\u001b[31m"; the default auto is used',
    ],
  },
  {
    name: "globs and patterns beyond the limits",
    text: `review:\n  skipPaths:\n    - "${"{a,b}".repeat(12)}"\n    - "ok/**"\n    - "{1..9}"\n  suppressions:\n    - "regex:(?=x)"\n    - "regex:(a+)+$"\n    - "glob:{0..99999}"\n`,
    problems: [
      '3:7 error review.skipPaths[0]: expected a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges, got "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,…; the entry is ignored',
      '5:7 error review.skipPaths[2]: expected a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges, got "{1..9}"; the entry is ignored',
      '7:7 error review.suppressions[0]: expected a regular expression after `regex:` in RE2 syntax (no look-around, no back-references, small repeat counts), got "regex:(?=x)"; the entry is ignored',
      '9:7 error review.suppressions[2]: expected a usable glob after `glob:`, with at most 64 brace alternatives and no numeric ranges, got "glob:{0..99999}"; the entry is ignored',
    ],
  },
  {
    name: "names of the language's own objects are only text",
    text: "__proto__:\n  polluted: true\nconstructor: 1\nfloor:\n  rules:\n    __proto__: off\n    toString: off\n",
    problems: [
      "1:1 warning __proto__: unknown key; known keys: review, floor, analysers, model, fallbackModels, timeoutSeconds, languageRules, fileCategories, largePR, budget, limits, prices, memory, feedback, dependencies, pack, deepReview, mentions, write, bots, telemetry",
      "3:1 warning constructor: unknown key; known keys: review, floor, analysers, model, fallbackModels, timeoutSeconds, languageRules, fileCategories, largePR, budget, limits, prices, memory, feedback, dependencies, pack, deepReview, mentions, write, bots, telemetry",
      "6:5 error floor.rules.__proto__: isn't a valid name; the entry is ignored",
    ],
  },
  {
    name: "line ends of Windows",
    text: "# a\r\nreview:\r\n  mode: strict\r\n  mod: 1\r\n",
    problems: ['4:3 warning review.mod: unknown key; did you mean "mode"?'],
  },
];

for (const { name, text, problems } of MESSAGES) {
  test(`problem: ${name}`, () => {
    assert.deepEqual(listProblems(parseRoot(text)), problems);
  });
}

test("an error affects only its own value", () => {
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
  assert.equal(root.isSet("review.mode"), false, "an invalid value isn't set");
  assert.equal(root.isSet("review.severity"), false);
});

test("no key reaches a prototype", () => {
  const { root } = parseRoot(
    '"__proto__": { polluted: 1 }\nreview: { "__proto__": { polluted: 1 }, constructor: { prototype: { polluted: 1 } } }\nfloor: { rules: { "__proto__": off, constructor: off } }\nprices: { "__proto__": { inputUsd: 1, outputUsd: 1 } }\n',
  );
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Object.getPrototypeOf(root.values.floor.rules), Object.prototype);
  assert.deepEqual(Object.keys(root.values.floor.rules), ["constructor"]);
  assert.deepEqual(root.values.prices, {});
});

test("a key in the file is set, even if it equals the default", () => {
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

test("the nearest file wins for each key; sections and rules are merged, lists are replaced", () => {
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
  assert.deepEqual(listProblems(tree), []);
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

test("merged files are valid against the schema", () => {
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

test("an invalid nested file doesn't affect the outer one", () => {
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
  assert.match(tree.problems[1]?.message ?? "", /the value from the parent folders is used/);
});

test("globs in a nested file that can't match in its folder are reported", () => {
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
    /"dist\/\*\*" matches nothing in this folder; use "pkg\/a\/dist\/\*\*"/,
  );
});

test("with too many nested files, the deepest aren't read, and a problem says so", () => {
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

test("any error under `write` keeps write mode off", () => {
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

test("any error under `budget` sets the budget to 0", () => {
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
    const isReported = problems.some(({ message }) => message.includes("no model is used"));
    assert.equal(isReported, perReviewUsd === 0, text);
  }
});

test("settings for the whole review are reported as ignored in a nested file", () => {
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
    "  relatedCode: 0",
    "  chunked: { enabled: true }",
    "  language: de",
    "  suppressions: [plain]",
  ].join("\n");
  const nested = parseConfigTree([{ path: "a/.kodiai.yml", text }]);
  const ignored = nested.problems.filter(({ message }) =>
    message.includes("read only from the file at the root"),
  );
  assert.deepEqual(
    ignored.map(({ line, severity }) => [line, severity]),
    [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14].map((line) => [line, "warning"]),
  );
  assert.deepEqual(parseRoot(text).problems, []);
});

test("a file with thousands of problems lists some, and warnings never hide errors", () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `unknown${index}: 1`);
  const tree = parseRoot([...lines, "timeoutSeconds: soon"].join("\n"));
  assert.equal(tree.problems.length, 52);
  assert.equal(tree.problems.filter(({ key }) => key === "timeoutSeconds").length, 1);
  assert.equal(tree.problems.at(-1)?.message, "the file has 1,950 more problems like these");
});

const ORGANIZATION = "acme/.github:.github/kodiai.yml";

const MERGED: readonly {
  readonly name: string;
  readonly organization: string;
  readonly own: string;
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}[] = [
  {
    name: "a value that only the organization sets",
    organization: "review: { mode: strict }",
    own: "review: { drafts: true }",
    key: "review.mode",
    value: "strict",
    origin: ORGANIZATION,
  },
  {
    name: "a value that both set",
    organization: "review: { mode: strict }",
    own: "review: { mode: lenient }",
    key: "review.mode",
    value: "lenient",
    origin: ".kodiai.yml",
  },
  {
    name: "lists are replaced",
    organization: "review: { skipPaths: [a, b] }",
    own: "review: { skipPaths: [c] }",
    key: "review.skipPaths",
    value: ["c"],
    origin: ".kodiai.yml",
  },
  {
    name: "maps are merged",
    organization: "floor: { rules: { empty-catch: off, sql-from-strings: off } }",
    own: "floor: { rules: { empty-catch: minor } }",
    key: "floor.rules",
    value: { "empty-catch": "minor", "sql-from-strings": "off" },
    origin: ".kodiai.yml",
  },
  {
    name: "an invalid value of the repository leaves the organization's",
    organization: "review: { mode: strict }",
    own: "review: { mode: strct }",
    key: "review.mode",
    value: "strict",
    origin: ORGANIZATION,
  },
  {
    name: "an invalid organization file leaves the repository's",
    organization: "review: [",
    own: "review: { mode: lenient }",
    key: "review.mode",
    value: "lenient",
    origin: ".kodiai.yml",
  },
  {
    name: "settings of the whole review",
    organization: "model: floor",
    own: "",
    key: "model",
    value: "floor",
    origin: ORGANIZATION,
  },
];

for (const { name, organization, own, key, value, origin } of MERGED) {
  test(`organization defaults: ${name}`, () => {
    const files = [
      { path: ".kodiai.yml", text: own },
      { path: "pkg/.kodiai.yml", text: "review: { drafts: true }" },
    ];
    const tree = parseConfigTree(files, { path: ORGANIZATION, text: organization });
    for (const config of [tree.root, tree.forPath("pkg/a.ts")]) {
      const found = key
        .split(".")
        .reduce<unknown>((at, part) => Reflect.get(Object(at), part), config.values);
      assert.deepEqual(found, value);
      assert.equal(config.originOf(key), origin);
    }
    assert.deepEqual(tree.files, [ORGANIZATION, ".kodiai.yml", "pkg/.kodiai.yml"]);
  });
}

test("problems of the organization's file carry its name", () => {
  const tree = parseConfigTree([], { path: ORGANIZATION, text: "review:\n  mode: strct\n" });
  assert.deepEqual(
    tree.problems.map(({ file, line }) => [file, line]),
    [[ORGANIZATION, 2]],
  );
  assert.equal(tree.root.values.review.mode, "auto");
});
