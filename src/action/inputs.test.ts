import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { INPUT_NAMES, readInputs } from "./inputs.ts";
import { OUTPUT_NAMES } from "./outputs.ts";

type Declared = {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
};

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
// The tests below check its form.
const declared = parse(read("action.yml")) as Declared;

test("inputs: docs/github-action.md describes inputs and outputs as action.yml does", () => {
  const described = read("docs/github-action.md").split("\n");
  const rows = [
    ...Object.entries(declared.inputs).map(
      ([name, each]) =>
        `| \`${name}\` | ${each.description} | ${each.default === "" ? "" : `\`${each.default}\``} |`,
    ),
    ...Object.entries(declared.outputs).map(([name, each]) => `| \`${name}\` | ${each.description} |`),
  ];
  assert.deepEqual(
    rows.filter((row) => !described.includes(row)),
    [],
  );
});

test("inputs: action.yml declares the same inputs and outputs, and its defaults are valid", () => {
  assert.deepEqual(Object.keys(declared.inputs), [...INPUT_NAMES]);
  assert.deepEqual(Object.keys(declared.outputs), [...OUTPUT_NAMES]);
  const env = Object.entries(declared.inputs).map(([name, each]) => [
    `INPUT_${name.toUpperCase()}`,
    each.default,
  ]);
  assert.equal(readInputs(Object.fromEntries(env)).comments, "review");
});

test("inputs: values are read as the runner passes them", () => {
  const inputs = readInputs({
    "INPUT_GITHUB-TOKEN": " secret ",
    "INPUT_FAIL-ON": "major",
    "INPUT_BUDGET-USD": "0.50",
    "INPUT_SARIF-IN": "a.sarif\n\n b.sarif ",
    "INPUT_PULL-REQUEST": "7",
    INPUT_FULL: "true",
    INPUT_COMMENTS: "summary",
    // Of another program on the machine.
    INPUT_WORKING_DIRECTORY: "/x",
  });
  assert.deepEqual(
    [inputs.token, inputs.failOn, inputs.budgetUsd, inputs.sarifIn, inputs.pullRequest, inputs.isFull],
    ["secret", "major", 0.5, ["a.sarif", "b.sarif"], 7, true],
  );
  assert.deepEqual([inputs.comments, inputs.model, inputs.verify], ["summary", null, null]);
});

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ["INPUT_FAIL-ON", "majr", /fail-on is "majr", but must be one of none, critical.*Did you mean major\?/],
  ["INPUT_FAIL_ON", "major", /there is no input fail_on\. Did you mean fail-on\?/],
  ["INPUT_BUDGET-USD", "-1", /budget-usd is "-1", but must be an amount/],
  ["INPUT_PULL-REQUEST", "7; ls", /pull-request is "7; ls", but must be the number of a pull request/],
  ["INPUT_PERSIST", "yes", /persist is "yes", but must be one of true, false/],
  ["INPUT_COMMENTS", "sumary", /Did you mean summary\?/],
];
for (const [name, value, message] of WRONG)
  test(`inputs: ${name}=${value} is an error`, () =>
    assert.throws(() => readInputs({ [name]: value }), { message }));
