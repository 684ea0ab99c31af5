import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLearnings } from "./parse-learnings.ts";

function read(text: string): { readonly texts: readonly string[]; readonly problems: readonly string[] } {
  const { learnings, problems } = parseLearnings(text);
  const describe = ({ line, severity, message }: (typeof problems)[number]) =>
    `${line} ${severity} ${message}`;
  return { texts: learnings.map((each) => each.text), problems: problems.map(describe) };
}

test("a file with everything", () => {
  const text = `# Ours
learnings:
  - text: Errors are returned.
  - text: " Money is in cents. "
    kind: context
    paths: ["src/billing/**", "*.sql"]
    provenance: https://github.com/acme/app/pull/3
    owner: ada
    expires: 2027-06-30
`;
  assert.deepEqual(parseLearnings(text), {
    learnings: [
      { text: "Errors are returned.", kind: "preference", paths: [] },
      {
        text: "Money is in cents.",
        kind: "context",
        paths: ["src/billing/**", "*.sql"],
        provenance: "https://github.com/acme/app/pull/3",
        owner: "ada",
        expires: "2027-06-30",
      },
    ],
    problems: [],
  });
});

const IGNORED = "Kodiai ignores the learning";

const CASES: readonly (readonly [
  name: string,
  text: string,
  texts: readonly string[],
  problems: readonly string[],
])[] = [
  ["an empty file", "", [], []],
  ["an empty list", "learnings: []\n", [], []],
  [
    "a list alone",
    "- text: a\n",
    [],
    ['1 error the file needs a list with the key "learnings"; Kodiai ignores it'],
  ],
  [
    "text in place of the list",
    "learnings: a\n",
    [],
    ['1 error the file needs a list with the key "learnings"; Kodiai ignores it'],
  ],
  [
    "a bad entry among good ones",
    "learnings:\n  - text: a\n  - kind: context\n  - text: b\n",
    ["a", "b"],
    [`3 error learnings[1]: needs the key "text"; ${IGNORED}`],
  ],
  [
    "a bad glob doesn't make a learning apply everywhere",
    'learnings:\n  - text: a\n    paths: ["{1..9}"]\n',
    [],
    [
      `3 error learnings[0].paths[0]: expected a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges, got "{1..9}"; ${IGNORED}`,
    ],
  ],
  [
    "a bad date doesn't make it apply forever",
    "learnings:\n  - text: a\n    expires: 2027-02-30\n",
    [],
    [`3 error learnings[0].expires: expected a date such as 2027-06-30, got "2027-02-30"; ${IGNORED}`],
  ],
  [
    "an unknown key",
    "learnings:\n  - text: a\n    scop: src/**\nother: 1\n",
    ["a"],
    [
      "3 warning learnings[0].scop: unknown key; known keys: text, kind, paths, provenance, owner, expires",
      "4 warning other: unknown key; known keys: learnings",
    ],
  ],
  [
    "an alias",
    "learnings:\n  - &a text\n  - *a\n",
    [],
    [
      `2 error learnings[0]: expected a mapping, got "text"; ${IGNORED}`,
      `3 error learnings[1]: expected a mapping, got an alias (\`*name\`), which Kodiai doesn't support; write out the value, or put a glob in quotes; ${IGNORED}`,
    ],
  ],
  ["a text that starts like a pattern", 'learnings:\n  - text: "regex: never"\n', ["regex: never"], []],
];

for (const [name, text, texts, problems] of CASES)
  test(`learnings file: ${name}`, () => assert.deepEqual(read(text), { texts, problems }));

test("learnings file: size and number are limited", () => {
  const many = read(`learnings:\n${"  - text: a\n".repeat(201)}`);
  assert.equal(many.texts.length, 200);
  assert.deepEqual(many.problems, [
    "202 error learnings[200]: only 200 learnings are allowed; Kodiai ignores the ones from here on",
  ]);
  const large = read(`learnings: [{ text: "${"a".repeat(70_000)}" }]`);
  assert.deepEqual(large, {
    texts: [],
    problems: ["null error the file is larger than 64 KiB; Kodiai ignores the whole file"],
  });
  assert.equal(read("[".repeat(5_000)).problems.length, 1);
});
