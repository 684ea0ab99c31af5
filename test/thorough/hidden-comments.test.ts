/** No spelling of a disable comment reaches a tool: each reports what it reports with an ordinary comment in its place. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Arbitrary, array, constantFrom, sample, tuple } from "fast-check";
import { cpuMs } from "../support/cpu-ms.ts";
import { loadActionlint } from "../../src/linters/actionlint/engine.ts";
import type { AnalyserName } from "../../src/linters/analyser.ts";
import { disabledIn, hideDisableComments } from "../../src/linters/disable-comments.ts";
import type { AnalysedFile, FileCheck } from "../../src/linters/engine.ts";
import { loadOxlint } from "../../src/linters/oxlint/run-oxlint.ts";
import { loadRuff } from "../../src/linters/ruff/engine.ts";
import { loadShellcheck } from "../../src/linters/shellcheck/engine.ts";

/** Runs that the CPU decides, not the clock. */
const PATIENT = { maxCpuSeconds: 120, signal: new AbortController().signal };

/** Everything that some tool takes for a blank, and some that none does. */
const BLANKS = " \t\f\v\u0085\u00a0\u1680\u2000\u2003\u200b\u202f\u205f\u3000\ufeff".split("");

const blanks = array(constantFrom(...BLANKS), { maxLength: 12 }).map((all) => all.join(""));

/** A directive, and an ordinary comment of the same form. */
type Spelling = { readonly comment: string; readonly neutral: string };

function spelled(open: readonly string[], words: readonly string[], rest: readonly string[], close = "") {
  return tuple(constantFrom(...open), blanks, constantFrom(...words), blanks, constantFrom(...rest)).map(
    ([opener, before, word, after, tail]): Spelling => {
      const of = (given: string): string => `${opener}${before}${given}${after}${tail}${close}`;
      return { comment: of(word), neutral: of(word.replaceAll(/[a-z]/gi, "x")) };
    },
  );
}

type Sample = Spelling & { readonly text: (comment: string) => string };

/** Comments that a tool obeys for certain, so that a test of comments that no tool obeys fails. */
const PLAIN_NOQA: Sample = {
  comment: "# noqa",
  neutral: "# x",
  text: (comment) => `print(itms)  ${comment}\n`,
};
const PLAIN_ESLINT: Sample = {
  comment: "/* eslint-disable */",
  neutral: "/* x */",
  text: (comment) => `${comment}\nexport const a = [1, , 2];\n`,
};

/** The number of samples whose comment the tool would have obeyed. */
async function countObeyed(
  tool: AnalyserName,
  samples: readonly Sample[],
  check: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  const hidden = samples.map(({ text, comment }) => hideDisableComments(tool, text(comment)));
  samples.forEach(({ text, comment }, index) => assert.equal(hidden[index]?.length, text(comment).length));
  const expected = await check(samples.map(({ text, neutral }) => text(neutral)));
  const found = await check(hidden);
  samples.forEach(({ comment }, index) =>
    assert.equal(found[index], expected[index], `obeyed: ${JSON.stringify(comment)}`),
  );
  const raw = await check(samples.map(({ text, comment }) => text(comment)));
  return raw.filter((each, index) => each !== expected[index]).length;
}

function samplesOf(
  spelling: Arbitrary<Spelling>,
  texts: readonly Sample["text"][],
  number: number,
): readonly Sample[] {
  return sample(tuple(spelling, constantFrom(...texts)), number).map(([each, text]) => ({ ...each, text }));
}

function shown(check: FileCheck | null | undefined): string {
  return JSON.stringify([
    check?.gap,
    check?.diagnostics.map(({ rule, line, endLine }) => [rule, line, endLine]),
  ]);
}

function oneByOne(
  check: (file: AnalysedFile) => Promise<FileCheck | null> | FileCheck | null,
  path: string,
  language: string,
) {
  return async (texts: readonly string[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const text of texts) found.push(shown(await check({ path, language, text })));
    return found;
  };
}

