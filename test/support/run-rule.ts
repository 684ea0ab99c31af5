/** Runs one rule over an example as a review would: a real diff, the analysis, and a syntax tree if the rule needs one. */
import assert from "node:assert/strict";
import { type FindFault, loadFaultFinder } from "../../src/base/documents/find-fault.ts";
import type { ConfigNode } from "../../src/config/repo-config/config-node.ts";
import { noConfig } from "../../src/config/repo-config/no-config.ts";
import { parseYaml } from "../../src/config/repo-config/parse-yaml.ts";
import type { Change, ChangedFile, Commit } from "../../src/review/change/change.ts";
import type { Finding } from "../../src/review/findings/finding.ts";
import {
  reviewFile,
  reviewTexts,
  reviewWholeChange,
  textRulesFor,
  treeRulesFor,
} from "../../src/rules/floor.ts";
import type { FileView, FloorRule } from "../../src/rules/rule.ts";
import { viewFile, withText } from "../../src/rules/view-file.ts";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import type { SyntaxLanguage, SyntaxNode } from "../../src/syntax/syntax.ts";
import { analysisOf, commitOf } from "./analysis-fixtures.ts";
import { diffTexts } from "./diff-texts.ts";
import type { ExampleDescription, ExampleFile, GoodExample } from "./rule-examples.ts";

const syntax = createAstGrepSyntax();
const config = noConfig();
const finders = new Map<string, FindFault | null>();
const readYaml = (text: string): ConfigNode | null => {
  const parsed = parseYaml(text);
  return parsed.ok ? parsed.root : null;
};
for (const language of ["json", "yaml", "toml", "xml"])
  finders.set(language, await loadFaultFinder(language));

/** The rule's findings, and whether it reached its work limit. */
export type RuleRun = { readonly findings: readonly Finding[]; readonly isStopped: boolean };

export function runRule(rule: FloorRule, example: GoodExample): readonly Finding[] {
  return prepareRule(rule, example)().findings;
}

/** Diffs, analyses and parses the example. The returned function runs only the rule, so that it can be timed. */
export function prepareRule(rule: FloorRule, example: GoodExample): () => RuleRun {
  const { files: examples, repository = [], dependencies = null, brokenExports = [] } = example;
  const change = changeOf(example);
  const analysis = analysisOf(change, config);
  const views = change.files.map((file, index) => {
    const facts = analysis.byPath.get(file.path);
    assert.ok(facts !== undefined);
    return withText(viewFile(file, facts), examples[index]?.after ?? "");
  });
  if (rule.kind === "change") {
    const present = examples.filter(({ after }) => after !== null).map(({ path }) => path);
    const repositoryPaths = new Set([...repository, ...present]);
    // A change rule never gets whole files, so examples must not provide them.
    const files = views.map((view) => ({ ...view, lines: null }));
    const translations = new Map(
      examples.flatMap(({ path, after }) => (after === null ? [] : [[path, after] as const])),
    );
    return () => ({
      findings: reviewWholeChange(
        { change, files, repositoryPaths, dependencies, brokenExports, translations },
        [rule],
        () => config.root,
      ),
      isStopped: false,
    });
  }
  if (rule.kind === "text") {
    return () => ({
      findings: views.flatMap((view, index) => {
        const { before = null, after } = examples[index] ?? {};
        if (after === undefined || after === null || textRulesFor(view, [rule]).length === 0) return [];
        const texts = {
          before,
          after,
          parse: (language: SyntaxLanguage, text: string) => syntax.parse(language, text),
          findFault: finders.get(view.language) ?? null,
          parseYaml: view.language === "yaml" ? readYaml : null,
        };
        return reviewTexts(view, [rule], config.root, texts);
      }),
      isStopped: false,
    });
  }
  const trees = views.map((view) => (treeRulesFor(view, [rule]).length > 0 ? treeOf(view) : null));
  return () => {
    let isStopped = false;
    const onStopped = (): void => {
      isStopped = true;
    };
    const findings = views.flatMap((view, index) => {
      const isFiltered = (analysis.byPath.get(view.path)?.mark ?? null) !== null;
      return reviewFile(view, [rule], config.root, { tree: trees[index] ?? null, isFiltered, onStopped });
    });
    return { findings, isStopped };
  };
}

function changeOf({ files, description = {} }: GoodExample): Change {
  return {
    kind: "diff",
    description: "example",
    title: description.title ?? "",
    body: description.body ?? "",
    base: null,
    head: null,
    commits: commitsOf(description),
    files: files.map(changedFile),
    notes: [],
  };
}

function changedFile(example: ExampleFile): ChangedFile {
  const file = diffTexts(example);
  return example.modes === undefined
    ? file
    : { ...file, oldMode: example.modes.before, newMode: example.modes.after };
}

function commitsOf({ commits = [] }: ExampleDescription): readonly Commit[] {
  return commits.map((message) => {
    const [subject = "", ...body] = message.split("\n\n");
    return commitOf(subject, body.join("\n\n"));
  });
}

function treeOf({ language, lines }: FileView): SyntaxNode | null {
  return syntax.supports(language) && lines !== null ? syntax.parse(language, lines.join("\n")) : null;
}
