/**
 * The Reader port: tasks on the text of a change that need a parser or the built-in rules. Hostile text can make either
 * slow, use too much memory or crash, so a Reader limits every task and returns an exceeded limit as a value. It never
 * affects the caller's process.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { ApiDifference } from "../languages/api/api-difference.ts";
import type { WantedPackage } from "../ecosystems/api/uses/find-uses.ts";
import type { FileUses, UsingFile } from "../languages/uses/package-uses.ts";
import type { ArchiveFormat, ArchiveRoot } from "../registries/archives.ts";
import type { ChangelogSection } from "../ecosystems/changelog/split-changelog.ts";
import type { PackageSource } from "../languages/api/package-source.ts";
import type { Lookup, PackageId } from "../ecosystems/lookups.ts";
import type { FileAnalysis } from "../review/analysis/analysis.ts";
import type { DependencyReport } from "../ecosystems/dependency-report.ts";
import type { DependencyChanges } from "../ecosystems/package-change.ts";
import type { FilePair, PairReading } from "../ecosystems/read-pair.ts";
import type { RegistrySources, SourceFile } from "../ecosystems/sources/registry-source.ts";
import type { ExportTexts } from "../languages/exports/compare-exports.ts";
import type { BrokenExport, ExportChange, FileReferences } from "../languages/exports/export-change.ts";
import type { ChangedModule } from "../languages/exports/find-broken-exports.ts";
import type { ReferencingFile } from "../languages/exports/reference-reader.ts";
import type { Outline } from "../languages/outline/outline.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { CheckGap } from "../review/findings/check-gap.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { ParseComparison } from "../review/findings/verify-suggestion.ts";
import type { NameRole } from "../syntax/name-roles.ts";
import type { TaskRunner } from "../base/task-process/task-runner.ts";

/** Facts about a file that rules need in addition to its diff. */
export type RuleFile = Pick<FileAnalysis, "path" | "language" | "category"> & {
  /** Rule settings that apply to this path. */
  readonly floor: RepoConfig["floor"];
};

export type FileReading = {
  readonly file: ChangedFile;
  readonly facts: RuleFile;
  /** The complete file at the head; null when only the diff is known; "unread" when it can be read if needed. */
  readonly text: { readonly whole: string } | "unread" | null;
  /** Lock files, generated and skipped files: only rules with `everywhere` check them. */
  readonly isFiltered: boolean;
};

/** "text-wanted": a rule needs the complete file, and nothing was reviewed yet. */
export type FileRead = "text-wanted" | ReviewedFile;

export type ReviewedFile = {
  readonly findings: readonly Finding[];
  /** Rules that reached their work limit: their findings are valid, but they didn't check the whole file. */
  readonly stoppedRules: readonly string[];
  /** Inputs that rules lacked. */
  readonly gaps: readonly CheckGap[];
};

export type ChangeReading = {
  readonly change: Change;
  /** One per file that rules can read, in the order of the change. */
  readonly facts: readonly RuleFile[];
  /** Settings at the root, also for findings without a file. */
  readonly floor: RepoConfig["floor"];
  /** Every path at the head; null when unknown. */
  readonly repositoryPaths: ReadonlySet<string> | null;
  /** Paths that the configuration lists as guidelines. Omitted: none. */
  readonly guidelineFiles?: readonly string[];
  /** Null or omitted when the change touches no dependency. */
  readonly dependencies?: DependencyReport | null;
  /** Omitted: none. */
  readonly brokenExports?: readonly BrokenExport[];
  /** Whole files by path. Omitted: none. */
  readonly translations?: ReadonlyMap<string, string>;
};

export type ReviewedChange = {
  readonly findings: readonly Finding[];
  /** Ids of the enabled rules. */
  readonly rules: readonly string[];
  /** Those that also check lock files, generated and skipped files. */
  readonly rulesForAll: readonly string[];
};

export type ApiReading = {
  readonly id: PackageId;
  /** The files that `apiFilesOf` accepts. */
  readonly before: PackageSource;
  readonly after: PackageSource;
};

/** The archive of a package. */
export type ArchiveBytes = {
  readonly base64: string;
  readonly format: ArchiveFormat;
  readonly root: ArchiveRoot;
};

