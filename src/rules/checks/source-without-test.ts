/** Reports once per change that tested code grew while no test changed. Silent when the repository's files are unknown. */
import { baseName } from "../../base/path-kinds.ts";
import { categoryOf } from "../../review/analysis/categories.ts";
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type { ChangeRule, FileView } from "../rule.ts";

/** A smaller change is often a fix that existing tests already cover. */
const MIN_ADDED_LINES = 50;
/** Added lines of the reported file. When a change is spread thin, no single file lacks a test. */
const MIN_FILE_LINES = 20;
/** Shorter stems ("app", "db") match tests of something else. */
const MIN_STEM_CHARS = 4;

const NO_NEW_BEHAVIOUR =
  /^(?:refactor|style|chore|docs|build|ci|revert|test|bump|release|i18n|l10n)\b|\b(?:rename|format|lint|typos?|translation|version bump)\b/i;
/** Names that many unrelated files share. */
const COMMON_STEM =
  /^(?:index|main|utils?|helpers?|types?|constants?|config|setup|common|base|core|models?|views?|init|__init__|mod|lib|styles?)$/i;
/** Folder names that say nothing about their content. */
const ROOT_FOLDER = /^(?:src|lib|app|pkg|source|packages)$/i;
/** The file contains its own tests or is a script. */
const OWN_TESTS = /#\[(?:cfg\()?test|^\s*test "|if __name__|@doctest|>>> /;
const UNTESTED_LANGUAGES: ReadonlySet<string> = new Set([
  "rust",
  "html",
  "sql",
  "graphql",
  "protobuf",
  "bash",
  "hcl",
  "nix",
  "zig",
  "d",
]);

export const sourceWithoutTest: ChangeRule = {
  kind: "change",
  id: "source-without-test",
  title: "New code without new tests",
  severity: "minor",
  category: "tests",
  why: "The repository has a test for this file, but this change adds code without updating any test.",
  fix: "Add the new cases to the existing test.",
  confidence: 0.8,
  *check({ change, files, repositoryPaths }) {
    if (repositoryPaths === null || NO_NEW_BEHAVIOUR.test(change.title)) return;
    if (
      change.files.some(({ path }) => categoryOf(path) === "test") ||
      files.some(({ category }) => category === "test")
    )
      return;
    const grown = files.filter(isGrownSource);
    if (grown.reduce((sum, { added }) => sum + codeLines(added), 0) < MIN_ADDED_LINES) return;
    const tests = testsByStem(repositoryPaths);
    const candidates = grown
      .filter(({ added }) => codeLines(added) >= MIN_FILE_LINES)
      .sort((a, b) => codeLines(b.added) - codeLines(a.added));
    for (const { path } of candidates) {
      const test = (tests.get(stemOf(path)) ?? []).find((candidate) => isTestOf(candidate, path));
      if (test === undefined) continue;
      yield { path, line: 0, detail: `The file's test is \`${test.replaceAll("`", "")}\`.` };
      return;
    }
  },
};

function isGrownSource({ category, language, file, added }: FileView): boolean {
  if (category !== "source" || !isProgramming(language) || UNTESTED_LANGUAGES.has(language)) return false;
  if (file.status !== "modified" && file.status !== "renamed") return false;
  return file.addedLines > file.removedLines && !added.some(({ text }) => OWN_TESTS.test(text));
}

/** Number of lines that aren't empty, comments or imports. */
function codeLines(added: FileView["added"]): number {
  return added.filter(
    ({ text }) =>
      !/^\s*(?:$|\/\/|\/?\*|#|import\b|from\b|using\b|use\b|require\b|[{}()[\];,]+\s*$)/.test(text),
  ).length;
}

/** File stem → paths of its tests, for every test in the repository. */
function testsByStem(paths: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const tests = new Map<string, string[]>();
  for (const path of paths) {
    if (!/test|spec/i.test(baseName(path)) || categoryOf(path) !== "test") continue;
    const stem = stemOf(path);
    if (stem === "") continue;
    const known = tests.get(stem) ?? [];
    tests.set(stem, known);
    known.push(path);
  }
  return tests;
}

/** An equal name can be a coincidence, so the language and the folder must match too. */
function isTestOf(test: string, source: string): boolean {
  if (familyOf(test) !== familyOf(source)) return false;
  const folders = foldersOf(source);
  const testFolders = foldersOf(test);
  if (test.startsWith(`${folders.join("/")}/`)) return true;
  const parent = folders.at(-1);
  return parent === undefined || ROOT_FOLDER.test(parent)
    ? folders.length <= 1
    : testFolders.includes(parent);
}

function familyOf(path: string): string {
  const language = languageOf(path);
  return language === "tsx" || language === "javascript" ? "typescript" : language;
}

function foldersOf(path: string): readonly string[] {
  return path.split("/").slice(0, -1);
}

/** "billing" for BillingTest.java, test_billing.py, billing.spec.ts and billing.ts; "" for names that are too common. */
function stemOf(path: string): string {
  const name = baseName(path).replace(/\.[^.]+$/, "");
  const stem = name
    .replace(/^tests?[_-]/i, "")
    .replace(/(?:[._-](?:unit|integration|e2e|cy))?(?:[._-](?:tests?|specs?)|Tests?|Specs?)$/, "");
  return stem.length < MIN_STEM_CHARS || COMMON_STEM.test(stem)
    ? ""
    : stem.toLowerCase().replace(/[^a-z0-9]/g, "");
}
