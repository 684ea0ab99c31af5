/** Finds edits that remove tests. A test file may move, but its test cases may not become fewer. Pure. */
import { count } from "../../base/count.ts";
import { languageOf } from "../../languages/language-of.ts";
import { testDeclaration } from "../../languages/test-cases.ts";
import type { EditRefusal, ProposedEdit } from "./edit.ts";

/** Annotations of a test case are on the lines right above it. */
const ANNOTATIONS_ABOVE = 3;

export function findRemovedTests(
  edits: readonly ProposedEdit[],
  isTest: (path: string) => boolean,
): readonly EditRefusal[] {
  const moved = new Set(
    edits.flatMap(({ path, before, after }) => (before === null && isTest(path) ? [after] : [])),
  );
  return edits.flatMap(({ path, before, after }) => {
    // Rust has its tests in the files that they test.
    if (before === null || !(isTest(path) || languageOf(path) === "rust")) return [];
    const cases = countCases(path, before);
    if (!isTest(path) && cases === 0) return [];
    const detail = describe({ path, before, after, cases, isMoved: moved.has(before) });
    return detail === null ? [] : [{ rule: "removes-tests", path, detail } as const];
  });
}

function describe(file: {
  readonly path: string;
  readonly before: string;
  readonly after: string | null;
  readonly cases: number;
  readonly isMoved: boolean;
}): string | null {
  const { path, before, after, cases, isMoved } = file;
  if (after === null) return isMoved ? null : "the edit deletes a test file";
  if (after.trim() === "" && before.trim() !== "") return "the edit empties a test file";
  const left = countCases(path, after);
  return left < cases ? `the edit leaves ${left} of ${count(cases, "test case")}` : null;
}

/** Without groups and disabled tests. */
function countCases(path: string, text: string): number {
  const language = languageOf(path);
  const lines = text.split(/\r?\n/);
  return lines.filter((line, at) => {
    const found = testDeclaration(line, language, lines.slice(Math.max(0, at - ANNOTATIONS_ABOVE), at));
    return found !== null && !found.isGroup && !found.isSkipped;
  }).length;
}