/** A file to lex or to parse. */
export type CodeText = { readonly language: string; readonly text: string };

/** Every task of a Reader, with its input and its result. */
export type ReaderTasks = {
  readonly "review-file": { readonly takes: FileReading; readonly gives: FileRead };
  /** Small files together, in order: a message for each would take longer than its rules. */
  readonly "review-files": {
    readonly takes: { readonly files: readonly FileReading[] };
    readonly gives: readonly FileRead[];
  };
  readonly "review-change": { readonly takes: ChangeReading; readonly gives: ReviewedChange };
  readonly "compare-parses": {
    readonly takes: { readonly language: string; readonly before: string; readonly after: string };
    readonly gives: ParseComparison;
  };
  readonly "read-dependencies": {
    readonly takes: { readonly pair: FilePair };
    readonly gives: PairReading;
  };
  readonly "compare-dependencies": {
    readonly takes: { readonly pairs: readonly PairReading[] };
    readonly gives: DependencyChanges;
  };
  readonly "read-registry-sources": {
    readonly takes: { readonly files: readonly (SourceFile & { readonly text: string })[] };
    readonly gives: RegistrySources;
  };
  /** Facts in the order of the files, each as text of `encodeFacts`. */
  readonly "extract-facts": {
    readonly takes: { readonly files: readonly CodeText[] };
    readonly gives: readonly string[];
  };
  /** Outlines in the order of the files; null for one that can't be parsed. */
  readonly "outline-files": {
    readonly takes: { readonly files: readonly CodeText[] };
    readonly gives: readonly (Outline | null)[];
  };
  /** Changed exports in the order of the files. */
  readonly "compare-exports": {
    readonly takes: { readonly files: readonly ExportTexts[] };
    readonly gives: readonly (readonly ExportChange[])[];
  };
  /** The imports of files, and how the files use the wanted names. Files that can't be parsed are left out. */
  readonly "find-references": {
    readonly takes: { readonly files: readonly ReferencingFile[]; readonly wanted: readonly string[] };
    readonly gives: readonly FileReferences[];
  };
  /** Which of the files still use a changed export as it was. */
  readonly "find-broken-exports": {
    readonly takes: {
      readonly modules: readonly ChangedModule[];
      readonly files: readonly FileReferences[];
      /** Every path at the head. */
      readonly paths: ReadonlySet<string>;
      /** Texts of the files that `isResolutionManifest` accepts. */
      readonly manifests: ReadonlyMap<string, string>;
      /** Texts of the files that `isProjectFile` accepts, where the code is C#. */
      readonly projects: ReadonlyMap<string, string>;
    };
    readonly gives: readonly BrokenExport[];
  };
  /** The role of a name on each line where it occurs; null when the text can't be parsed. */
  readonly "name-roles": {
    readonly takes: { readonly language: string; readonly text: string; readonly name: string };
    readonly gives: ReadonlyMap<number, NameRole> | null;
  };
  /** The API difference of two versions of a package, and the names that code imports to use it. */
  readonly "compare-api": {
    readonly takes: ApiReading;
    /** `difference` is null when the ecosystem isn't supported. */
    readonly gives: { readonly difference: ApiDifference | null; readonly importNames: readonly string[] };
  };
  /** The paths of all files of a package. */
  readonly "list-archive": { readonly takes: ArchiveBytes; readonly gives: Lookup<readonly string[]> };
  readonly "read-archive": {
    readonly takes: ArchiveBytes & { readonly paths: ReadonlySet<string> };
    readonly gives: Lookup<PackageSource>;
  };
  readonly "split-changelog": {
    readonly takes: { readonly text: string };
    readonly gives: readonly ChangelogSection[];
  };
  /** Where files use a package. Files whose language can't use it are left out. */
  readonly "find-uses": {
    readonly takes: { readonly files: readonly UsingFile[]; readonly wanted: WantedPackage };
    readonly gives: readonly FileUses[];
  };
};

export type Reader = TaskRunner<ReaderTasks>;

/** Those that need no rule. */
export type CodeTasks = Pick<ReaderTasks, "extract-facts" | "outline-files" | "name-roles">;

/** A Reader that only reads code. Every Reader is one. */
export type CodeReader = TaskRunner<CodeTasks>;
