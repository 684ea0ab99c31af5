/**
 * Lets the floor review a change: reads the files whose syntax trees are wanted, in batches, keeps to the deadline, and
 * accounts for every file that was not read.
 */
import { messageOf } from "../../base/errors.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { ConfigTree, LoadedConfig } from "../../config/repo-config/repo-config.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { Change } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { activeRules, reviewFile, reviewWholeChange, wantsTree } from "../../review/floor/floor.ts";
import type { FileView, FloorRule } from "../../review/floor/rule.ts";
import { ALL_RULES } from "../../review/floor/rules/all-rules.ts";
import { viewFile, withHunksLaidOut, withText } from "../../review/floor/view-file.ts";
import type { ReadCoverage } from "../../review/publication/compose-receipt.ts";
import type { Syntax, SyntaxNode } from "../../syntax/syntax.ts";
import type { Listing } from "./gather-listing.ts";
import type { Degradations } from "./optional.ts";
import { readTexts } from "./read-texts.ts";

/** Parsed trees are freed only when the event loop turns; more files at a time let memory grow. */
const FILES_PER_BATCH = 20;

export type FloorTask = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly config: ConfigTree;
  readonly listing: Listing;
};

export type FloorDeps = {
  readonly repository: Repository | null;
  readonly loadSyntax: () => Promise<Syntax>;
  readonly degradations: Degradations;
  readonly signal: AbortSignal;
  /** True once the time is over. */
  readonly isLate: () => boolean;
  readonly onProgress: (done: number, total: number) => void;
};

export type FloorOutcome = {
  readonly findings: readonly Finding[];
  readonly coverage: ReadCoverage;
  readonly rulesRun: number;
};

type PlannedFile = {
  readonly view: FileView;
  readonly config: LoadedConfig;
  readonly rules: readonly FloorRule[];
  /** Lock files, generated and skipped files: only rules that look everywhere read them. */
  readonly isFiltered: boolean;
};

type WholeRun = { readonly rules: readonly FloorRule[]; readonly planned: readonly PlannedFile[] };

type ReadFile = PlannedFile & { readonly tree: SyntaxNode | null };

const READ_FROM_DIFF = "not available: rules that read syntax saw the lines of the diff only";

export async function runFloor(
  task: FloorTask,
  deps: FloorDeps,
  rules: readonly FloorRule[] = ALL_RULES,
): Promise<FloorOutcome> {
  const planned = planFiles(task, rules);
  const failedPaths = new Set<string>();
  const unreadPaths = new Set<string>();
  const findings: Finding[] = [];
  for (let start = 0; start < planned.length; start += FILES_PER_BATCH) {
    const batch = planned.slice(start, start + FILES_PER_BATCH);
    deps.signal.throwIfAborted();
    if (deps.isLate()) {
      for (const { view } of planned.slice(start)) unreadPaths.add(view.path);
      break;
    }
    for (const reading of await readBatch(batch, task, deps)) {
      // While one file is reviewed the next ones are parsed.
      const file = await reading;
      const result = tryFile(file, deps);
      if (result === null) failedPaths.add(file.view.path);
      else findings.push(...result);
    }
    deps.onProgress(Math.min(start + FILES_PER_BATCH, planned.length), planned.length);
    await yieldToEventLoop();
  }
  const whole = await deps.degradations.optional("rules over the whole change", async () =>
    reviewWhole({ ...task, rules, planned }, await pathsForRules(task)),
  );
  return {
    findings: [...findings, ...(whole ?? [])],
    coverage: { offPaths: switchedOff(planned), failedPaths, unreadPaths, byModel: null },
    rulesRun: activeRules(rules, task.config.root).length,
  };
}

function switchedOff(planned: readonly PlannedFile[]): ReadonlySet<string> {
  return new Set(planned.flatMap(({ view, config }) => (config.values.floor.enabled ? [] : view.path)));
}

function planFiles(
  { change, analysis, config }: FloorTask,
  rules: readonly FloorRule[],
): readonly PlannedFile[] {
  const rulesByConfig = new Map<LoadedConfig, readonly FloorRule[]>();
  const rulesFor = (loaded: LoadedConfig): readonly FloorRule[] => {
    const active = rulesByConfig.get(loaded) ?? activeRules(rules, loaded);
    rulesByConfig.set(loaded, active);
    return active;
  };
  return change.files.flatMap((file) => {
    const facts = analysis.byPath.get(file.path);
    if (facts === undefined) return [];
    const loaded = config.forPath(file.path);
    const isFiltered = facts.mark !== null || facts.isSkipped;
    return [{ view: viewFile(file, facts), config: loaded, rules: rulesFor(loaded), isFiltered }];
  });
}

/** Gives each file that a tree rule wants its text and its tree. */
async function readBatch(
  batch: readonly PlannedFile[],
  task: FloorTask,
  deps: FloorDeps,
): Promise<readonly (ReadFile | Promise<ReadFile>)[]> {
  const wanted = batch.filter(({ view, rules, isFiltered }) => !isFiltered && wantsTree(view, rules));
  if (wanted.length === 0) return batch.map((file) => ({ ...file, tree: null }));
  const [syntax, texts] = await Promise.all([
    deps.degradations.optional("syntax trees", deps.loadSyntax),
    deps.degradations.optional("file contents", () =>
      readTexts(
        wanted.map(({ view }) => view.file),
        task.change,
        deps.repository,
      ),
    ),
  ]);
  const isWanted = new Set(wanted);
  return batch.map(async (file) => {
    if (!isWanted.has(file) || syntax === null) return { ...file, tree: null };
    const text = texts?.get(file.view.path);
    if (text === undefined) deps.degradations.note("whole files", READ_FROM_DIFF);
    const view = text === undefined ? withHunksLaidOut(file.view) : withText(file.view, text);
    const tree = await deps.degradations.optional("syntax trees", () => parseView(view, syntax, deps));
    return { ...file, view, tree };
  });
}

async function parseView({ language, lines }: FileView, syntax: Syntax, { degradations }: FloorDeps) {
  if (!syntax.supports(language)) {
    degradations.note(
      `syntax of ${language}`,
      "its optional parser package is not installed: rules that read syntax did not run",
    );
    return null;
  }
  const tree = await syntax.parseAside(language, (lines ?? []).join("\n"));
  if (tree === null)
    degradations.note("large files", "too large to parse: rules that read syntax did not run");
  return tree;
}

/** A rule that fails is a defect of ours: the file is told as not reviewed, the review goes on. */
function tryFile(file: ReadFile, deps: FloorDeps): readonly Finding[] | null {
  try {
    return reviewFile(file.view, file.rules, file.config, file);
  } catch (error) {
    deps.degradations.note("a rule failed", `${file.view.path}: ${messageOf(error)}`);
    return null;
  }
}

/** Only the question whether tests were forgotten needs the list; a change with tests in it does not ask. */
async function pathsForRules({ analysis, listing }: FloorTask): Promise<ReadonlySet<string> | null> {
  return analysis.files.some(({ category }) => category === "test") ? null : listing();
}

function reviewWhole(
  { change, config, rules, planned }: FloorTask & WholeRun,
  repositoryPaths: ReadonlySet<string> | null,
): readonly Finding[] {
  const view = { change, files: planned.map((file) => file.view), repositoryPaths };
  return reviewWholeChange(view, rules, (path) => config.forPath(path));
}
