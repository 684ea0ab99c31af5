/**
 * Lets the floor review a change: reads the files whose syntax trees are wanted, in batches, keeps to the deadline, and
 * accounts for every file that was not read.
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
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
import type { Syntax } from "../../syntax/syntax.ts";
import type { Degradations } from "./optional.ts";
import { readTexts } from "./read-texts.ts";

/** Parsed trees are freed only when the event loop turns; more files at a time let memory grow. */
const FILES_PER_BATCH = 20;

export type FloorTask = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly config: ConfigTree;
  readonly repositoryPaths: ReadonlySet<string> | null;
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

export async function runFloor(task: FloorTask, deps: FloorDeps): Promise<FloorOutcome> {
  const planned = planFiles(task);
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
    for (const file of await readBatch(batch, task, deps)) {
      const result = tryFile(file, deps);
      if (result === null) failedPaths.add(file.view.path);
      else findings.push(...result);
    }
    deps.onProgress(Math.min(start + FILES_PER_BATCH, planned.length), planned.length);
    await yieldToEventLoop();
  }
  const whole = await deps.degradations.optional("rules over the whole change", async () =>
    reviewChange(task, planned),
  );
  return {
    findings: [...findings, ...(whole ?? [])],
    coverage: { isFloorOn: task.config.root.values.floor.enabled, failedPaths, unreadPaths },
    rulesRun: activeRules(ALL_RULES, task.config.root).length,
  };
}

function planFiles({ change, analysis, config }: FloorTask): readonly PlannedFile[] {
  const rulesByConfig = new Map<LoadedConfig, readonly FloorRule[]>();
  const rulesFor = (loaded: LoadedConfig): readonly FloorRule[] => {
    const rules = rulesByConfig.get(loaded) ?? activeRules(ALL_RULES, loaded);
    rulesByConfig.set(loaded, rules);
    return rules;
  };
  return change.files.flatMap((file) => {
    const facts = analysis.byPath.get(file.path);
    if (facts === undefined) return [];
    const loaded = config.forPath(file.path);
    const isFiltered = facts.mark !== null || facts.isSkipped;
    return [{ view: viewFile(file, facts), config: loaded, rules: rulesFor(loaded), isFiltered }];
  });
}

/** Gives each file that a tree rule wants its text, and makes sure there is a parser. */
async function readBatch(batch: readonly PlannedFile[], task: FloorTask, deps: FloorDeps) {
  const wanted = new Set(
    batch.filter(({ view, rules, isFiltered }) => !isFiltered && wantsTree(view, rules)),
  );
  if (wanted.size === 0) return batch.map((file) => ({ ...file, syntax: null }));
  const syntax = await deps.degradations.optional("syntax trees", deps.loadSyntax);
  const texts = await deps.degradations.optional("file contents", () =>
    readTexts(
      [...wanted].map(({ view }) => view.file),
      task.change,
      deps.repository,
    ),
  );
  return batch.map((file) => {
    if (!wanted.has(file)) return { ...file, syntax: null };
    const text = texts?.get(file.view.path);
    if (text === undefined) {
      deps.degradations.note(
        "whole files",
        "not available: rules that read syntax saw the lines of the diff only",
      );
    }
    if (syntax !== null && !syntax.supports(file.view.language)) {
      deps.degradations.note(
        `syntax of ${file.view.language}`,
        "its optional parser package is not installed: rules that read syntax did not run",
      );
    }
    return {
      ...file,
      syntax,
      view: text === undefined ? withHunksLaidOut(file.view) : withText(file.view, text),
    };
  });
}

/** A rule that fails is a defect of ours: the file is told as not reviewed, the review goes on. */
function tryFile(
  file: PlannedFile & { readonly syntax: Syntax | null },
  deps: FloorDeps,
): readonly Finding[] | null {
  try {
    return reviewFile(file.view, file.rules, file.config, file);
  } catch (error) {
    deps.degradations.note(
      "a rule failed",
      `${file.view.path}: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

function reviewChange(
  { change, config, repositoryPaths }: FloorTask,
  planned: readonly PlannedFile[],
): readonly Finding[] {
  const view = { change, files: planned.map((file) => file.view), repositoryPaths };
  return reviewWholeChange(view, activeRules(ALL_RULES, config.root), (path) => config.forPath(path));
}
