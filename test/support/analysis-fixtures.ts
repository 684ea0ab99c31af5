/** Small changes and configurations for tests of the analysis. Every field has a neutral value. */
import type { ConfigTree, LoadedConfig } from "../../src/config/repo-config/repo-config.ts";
import { compileSafePattern } from "../../src/config/repo-config/safe-pattern.ts";
import { RepoConfigSchema } from "../../src/config/repo-config/schema.ts";
import { analyseChange } from "../../src/review/analysis/analyse-change.ts";
import type { Analysis, FileAnalysis } from "../../src/review/analysis/analysis.ts";
import type { Change, ChangedFile, Commit } from "../../src/review/change/change.ts";

/** `lines` are the lines of one hunk with their diff signs. */
export function changedFile(
  given: Partial<ChangedFile> & {
    readonly path: string;
    readonly lines?: readonly string[];
    readonly newStart?: number;
  },
): ChangedFile {
  const { lines, newStart = 1, ...rest } = given;
  const status = given.status ?? "added";
  return {
    oldPath: status === "added" ? null : given.path,
    status,
    oldMode: status === "added" ? null : "100644",
    newMode: status === "deleted" ? null : "100644",
    oldBlob: null,
    newBlob: null,
    addedLines: lines?.filter((line) => line.startsWith("+")).length ?? 0,
    removedLines: lines?.filter((line) => line.startsWith("-")).length ?? 0,
    hunks: lines === undefined ? [] : [{ oldStart: newStart, newStart, section: "", lines }],
    unreadable: null,
    cutLines: [],
    ...rest,
  };
}

export function changeOf(files: readonly ChangedFile[], given: Partial<Change> = {}): Change {
  return {
    kind: "pull-request",
    description: "feature against main",
    title: "",
    body: "",
    base: null,
    head: null,
    commits: [],
    files,
    notes: [],
    ...given,
  };
}

export function commitOf(subject: string, body = ""): Commit {
  return { id: "0".repeat(40), subject, body, author: "Ada" };
}

export function fileAnalysis(given: Partial<FileAnalysis> & { readonly path: string }): FileAnalysis {
  return {
    category: "source",
    language: "typescript",
    mark: null,
    isSkipped: false,
    risk: 50,
    tier: "full",
    ...given,
  };
}

/** The configuration of a `.kodiai.yml` that contains exactly `written`. */
export function configOf(written: unknown = {}): LoadedConfig {
  return {
    values: RepoConfigSchema.parse(written),
    isSet: (key) => key.split(".").reduce<unknown>(valueAt, written) !== undefined,
    originOf: () => "default",
  };
}

export function configTreeOf(root: LoadedConfig = configOf()): ConfigTree {
  return { root, forPath: () => root, compilePattern: compileSafePattern, problems: [], files: [] };
}

/** The analysis of an explicitly requested review with an unknown author. */
export function analysisOf(change: Change, config: ConfigTree = configTreeOf()): Analysis {
  return analyseChange(change, {
    config,
    attributes: new Map(),
    author: { association: null, mergedPullRequests: null },
    isDependencyBump: false,
    isExplicit: true,
    tags: "all",
  });
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
