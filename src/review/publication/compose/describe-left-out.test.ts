import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOOR_PASS, modelPass, samplePublication } from "../../../../test/support/sample-publication.ts";
import { describeLeftOut } from "./describe-left-out.ts";
import { renderJson } from "../render/render-json.ts";
import { renderMarkdown } from "../render/render-markdown.ts";
import { renderTerminal } from "../render/render-terminal.ts";

const CUT = [
  { section: "guidelines", chars: 3_000 },
  { section: "diff", chars: 12_400 },
];
const TEXT = "12,400 characters of diff (available to the model through show_diff), 3,000 of guidelines";

test("left out of the prompt: most first, with a note about what the model can still read", () => {
  assert.equal(describeLeftOut([FLOOR_PASS, modelPass("a:x", { leftOut: CUT })]), TEXT);
  assert.equal(
    describeLeftOut([modelPass("a:x", { leftOut: [{ section: "files", chars: 1 }] })]),
    "1 character of files",
  );
});

test("left out of the prompt: parts are added up, each by its last attempt that was answered", () => {
  const cut = (chars: number) => ({ leftOut: [{ section: "diff", chars }] });
  const passes = [
    modelPass("a:x", { name: "part 1 of 2", ...cut(7) }),
    modelPass("a:x", { name: "part 1 of 2", step: "lean", ...cut(1_000) }),
    modelPass("a:x", { name: "part 1 of 2", step: "lean", turns: 0, ...cut(5) }),
    modelPass("a:x", { name: "part 2 of 2", ...cut(200) }),
  ];
  assert.match(describeLeftOut(passes) ?? "", /^1,200 characters of diff /);
});

test("left out of the prompt: no line when everything fitted", () => {
  assert.equal(describeLeftOut([FLOOR_PASS, modelPass("a:x")]), null);
  const page = { color: false, width: 80, rules: [] };
  assert.doesNotMatch(renderTerminal(samplePublication({ passes: [modelPass("a:x")] }), page), /Left out/);
});

test("left out of the prompt: one line in the details of human-readable formats, data in JSON", () => {
  const publication = samplePublication({ passes: [FLOOR_PASS, modelPass("a:x", { leftOut: CUT })] });
  const page = { color: false, width: 200, rules: [] };
  const unwrapped = renderTerminal(publication, page).replaceAll(/\s+/g, " ");
  assert.ok(unwrapped.includes(` Left out of the prompt: ${TEXT} `), unwrapped);
  const line = `- Left out of the prompt: ${TEXT.replace("show_diff", "show\\_diff")}\n`;
  const markdown = renderMarkdown(publication);
  assert.ok(markdown.includes(line), markdown);
  const { passes } = JSON.parse(renderJson(publication)) as { passes: { leftOut?: unknown }[] };
  assert.deepEqual(
    passes.map(({ leftOut }) => leftOut),
    [undefined, CUT],
  );
});