void suite("a tool sees no comment that it would obey", () => {
  test("ruff", async () => {
    const engine = await loadRuff();
    const words = ["noqa", "NoQA", "ruff", "flake8", "isort", "x # noqa"];
    const rest = [
      "",
      ":",
      ": F821",
      ":F821,E501",
      ": noqa",
      ": noqa: F821",
      ":disable[F821]",
      ": ignore[F821]",
      ": file-ignore[F821]",
      ": skip_file",
    ];
    const samples = samplesOf(
      spelled(["#", "##", "# a #"], words, rest),
      [
        (comment) => `def f():\n    return itms  ${comment}\n`,
        (comment) => `${comment}\ndef f():\n    return itms\n`,
        (comment) => `def f():\n    ${comment}\n    return itms\n`,
      ],
      300,
    );
    const check = oneByOne((file) => engine.check(file), "a.py", "python");
    assert.ok((await countObeyed("ruff", [PLAIN_NOQA, ...samples], check)) > 0);
  });

  test("shellcheck", async () => {
    const engine = await loadShellcheck();
    const rest = [
      " disable=all",
      "\tdisable=SC2224",
      " disable='all' # why",
      " shell=zsh",
      " source=/dev/null disable=2224",
      "disable=all",
    ];
    // A call is slow, so that each has many comments.
    const group = array(spelled(["#", "##", ": #", ":;#", "mv list.txt #"], ["shellcheck"], rest), {
      minLength: 30,
      maxLength: 30,
    }).map((all): Spelling => {
      const join = (comments: readonly string[]): string =>
        comments.map((each) => `${each}\nmv list.txt\n`).join("");
      const plain = { comment: "# shellcheck disable=SC2224", neutral: "# x" };
      return {
        comment: join([plain, ...all].map(({ comment }) => comment)),
        neutral: join([plain, ...all].map(({ neutral }) => neutral)),
      };
    });
    const samples = samplesOf(group, [(comments) => `#!/bin/bash\n${comments}`], 4);
    const check = oneByOne((file) => engine.check(file), "a.sh", "bash");
    assert.ok((await countObeyed("shellcheck", samples, check)) > 0);
  });

  test("oxlint", async () => {
    const program = await loadOxlint();
    const check = async (texts: readonly string[]): Promise<readonly string[]> => {
      const files = texts.map((text, index) => ({ path: `${index}.jsx`, language: "javascript", text }));
      const reading = await program.check(files, PATIENT);
      assert.ok(reading.kind === "read", JSON.stringify(reading));
      return files.map(({ path }) => shown(reading.value.get(path)));
    };
    const words = ["eslint", "oxlint"].flatMap((name) => [
      `${name}-disable`,
      `${name}-disable-line`,
      `${name}-disable-next-line`,
      `${name}-enable`,
      name,
    ]);
    const rest = [
      "",
      " no-sparse-arrays",
      " no-sparse-arrays -- why",
      ' no-sparse-arrays: "off"',
      " no-sparse-arrays: 0",
    ];
    const places: readonly Sample["text"][] = [
      (comment) => `${comment}\nexport const a = [1, , 2];\n`,
      (comment) => `export const a = [1, , 2]; ${comment}\n`,
      (comment) => `export const b = <p>{${comment}\n[1, , 2]}</p>;\n`,
    ];
    const samples = [
      ...samplesOf(spelled(["/*", "/**", "/*\n", "/* *"], words, rest, "*/"), places, 200),
      ...samplesOf(spelled(["//", "///", "// "], words, rest), places, 200),
      ...samplesOf(
        spelled(["//", "/*"], ["@ts-nocheck", "@flow", "eslint-env node", "global Map:off"], [""], "*/"),
        places,
        30,
      ),
    ];
    assert.ok((await countObeyed("oxlint", [PLAIN_ESLINT, ...samples], check)) > 0);
  });

  test("actionlint has none", async () => {
    const engine = await loadActionlint();
    const found = await engine.check({
      path: ".github/workflows/a.yml",
      language: "yaml",
      text: "# actionlint-disable\n# actionlint: ignore\non: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - name: b # noqa\n",
    });
    assert.equal(shown(found), '[null,[["empty-step",8,8]]]');
  });
});

/** Repeated into texts that are slow for a reader that looks back, or ahead, at each of them. */
const HOSTILE: readonly (readonly [AnalyserName, string])[] = [
  ["oxlint", "/* eslint-disable a,b,c */\n"],
  ["oxlint", "/* eslint-disable a1 */\n/* eslint-enable a1 */\n"],
  ["oxlint", "// eslint-disable-next-line a, b\n"],
  ["oxlint", "eslint-"],
  ["ruff", "# ruff: disable[F821]\n"],
  ["ruff", "# noqa: F821,F401\n"],
  ["ruff", "#\u00a0\u00a0"],
  ["ruff", "#noq"],
  ["shellcheck", "# shellcheck disable=all\n"],
  ["shellcheck", "a\n  # shellcheck disable=all\n  b\n"],
  ["shellcheck", "#\t \u200b"],
  ["shellcheck", "#shellchec"],
];

test("reading and hiding comments takes time linear in the text", () => {
  for (const [tool, part] of HOSTILE) {
    const timeOf = (chars: number): number => {
      const text = part.repeat(Math.ceil(chars / part.length));
      const lines = text.split("\n");
      return cpuMs(() => {
        hideDisableComments(tool, text);
        const reasonOf = disabledIn(tool, lines);
        for (let line = 1; line <= 1_000; line++) reasonOf({ rule: "none", line, endLine: line });
      });
    };
    timeOf(20_000);
    // Ten times the text takes ten times as long, not a hundred times; the constant covers what is too short to measure.
    const [short, long] = [timeOf(40_000), timeOf(400_000)];
    assert.ok(long < 40 * short + 100, `${tool} ${JSON.stringify(part)}: ${short} ms, then ${long} ms`);
  }
});
