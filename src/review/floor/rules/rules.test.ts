/** Every rule file holds one rule of the same name, is registered, and does what its examples say. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { analysisOf, commitOf } from "../../../../test/support/analysis-fixtures.ts";
import { diffTexts } from "../../../../test/support/diff-texts.ts";
import { noConfig } from "../../../config/repo-config/no-config.ts";
import { createAstGrepSyntax } from "../../../syntax/ast-grep.ts";
import type { Change, ChangedFile, Commit } from "../../change/change.ts";
import { DESCRIPTION_PATH } from "../../findings/description-path.ts";
import type { Finding } from "../../findings/finding.ts";
import { reviewFile, reviewWholeChange } from "../floor.ts";
import type { ExampleDescription, ExampleFile, FileView, FloorRule, GoodExample } from "../rule.ts";
import { ALL_RULES } from "./all-rules.ts";
import { viewFile, withText } from "../view-file.ts";

const syntax = createAstGrepSyntax();
const config = noConfig();

function changedFile(example: ExampleFile): ChangedFile {
  const file = diffTexts(example);
  return example.modes === undefined
    ? file
    : { ...file, oldMode: example.modes.before, newMode: example.modes.after };
}

function treeOf({ language, lines }: FileView) {
  return syntax.supports(language) && lines !== null ? syntax.parse(language, lines.join("\n")) : null;
}

function commitsOf({ commits = [] }: ExampleDescription): readonly Commit[] {
  return commits.map((message) => {
    const [subject = "", ...body] = message.split("\n\n");
    return commitOf(subject, body.join("\n\n"));
  });
}

function runRule(rule: FloorRule, example: GoodExample): readonly Finding[] {
  const { files: examples, repository = [], description = {} } = example;
  const change: Change = {
    kind: "diff",
    description: "example",
    title: description.title ?? "",
    body: description.body ?? "",
    base: null,
    head: null,
    commits: commitsOf(description),
    files: examples.map(changedFile),
    notes: [],
  };
  const analysis = analysisOf(change, config);
  const views = change.files.map((file, index) => {
    const facts = analysis.byPath.get(file.path);
    assert.ok(facts !== undefined);
    return withText(viewFile(file, facts), examples[index]?.after ?? "");
  });
  if (rule.kind === "change") {
    const present = examples.filter(({ after }) => after !== null).map(({ path }) => path);
    const repositoryPaths = new Set([...repository, ...present]);
    // A change rule never gets whole files; the examples must not let one rely on them.
    const files = views.map((view) => ({ ...view, lines: null }));
    return reviewWholeChange({ change, files, repositoryPaths }, [rule], () => config.root);
  }
  return views.flatMap((view) => {
    const isFiltered = (analysis.byPath.get(view.path)?.mark ?? null) !== null;
    return reviewFile(view, [rule], config.root, { tree: treeOf(view), isFiltered });
  });
}

test("every rule file is registered, once", () => {
  const registered = ALL_RULES.map(({ id }) => `${id}.ts`);
  assert.deepEqual(registered.toSorted(), files.toSorted());
});

const files = readdirSync(import.meta.dirname).filter(
  (name) => /^[a-z0-9-]+\.ts$/.test(name) && name !== "all-rules.ts",
);

for (const name of files) {
  // Each file exports exactly one rule; the assertions below hold it to that.
  const exports: Record<string, unknown> = await import(`./${name}`);
  const rule = Object.values(exports)[0] as FloorRule;

  test(`${rule.id}: is the one rule of ${name} and explains itself`, () => {
    assert.equal(`${rule.id}.ts`, name);
    assert.equal(Object.keys(exports).length, 1);
    for (const sentence of [rule.why, rule.fix]) assert.match(sentence, /^[A-Z`].*[.!?)]$/s);
    assert.ok(rule.title.length <= 80, "a title fits one line");
    assert.ok(
      rule.examples.bad.length >= 2 && rule.examples.good.length >= 3,
      "at least two bad and three good examples",
    );
  });

  rule.examples.bad.forEach((example, index) => {
    test(`${rule.id}: reports bad example ${index + 1}`, () => {
      const found = runRule(rule, example);
      const path = example.files[0]?.path ?? DESCRIPTION_PATH;
      assert.ok(
        found.some((finding) => finding.path === path && (finding.lineHint ?? 0) === example.line),
        `expected a report on ${path}:${example.line}, got ${JSON.stringify(found.map((f) => `${f.path}:${f.lineHint}`))}`,
      );
    });
  });

  rule.examples.good.forEach((example, index) => {
    test(`${rule.id}: stays silent on good example ${index + 1}`, () => {
      const found = runRule(rule, example);
      assert.deepEqual(
        found.map((finding) => `${finding.path}:${finding.lineHint} ${finding.title}`),
        [],
      );
    });
  });
}
