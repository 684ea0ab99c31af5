/** Performs a reader's tasks: runs rules and parsers over its text. The caller enforces the limits. */
import type { FindFault } from "../base/documents/find-fault.ts";
import { messageOf } from "../base/errors.ts";
import { loadFaultFinder } from "../base/documents/find-fault.ts";
import { MAX_PARSED_BYTES } from "../base/parse-limit.ts";
import type { PackageSource } from "../languages/api/package-source.ts";
import type { Lookup } from "../ecosystems/lookups.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { isDataFile } from "../review/analysis/data-files.ts";
import { newFileText } from "../review/change/new-file-text.ts";
import { reverseFile, textBefore } from "../review/change/reverse-file.ts";
import { markExisting } from "../review/findings/mark-existing.ts";
import type { CheckGap } from "../review/findings/check-gap.ts";
import type { Finding } from "../review/findings/finding.ts";
import {
  activeRules,
  reviewFile,
  reviewTexts,
  reviewWholeChange,
  textRulesFor,
  treeRulesFor,
  withNeeded,
} from "../rules/floor.ts";
import type { FileTexts, FileView, FloorRule } from "../rules/rule.ts";
import { viewFile, withHunksLaidOut, withText } from "../rules/view-file.ts";
import { errorsOf, judgeEdit } from "../syntax/judge-edit.ts";
import type { Syntax, SyntaxLanguage, SyntaxNode } from "../syntax/syntax.ts";
import type { Performers } from "../base/task-process/serve-tasks.ts";
import { codePerformers } from "./perform-code-task.ts";
import type {
  ArchiveBytes,
  ChangeReading,
  FileRead,
  FileReading,
  ReaderTasks,
  ReviewedChange,
} from "./reader.ts";

/** Three in UTF-8, and the carriage return of a line. */
const MAX_BYTES_PER_CHAR = 4;

export type TaskTools = {
  readonly loadSyntax: () => Promise<Syntax>;
  readonly rules: readonly FloorRule[];
};

/** A C++ header can look like a C header, and JavaScript can contain types. The grammar with the fewest errors wins. */
const ALSO_WRITTEN_IN: Partial<Record<SyntaxLanguage, readonly SyntaxLanguage[]>> = {
  c: ["cpp"],
  javascript: ["tsx"],
};

/** Data that didn't parse before may be written for a reader that takes more, such as JSON with comments. */
function compareFaults(
  findFault: FindFault,
  { before, after }: { readonly before: string; readonly after: string },
): "as-before" | "worse" | "not-checked" {
  if (findFault(after) === null) return "as-before";
  return before !== "" && findFault(before) === null ? "worse" : "not-checked";
}

