/**
 * Reads the examples of rules, ours and those of linters: one text file per rule in test/fixtures/rules, named after the rule's id. They
 * aren't files of their own, because tools would act on them: git on .gitattributes, npm on .npmrc, agents on AGENTS.md.
 *
 *     -- bad src/a.ts --           starts an example that the rule must report: a file of the change
 *     try {
 *     // ruleid: empty-catch       the rule must report the next line; this one is removed. In every language, also in JSON
 *     } catch {}
 *     -- before src/a.ts --        the same file before the change. Without it the file is new; alone, the file is deleted
 *     -- file src/b.ts --          another file of the change
 *     -- good src/a.ts --          starts an example that the rule must not report
 *
 * A bad example without `ruleid` is reported on line 0: the whole file, or the description. `bad` and `good` without a path start an
 * example whose files, if any, follow. Other sections: `modes 100644 100755` (git's file modes before and after, of the last file; `none`
 * for a new one), `repository` (unchanged paths, one per line), `title`, `body` and `commit` of the change, `dependencies` (JSON for
 * `exampleReport`) and `broken-exports` (JSON). As in a diff, the last line of a text can be `\ No newline at end of file`.
 *
 * `{U+202E}` stands for a character that can't be seen, and for one letter of each secret, so that no scanner takes it for a real one.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DependencyReport } from "../../src/ecosystems/dependency-report.ts";
import type { BrokenExport } from "../../src/languages/exports/export-change.ts";
import { exampleReport } from "./example-report.ts";

export type ExampleFile = {
  readonly path: string;
  /** Omitted or null: the file is new. */
  readonly before?: string | null;
  /** Null: the file is deleted. */
  readonly after: string | null;
  /** Git file modes of both sides. Omitted: a regular file. */
  readonly modes?: { readonly before: string | null; readonly after: string };
};

export type ExampleDescription = {
  readonly title?: string;
  readonly body?: string;
  /** Complete messages. */
  readonly commits?: readonly string[];
};

export type GoodExample = {
  readonly files: readonly ExampleFile[];
  /** Unchanged paths of the repository in addition to the example's files. */
  readonly repository?: readonly string[];
  readonly description?: ExampleDescription;
  readonly dependencies?: DependencyReport;
  readonly brokenExports?: readonly BrokenExport[];
};

/** `line` is in the first file, at the base if the rule reports there; 0 for the whole file or the description. */
export type BadExample = GoodExample & { readonly line: number };

export type RuleExamples = { readonly bad: readonly BadExample[]; readonly good: readonly GoodExample[] };

const FOLDER = join(import.meta.dirname, "../fixtures/rules");

const HEADER = /^-- ([a-z-]+)(?: (\S.*))? --\n/m;

export const STAND_IN = /\{U\+([0-9A-F]{4,6})\}/g;

/** The ids of all rules that have examples. */
export function idsWithExamples(): readonly string[] {
  return globSync("**/*.txt", { cwd: FOLDER }).map((path) => path.slice(0, -".txt".length));
}

export function readExamples(id: string): RuleExamples {
  const decoded = readExampleText(id).replaceAll(STAND_IN, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return parseExamples(decoded, id);
}

/** The text of the file, with its stand-ins. */
export function readExampleText(id: string): string {
  return readFileSync(join(FOLDER, `${id}.txt`), "utf8");
}

export function parseExamples(text: string, id: string): RuleExamples {
  const [start = "", ...parts] = text.split(HEADER);
  assert.equal(start, "", `${id}: the first line is a header`);
  const examples: Section[][] = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [word = "", argument = "", body = ""] = parts.slice(at, at + 3);
    assert.ok(WORDS.has(word), `${id}: no section is named "${word}"`);
    if (word === "bad" || word === "good") examples.push([]);
    examples.at(-1)?.push({ word, argument, ...withoutMark(body, `// ruleid: ${id}`) });
  }
  const [bad, good] = ["bad", "good"].map((kind) => examples.filter(([first]) => first?.word === kind));
  for (const { line } of good?.flat() ?? []) assert.equal(line, 0, `${id}: a good example has no ruleid`);
  return {
    bad: (bad ?? []).map((sections) => ({
      ...parseExample(sections),
      line: Math.max(...sections.map(({ line }) => line)),
    })),
    good: (good ?? []).map(parseExample),
  };
}

type Section = {
  readonly word: string;
  readonly argument: string;
  readonly text: string;
  /** The line that the rule must report; 0: none of this section. */
  readonly line: number;
};

const WORDS: ReadonlySet<string> = new Set(
  "bad good file before modes repository title body commit dependencies broken-exports".split(" "),
);

function withoutMark(body: string, mark: string): Pick<Section, "text" | "line"> {
  const lines = body.replace(/\n\\ No newline at end of file\n$/, "").split("\n");
  const at = lines.indexOf(mark);
  const text = lines.toSpliced(at, at === -1 ? 0 : 1).join("\n");
  assert.doesNotMatch(text, /^\/\/ ruleid:/m, `only one line of an example can be the one after ${mark}`);
  return { text, line: at + 1 };
}

function parseExample(sections: readonly Section[]): GoodExample {
  const textsOf = (word: string): readonly string[] =>
    sections.filter((section) => section.word === word).map(({ text }) => text.replace(/\n$/, ""));
  const [title, body] = [textsOf("title")[0], textsOf("body")[0]];
  const commits = textsOf("commit");
  const description = {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(commits.length > 0 && { commits }),
  };
  const [repository] = textsOf("repository");
  const [dependencies] = textsOf("dependencies");
  const [brokenExports] = textsOf("broken-exports");
  return {
    files: parseFiles(sections),
    ...(repository !== undefined && { repository: repository.split("\n") }),
    ...(Object.keys(description).length > 0 && { description }),
    // The tests of the rules that read these fail on any other shape.
    ...(dependencies !== undefined && {
      dependencies: exampleReport(JSON.parse(dependencies) as Parameters<typeof exampleReport>[0]),
    }),
    ...(brokenExports !== undefined && {
      brokenExports: JSON.parse(brokenExports) as readonly BrokenExport[],
    }),
  };
}

function parseFiles(sections: readonly Section[]): readonly ExampleFile[] {
  const files = new Map<string, ExampleFile>();
  let path = "";
  for (const { word, argument, text } of sections) {
    if (argument === "") continue;
    if (word !== "modes") path = argument;
    const file = files.get(path) ?? { path, after: null };
    const [before = "", after = ""] = argument.split(" ");
    if (word === "modes")
      files.set(path, { ...file, modes: { before: before === "none" ? null : before, after } });
    else files.set(path, { ...file, [word === "before" ? "before" : "after"]: text });
  }
  return [...files.values()];
}
