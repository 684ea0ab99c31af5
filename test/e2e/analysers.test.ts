/** Linters in a review: nothing of the repository configures one, and a broken one costs only its own findings. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryFor, review, found, DUPLICATE, UNDEFINED } from "../support/linter-fixtures.ts";

test("configuration and plugins of the repository have no effect on a linter", async (t) => {
  const made = repositoryFor(t);
  const plugin = `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(made.path, "canary"))}, "");
export default { meta: { name: "canary" }, rules: {} };
`;
  const config = { jsPlugins: ["./plugin.js"], rules: { "no-dupe-keys": "off" }, ignorePatterns: ["**"] };
  for (const folder of [".", "src"]) {
    made.write(`${folder}/plugin.js`, plugin);
    made.write(`${folder}/.oxlintrc.json`, JSON.stringify(config));
    made.write(`${folder}/oxlint.config.ts`, plugin);
    made.write(`${folder}/.eslintignore`, "*\n");
  }
  for (const name of ["ruff.toml", ".ruff.toml", "src/ruff.toml"])
    made.write(name, 'exclude = ["*"]\nlint.ignore = ["ALL"]\n');
  made.write("pyproject.toml", '[tool.ruff]\nexclude = ["*"]\nlint.ignore = ["ALL"]\n');
  made.write("src/a.ts", DUPLICATE);
  made.write("src/a.py", UNDEFINED);
  made.commit("canaries");
  assert.deepEqual(found(await review(made)), ["oxlint/no-dupe-keys src/a.ts:3", "ruff/F821 src/a.py:2"]);
  assert.ok(!existsSync(join(made.path, "canary")), "a plugin of the repository ran");
});

test("a disable comment hides no critical finding, and others only with a trace", async (t) => {
  const made = repositoryFor(t);
  const lines = [
    "export const f = [1, , 2]; // oxlint-disable-line",
    "// eslint-disable-next-line no-sparse-arrays -- trust me",
    "export const g = [3, , 4];",
    "// eslint-disable-next-line no-self-compare -- compares on purpose",
    "export const h = (a) => a.b === a.b;",
    "export const i = (a) => a.c === a.c; // eslint-disable-line",
  ];
  made.write("src/a.js", `${lines.join("\n")}\n`);
  made.write("src/a.py", UNDEFINED.replace("_name", "_name  # noqa: F821 -- set by the host"));
  made.commit("comments");
  const result = await review(made);
  assert.deepEqual(found(result), ["oxlint/no-sparse-arrays src/a.js:1"]);
  assert.deepEqual(
    result.dropped
      .filter(({ reason }) => reason === "suppressed:in-code")
      .map(({ detail }) => detail)
      .toSorted(),
    ["a disable comment without a reason", "compares on purpose", "set by the host"],
  );
});

test("--no-analysers runs no linter, and the configuration can turn one off", async (t) => {
  const made = repositoryFor(t);
  made.write("src/a.ts", DUPLICATE);
  made.commit("duplicate");
  const without = await review(made, { args: ["--no-analysers"] });
  assert.deepEqual([found(without), without.tool.analysers], [[], []]);
  made.write("own.yml", "analysers: { oxlint: off }\n");
  const off = await review(made, { args: ["--config", "own.yml"] });
  assert.deepEqual(found(off), []);
  assert.deepEqual(off.tool.analysers[0]?.gaps, [
    { reason: "off", files: 1, paths: ["src/a.ts"], message: null },
  ]);
});

test("a dialect that another parser reads, a template and a translation of Qt are gaps, and a broken file is a finding", async (t) => {
  const made = repositoryFor(t);
  const dialects = {
    "decorated.js": "export default create({\n  @service store,\n  @action go() {},\n});\n",
    "do.js": "export const a = do {\n  if (b) 1;\n  else 2;\n};\n",
    "pipe.js": "export const a = b |> c(%) |> d(%, 1);\n",
    "flow.js": "export opaque type A = string;\nclass B {\n  +c: number;\n}\n",
    "from.js": "export a from './a.js';\n",
    "page.js": "const a = <?php echo $a; ?>;\n",
    "version.js": "export const version = @VERSION@;\n",
    "de.ts": '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS language="de"></TS>\n',
    "view.tsx": "export const a = <b>{do { if (c) { <d /> } else { <e /> } }}</b>;\n",
  };
  for (const [path, text] of Object.entries(dialects)) made.write(`src/${path}`, text);
  made.write("src/broken.js", "export const a = f(1, 2;\nexport const b = do { 1; };\n");
  made.write("src/twice.js", "let a = 1;\nlet a = 2;\n");
  made.write("src/pattern.js", "export const a = /(/;\n");
  made.commit("dialects");
  const result = await review(made);
  assert.deepEqual(found(result), [
    "oxlint/syntax-error src/broken.js:1",
    "oxlint/syntax-error src/pattern.js:1",
    "oxlint/syntax-error src/twice.js:2",
  ]);
  const [gap, ...others] = result.tool.analysers.flatMap(({ gaps }) => gaps);
  assert.deepEqual(others, []);
  assert.equal(gap?.reason, "unparsed");
  const broken = ["broken.js", "pattern.js", "twice.js"];
  assert.deepEqual(
    gap.paths.toSorted(),
    [...Object.keys(dialects), ...broken].map((path) => `src/${path}`).toSorted(),
  );
});
