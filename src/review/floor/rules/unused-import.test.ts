import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, fileAnalysis } from "../../../../test/support/analysis-fixtures.ts";
import { diffTexts } from "../../../../test/support/diff-texts.ts";
import { createAstGrepSyntax } from "../../../syntax/ast-grep.ts";
import { reviewFile } from "../floor.ts";
import type { FileView } from "../rule.ts";
import { viewFile, withHunksLaidOut, withText } from "../view-file.ts";
import { unusedImport } from "./unused-import.ts";

const path = "src/a.ts";
const rest = Array.from({ length: 20 }, (_, index) => `export const value${index} = ${index};`).join("\n");
const before = `import { a } from "./a.ts";\n\n${rest}\nexport const end = 1;\n`;
const after = `import { a } from "./a.ts";\nimport { b } from "./b.ts";\n\n${rest}\nexport const end = 1;\n`;

function found(view: FileView): readonly string[] {
  const tree = createAstGrepSyntax().parse("typescript", (view.lines ?? []).join("\n"));
  return reviewFile(view, [unusedImport], configOf(), { tree, isFiltered: false }).map(({ title }) => title);
}

test("an import isn't reported when only the diff is known, because uses may be outside it", () => {
  const view = viewFile(diffTexts({ path, before, after }), fileAnalysis({ path }));
  assert.deepEqual(found(withHunksLaidOut(view)), []);
  assert.deepEqual(found(withText(view, after)), ["`b` is imported but never used"]);
});
