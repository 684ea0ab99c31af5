/** Which files matter for changed exports: cheap tests on paths and hunks, before anything is read. */
import type { ChangedFile } from "../../review/change/change.ts";
import { addsOnlyStatements } from "./adds-statements.ts";

const LANGUAGES: ReadonlySet<string> = new Set([
  "javascript",
  "typescript",
  "tsx",
  "python",
  "go",
  "php",
  "rust",
  "ruby",
]);

/** Packages are folders of any name, so only a few folders are outside. */
const IN_PACKAGES: ReadonlySet<string> = new Set(["java", "kotlin", "scala", "groovy", "csharp"]);
const OUTSIDE_OF_PACKAGES =
  /(?:^|\/)(?:node_modules|third_party|testdata|testData|test-data|src\/\w+\/resources)\//;

/** Not part of the program: data of tests, copies of other projects, output of builds. */
const OUTSIDE =
  /(?:^|\/)(?:node_modules|vendor|third_party|testdata|test-data|fixtures?|__fixtures__|__snapshots__|templates?|dist|build|out)\/|\.min\.js$|\.bundle\.js$/;

/** A line that can be a part of a declaration or of a list of exports. */
const DECLARES =
  /\b(?:export|exports|function|fun|class|object|interface|enum|struct|record|type|const|let|va[lr]|def|func|fn|pub|import|from|__all__)\b|=>/;

/** A changed line that can be a part of a method's declaration in Java, TypeScript or PHP. */
const DECLARES_METHOD =
  /^[+-]\s+(?!(?:if|for|while|switch|catch|return|else|await)\b)(?:(?:public|static|async|override|final|synchronized)\s|[\w$<>[\], ]{0,200}?[\w$]{1,100}\s*(?:<[^<>]{0,100}>)?\(.*[{,(]\s*$)/;

/** Whether other files of the repository may import this one. */
export function isPartOfProgram(path: string, language: string): boolean {
  if (IN_PACKAGES.has(language)) return !OUTSIDE_OF_PACKAGES.test(path);
  return LANGUAGES.has(language) && !OUTSIDE.test(path);
}

/** Whether the change can remove or change an export of the file. A parameter on a line of its own has its declaration in the context. */
export function touchesExports(file: ChangedFile, language: string): boolean {
  const { path, oldPath, oldBlob, status, unreadable } = file;
  if (oldPath === null || unreadable !== null || !isPartOfProgram(path, language)) return false;
  if (status === "renamed" || status === "deleted") return !isGoTest(oldPath);
  if (status !== "modified" || oldBlob === null || isGoTest(path)) return false;
  return file.hunks.some(
    (hunk) =>
      (DECLARES.test(hunk.section) ||
        hunk.lines.some((line) => DECLARES.test(line) || DECLARES_METHOD.test(line))) &&
      // The text of a cut line isn't whole.
      (file.cutLines.length > 0 || !addsOnlyStatements(hunk, language)),
  );
}

/** Go's tests export nothing. */
function isGoTest(path: string): boolean {
  return path.endsWith("_test.go");
}
