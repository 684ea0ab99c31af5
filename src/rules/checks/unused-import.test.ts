import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, fileAnalysis } from "../../../test/support/analysis-fixtures.ts";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { reviewFile } from "../floor.ts";
import type { FileView } from "../rule.ts";
import { viewFile, withHunksLaidOut, withText } from "../view-file.ts";
import { unusedImport } from "./unused-import.ts";

const path = "src/a.ts";
const rest = Array.from({ length: 20 }, (_, index) => `export const value${index} = ${index};`).join("\n");
const before = `import { a } from "./a.ts";\n\n${rest}\nexport const end = 1;\n`;
const after = `import { a } from "./a.ts";\nimport { b } from "./b.ts";\n\n${rest}\nexport const end = 1;\n`;

function review(view: FileView): readonly Finding[] {
  const tree = createAstGrepSyntax().parse("typescript", (view.lines ?? []).join("\n"));
  return reviewFile(view, [unusedImport], configOf(), { tree, isFiltered: false });
}

function found(view: FileView): readonly string[] {
  return review(view).map(({ title }) => title);
}

test("an import isn't reported when only the diff is known, because uses may be outside it", () => {
  const view = viewFile(diffTexts({ path, before, after }), fileAnalysis({ path }));
  assert.deepEqual(found(withHunksLaidOut(view)), []);
  assert.deepEqual(found(withText(view, after)), ["Unused import: `b` is never used"]);
});

test("the suggestion removes an import that has its line for itself", () => {
  const suggestions = (text: string): readonly (string | null)[] => {
    const view = withText(viewFile(diffTexts({ path, after: text }), fileAnalysis({ path })), text);
    return review(view).map(({ suggestion }) => suggestion);
  };
  assert.deepEqual(suggestions('import { a } from "./a.ts";\nexport const b = 1;\n'), [""]);
  assert.deepEqual(suggestions('import { a, b } from "./a.ts";\nexport const c = b;\n'), [null]);
  assert.deepEqual(suggestions('import { a } from "./a.ts"; export const c = 1;\n'), [null]);
});
