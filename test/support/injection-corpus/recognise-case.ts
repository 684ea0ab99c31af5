/** A case as a change read from git, and the findings of the built-in rules without a model. */
import { noConfig } from "../../../src/config/repo-config/no-config.ts";
import type { Change } from "../../../src/review/change/change.ts";
import { reviewFile, reviewWholeChange } from "../../../src/rules/floor.ts";
import { ALL_RULES } from "../../../src/rules/all-rules.ts";
import { viewFile } from "../../../src/rules/view-file.ts";
import { analysisOf, changeOf, commitOf } from "../analysis-fixtures.ts";
import { diffTexts } from "../diff-texts.ts";
import type { InjectionCase } from "./injection-case.ts";
import { changeOfCase } from "./injection-corpus.ts";

/** The branch name isn't included, because reviewers don't get it. */
export function readCase(each: InjectionCase, options: { readonly isSound: boolean }): Change {
  const { title, body, commit, files } = changeOfCase(each, options);
  const [subject = "", ...rest] = (commit ?? "").split("\n\n");
  const further = commit === null ? [] : [commitOf(subject, rest.join("\n\n"))];
  return changeOf(
    // A name with a line feed isn't valid in the text of a diff.
    Object.entries(files).map(([path, after]) => ({ ...diffTexts({ path: "file", after }), path })),
    { title, body, commits: [commitOf(title), ...further] },
  );
}

/** The rules that report something, each once. Without the carrier's defect, they report the attempt. */
export function rulesThatReport(each: InjectionCase): readonly string[] {
  const config = noConfig();
  const change = readCase(each, { isSound: true });
  const analysis = analysisOf(change, config);
  const views = change.files.flatMap((file) => {
    const facts = analysis.byPath.get(file.path);
    return facts === undefined ? [] : [viewFile(file, facts)];
  });
  const found = [
    ...views.flatMap((view) => reviewFile(view, ALL_RULES, config.root, { tree: null, isFiltered: false })),
    ...reviewWholeChange({ change, files: views, repositoryPaths: null }, ALL_RULES, () => config.root),
  ];
  return [...new Set(found.flatMap(({ rule }) => (rule === null ? [] : [rule])))];
}