/** Long because it is a table: one short entry for each task. */
export function readerPerformers(tools: TaskTools): Performers<ReaderTasks> {
  const { loadSyntax, rules } = tools;
  return {
    ...codePerformers(loadSyntax),
    "review-file": (takes) => reviewOneFile(takes, tools),
    async "review-files"({ files }) {
      const read: FileRead[] = [];
      for (const file of files) read.push(await reviewOneFile(file, tools));
      return read;
    },
    "review-change": async (takes) => reviewWhole(takes, rules),
    async "compare-parses"({ language, before, after }) {
      const { loadFaultFinder } = await import("../base/documents/find-fault.ts");
      const findFault = await loadFaultFinder(language);
      if (findFault !== null) return compareFaults(findFault, { before, after });
      const syntax = await loadSyntax();
      if (!syntax.supports(language)) return "no-parser";
      const readings = [language, ...(ALSO_WRITTEN_IN[language] ?? [])].flatMap((grammar) => {
        const tree = syntax.parse(grammar, before);
        return tree === null ? [] : [{ grammar, tree, errors: errorsOf(tree).length }];
      });
      const [best] = readings.toSorted((one, other) => one.errors - other.errors);
      const edited = best === undefined ? null : syntax.parse(best.grammar, after);
      if (best === undefined || edited === null) return "too-large";
      const { grammar, tree } = best;
      return judgeEdit(
        { language: grammar, text: before, tree },
        { language: grammar, text: after, tree: edited },
      );
    },
    async "read-dependencies"({ pair }) {
      const { readPair } = await import("../ecosystems/read-pair.ts");
      return readPair(pair);
    },
    async "compare-dependencies"({ pairs }) {
      const { comparePairs } = await import("../ecosystems/compare-files.ts");
      return comparePairs(pairs);
    },
    async "read-registry-sources"({ files }) {
      const { readRegistrySources } = await import("../ecosystems/sources/read-registry-sources.ts");
      return readRegistrySources(files);
    },
    async "list-archive"(archive) {
      const paths: string[] = [];
      const listed = await unpack(archive, (path) => paths.push(path) < 0);
      return listed.kind === "found" ? { kind: "found", value: paths } : listed;
    },
    "read-archive": ({ paths, ...archive }) => unpack(archive, (path) => paths.has(path)),
    async "split-changelog"({ text }) {
      const { splitChangelog } = await import("../ecosystems/changelog/split-changelog.ts");
      return splitChangelog(text);
    },
    async "compare-exports"({ files }) {
      const { compareExports } = await import("../languages/exports/compare-exports.ts");
      const syntax = await loadSyntax();
      return files.map((file) => compareExports(file, syntax));
    },
    async "find-references"({ files, wanted }) {
      const { readFileReferences } = await import("../languages/exports/read-references.ts");
      const syntax = await loadSyntax();
      return files.flatMap((file) => readFileReferences(file, wanted, syntax) ?? []);
    },
    async "find-broken-exports"({ modules, files, paths, manifests, projects }) {
      const { findBrokenExports } = await import("../languages/exports/find-broken-exports.ts");
      const { createResolver } = await import("../languages/resolve/create-resolver.ts");
      const { readProjectUsings } = await import("../languages/csharp/project-usings.ts");
      const gone = modules.flatMap(({ path, isGone }) => (isGone ? [path] : []));
      const resolver = createResolver({ paths, manifests, facts: new Map() });
      const earlier = createResolver({ paths: new Set([...paths, ...gone]), manifests, facts: new Map() });
      const projectUsings = readProjectUsings(files, { paths, projects });
      return findBrokenExports(modules, { files, resolver, earlier, projectUsings });
    },
    // Few changes touch a dependency, so this is loaded on demand.
    async "compare-api"({ id, before, after }) {
      const { compareApi } = await import("../ecosystems/api/compare-api.ts");
      const { importNamesOf } = await import("../ecosystems/api/uses/import-names.ts");
      const difference = compareApi(id, { before, after }, await loadSyntax());
      return { difference, importNames: importNamesOf(id, [before, after]) };
    },
    async "find-uses"({ files, wanted }) {
      const { findUses } = await import("../ecosystems/api/uses/find-uses.ts");
      const syntax = await loadSyntax();
      return files.flatMap((file) => findUses(file, wanted, syntax) ?? []);
    },
  };
}

async function reviewOneFile(
  { file, facts, text, isFiltered }: FileReading,
  { rules, loadSyntax }: TaskTools,
): Promise<FileRead> {
  const config = { values: { floor: facts.floor } };
  const active = activeRules(rules, config);
  const diffView = viewFile(file, facts);
  const treeRules = isFiltered ? [] : treeRulesFor(diffView, active);
  const textRules = isFiltered ? [] : textRulesFor(diffView, active);
  if (treeRules.length === 0 && textRules.length === 0) {
    const findings = reviewFile(diffView, active, config, { tree: null, isFiltered });
    return {
      findings: await withExisting(
        findings,
        { file, facts, text: null, isFiltered },
        { rules: active, loadSyntax },
      ),
      stoppedRules: [],
      gaps: [],
    };
  }
  const known = text === "unread" ? smallNewFile(file) : text;
  if (known === "unread") return "text-wanted";
  const view = known === null ? withHunksLaidOut(diffView) : withText(diffView, known.whole);
  const needed = withNeeded(view, treeRules);
  const parsed = needed.length === 0 ? NOT_PARSED : await parseView(view, loadSyntax);
  const lacking = [
    ...(known === null ? [READ_FROM_DIFF] : []),
    ...(parsed.missing === null ? [] : [parsed.missing]),
  ];
  const stoppedRules: string[] = [];
  const onStopped = (rule: string): void => void stoppedRules.push(rule);
  const options = { tree: parsed.tree, treeRules: needed, isFiltered, onStopped };
  const findings = [
    ...reviewFile(view, active, config, options),
    ...(known === null || textRules.length === 0
      ? []
      : reviewTexts(view, textRules, config, await textsOf(view, file, known.whole, loadSyntax))),
  ];
  return {
    findings: await withExisting(
      findings,
      { file, facts, text: known, isFiltered },
      { rules: active, loadSyntax },
    ),
    stoppedRules,
    gaps: lacking.flatMap((gap) => {
      const rules = (
        gap === READ_FROM_DIFF && !isDataFile(facts) ? [...treeRules, ...textRules] : treeRules
      ).map(({ id }) => id);
      return rules.length === 0 ? [] : [{ ...gap, paths: [facts.path], rules }];
    }),
  };
}

async function loadYamlReader(): Promise<FileTexts["parseYaml"]> {
  const { parseYaml } = await import("../config/repo-config/parse-yaml.ts");
  return (text) => {
    const parsed = parseYaml(text);
    return parsed.ok ? parsed.root : null;
  };
}

