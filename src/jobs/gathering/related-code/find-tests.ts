/** Finds the test of a changed file: the closest file of that name, and the tests in it that name what changed. */
import { containingFolder } from "../../../base/containing-folder.ts";
import { languageOf } from "../../../languages/language-of.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import { enclosingDeclaration } from "../../../languages/outline/outline.ts";
import type { RelatedCandidate } from "../../../review/context/select-related-code.ts";
import { namePartsOf } from "../../../review/pack/rank/name-parts.ts";
import { type OutlinedFile, touchedNames } from "./changed-symbols.ts";
import type { CodeView } from "./code-view.ts";
import { cutBlock } from "../../../languages/cut-block.ts";
import { looksImported } from "./find-callers.ts";
import type { RelatedFiles } from "./related-files.ts";

/** Tests of one changed file. */
const MAX_TESTS = 3;

/** A longer test is cut around the name. */
const MAX_TEST_LINES = 24;

export type TestSources = {
  readonly files: RelatedFiles;
  readonly paths: Iterable<string>;
  /** Changed tests are in the diff. */
  readonly changedPaths: ReadonlySet<string>;
  readonly view: CodeView | null;
  readonly signal: AbortSignal;
};

export async function findTests(
  changed: readonly OutlinedFile[],
  { files, paths, changedPaths, view, signal }: TestSources,
): Promise<readonly RelatedCandidate[]> {
  const byStem = Map.groupBy(
    [...paths].filter((path) => categoryOf(path) === "test" && files.isWanted(path)),
    stemOfPath,
  );
  const found: RelatedCandidate[] = [];
  for (const outlined of changed) {
    signal.throwIfAborted();
    const { path } = outlined.file;
    if (categoryOf(path) === "test") continue;
    const test = closestTo(path, byStem.get(stemOfPath(path)) ?? []);
    if (test === null || changedPaths.has(test)) continue;
    // A test of the same name elsewhere that doesn't import the file tests another one.
    if (!isOfSamePackage(test, path) && !(await imports(test, path, view, signal))) continue;
    await files.read([test]);
    found.push(...(await testsIn(test, outlined, files)));
  }
  return found;
}

/** The folder is the package, and files of one package don't import each other. */
const FOLDER_IS_PACKAGE: ReadonlySet<string> = new Set(["go", "java", "kotlin", "scala"]);

function isOfSamePackage(test: string, path: string): boolean {
  return FOLDER_IS_PACKAGE.has(languageOf(path)) && packageOf(test) === packageOf(path);
}

/** Maven and Gradle have the same packages below src/main and src/test. */
function packageOf(path: string): string {
  return containingFolder(path).replace(/(^|\/)src\/(?:main|test)\//, "$1src/");
}

/** The same for a test and what it tests. */
function stemOfPath(path: string): string {
  return namePartsOf(path).stem;
}

/** The one that shares most folders, counted from both ends; then by name. */
function closestTo(path: string, tests: readonly string[]): string | null {
  const folders = path.split("/").slice(0, -1);
  const closeness = (test: string): number => {
    const its = new Set(test.split("/").slice(0, -1));
    return folders.filter((folder) => its.has(folder)).length * 4 - its.size;
  };
  const sorted = tests.toSorted(
    (one, other) => closeness(other) - closeness(one) || (one < other ? -1 : one > other ? 1 : 0),
  );
  return sorted[0] ?? null;
}

async function imports(
  test: string,
  path: string,
  view: CodeView | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (view === null) return false;
  const { facts, resolver } = await view.readFacts([test], signal);
  return (facts.get(test)?.imports ?? []).some((imported) => {
    const { paths, isExact } = resolver.resolve(test, imported);
    return isExact && paths.includes(path);
  });
}

async function testsIn(
  test: string,
  outlined: OutlinedFile,
  files: RelatedFiles,
): Promise<readonly RelatedCandidate[]> {
  const lines = files.linesOf(test);
  const outline = await files.outlineOf(test);
  const found: RelatedCandidate[] = [];
  let shownTo = 0;
  const names = touchedNames(outlined);
  for (const name of names) {
    const uses = (await files.usesOf(test, name)) ?? new Set<number>();
    for (const line of [...uses].toSorted((one, other) => one - other)) {
      if (found.length >= MAX_TESTS) return found;
      const around = outline === null ? null : enclosingDeclaration(outline, line);
      const range =
        around !== null && around.kind !== "class" && around.endLine - around.startLine < MAX_TEST_LINES
          ? around
          : cutBlock(lines, line, MAX_TEST_LINES);
      // An import at the top isn't a test, and the same test isn't shown twice.
      if (looksImported(lines[line - 1] ?? "")) continue;
      if (range.startLine <= shownTo) continue;
      shownTo = range.endLine;
      const { startLine, endLine } = range;
      const place = { path: test, startLine, endLine, line, isTest: true };
      found.push({
        ...place,
        reason: "test",
        about: name,
        changedPath: outlined.file.path,
        changedAt: null,
      });
    }
  }
  return found;
}