async function textsOf(
  { language }: FileView,
  file: ChangedFile,
  after: string,
  loadSyntax: TaskTools["loadSyntax"],
): Promise<FileTexts> {
  const syntax = await loadSyntax();
  return {
    before: file.status === "added" ? null : textBefore(file, after),
    after,
    parse: (grammar, text) => syntax.parse(grammar, text),
    findFault: await loadFaultFinder(language),
    parseYaml: language === "yaml" ? await loadYamlReader() : null,
  };
}

/** The text of a new file. A large one must be read, because only its bytes show whether it's too large. */
function smallNewFile(file: ChangedFile): Exclude<FileReading["text"], null> {
  const whole = newFileText(file);
  return whole === null || whole.length * MAX_BYTES_PER_CHAR > MAX_PARSED_BYTES ? "unread" : { whole };
}

/** Runs the rules that found something over the file before the change, so that they report only what the change brings. */
async function withExisting(
  findings: readonly Finding[],
  { file, facts, text, isFiltered }: FileReading,
  { rules, loadSyntax }: TaskTools,
): Promise<readonly Finding[]> {
  const reversed = findings.length === 0 ? null : reverseFile(file);
  if (reversed === null) return findings;
  const found = new Set(findings.map(({ rule }) => rule));
  const again = rules.filter(({ id, kind }) => kind !== "change" && found.has(id));
  const config = { values: { floor: facts.floor } };
  const diffView = viewFile(reversed, facts);
  const view =
    text === null || text === "unread"
      ? withHunksLaidOut(diffView)
      : withText(diffView, textBefore(file, text.whole));
  const { tree } =
    treeRulesFor(diffView, again).length > 0 ? await parseView(view, loadSyntax) : { tree: null };
  const textRules = text === null || text === "unread" ? [] : textRulesFor(diffView, again);
  const before = [
    ...reviewFile(view, again, config, { tree, isFiltered }),
    ...(text === null || text === "unread" || textRules.length === 0
      ? []
      : reviewTexts(view, textRules, config, {
          ...(await textsOf(view, reversed, textBefore(file, text.whole), loadSyntax)),
          before: null,
        })),
  ];
  return markExisting(findings, before, file);
}

const NOT_PARSED = { tree: null, missing: null };

type Missing = Pick<CheckGap, "check" | "reason" | "detail">;

/** The caller knows whether the text couldn't be read, or whether the user gave only a diff. */
const READ_FROM_DIFF: Missing = {
  check: "rules that need whole files",
  reason: "off",
  detail: "only the lines of the diff are known",
};

async function parseView(
  { language, lines }: FileView,
  loadSyntax: TaskTools["loadSyntax"],
): Promise<{ readonly tree: SyntaxNode | null; readonly missing: Missing | null }> {
  let syntax: Syntax;
  try {
    syntax = await loadSyntax();
  } catch (error) {
    return { tree: null, missing: { check: "parsers", reason: "failed", detail: messageOf(error) } };
  }
  if (!syntax.supports(language)) {
    const detail = `none could be loaded on ${process.platform} ${process.arch}; see docs/installing.md`;
    return { tree: null, missing: { check: `parser for ${language}`, reason: "not-installed", detail } };
  }
  const tree = syntax.parse(language, (lines ?? []).join("\n"));
  const tooLarge: Missing = {
    check: `parser for ${language}`,
    reason: "limit",
    detail: "too large to parse",
  };
  return { tree, missing: tree === null ? tooLarge : null };
}

/** The caller's limits stop it. */
const NO_SIGNAL = new AbortController().signal;

async function unpack(
  { base64, format, root }: ArchiveBytes,
  wants: (path: string) => boolean,
): Promise<Lookup<PackageSource>> {
  const { readArchive } = await import("../registries/archives.ts");
  return readArchive(Buffer.from(base64, "base64"), format, { root, wants, signal: NO_SIGNAL });
}

function reviewWhole(
  { change, facts, floor, ...rest }: ChangeReading,
  rules: readonly FloorRule[],
): ReviewedChange {
  const byPath = new Map(change.files.map((file) => [file.path, file]));
  const floors = new Map(facts.map((each) => [each.path, each.floor]));
  const files = facts.flatMap((each) => {
    const file = byPath.get(each.path);
    return file === undefined ? [] : [viewFile(file, each)];
  });
  const findings = reviewWholeChange({ change, files, ...rest }, rules, (path) => ({
    values: { floor: floors.get(path) ?? floor },
  }));
  const active = activeRules(rules, { values: { floor } });
  const forAll = active.filter((rule) => rule.kind === "change" || (rule.kind === "line" && rule.everywhere));
  return { findings, rules: active.map(({ id }) => id), rulesForAll: forAll.map(({ id }) => id) };
}
