/**
 * A set: pull requests with known answers. On disk it's a folder of JSON, which docs/evaluation.md describes. A set of defects has answers; a
 * sound pull request has none, and every finding on it is one too many.
 *
 * A schema and its type share one name.
 */
import * as z from "zod";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";

/** Raised with every change after which an older version couldn't read a set. */
export const SET_FORMAT = 1;

/** One thing that a reviewer should say. */
export const KnownAnswer = z
  .object({
    /** Unique within its case. */
    id: z.string().min(1),
    path: z.string().min(1).nullable(),
    side: z.enum(["new", "old"]).default("new"),
    /** First and last line, 1-based and inclusive, of the head or, for "old", of the base. Null when the set doesn't know: then only topics are compared. */
    lines: z
      .tuple([z.int().min(1), z.int().min(1)])
      .readonly()
      .nullable(),
    /** Null when the set doesn't say. */
    severity: z.enum(SEVERITIES).nullable(),
    category: z.enum(CATEGORIES).nullable(),
    /** The problem in one sentence. */
    sentence: z.string().min(1),
  })
  .readonly();
export type KnownAnswer = z.infer<typeof KnownAnswer>;

/** One pull request. */
export type EvaluationCase = {
  /** Unique within the set; letters, digits, dots, dashes and underscores. */
  readonly id: string;
  readonly title: string;
  /** The description of the pull request; may be empty. */
  readonly body: string;
  /** The main language of the change, for which the case counts: "TypeScript". */
  readonly language: string;
  /** A sound case has no answers and must get no finding. */
  readonly isSound: boolean;
  readonly answers: readonly KnownAnswer[];
  /** Where the code is. `commits` are in a repository on this machine, given by the name that the set uses for it. */
  readonly code:
    | { readonly kind: "texts"; readonly repository: string; readonly files: CaseFiles }
    | { readonly kind: "commits"; readonly repository: string; readonly base: string; readonly head: string };
};

/** Whole texts by path. The head has the files of the base, except those that the change replaces or, with null, deletes. */
export type CaseFiles = {
  readonly base: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, string | null>>;
};

/** A case that can't be used, or a file that can't be read, with what to do. The other cases are still used. */
export type SetProblem = { readonly where: string; readonly problem: string };

export type EvaluationSet = {
  readonly name: string;
  /** Changes with every change of a case, so that results aren't compared across versions. */
  readonly version: string;
  readonly cases: readonly EvaluationCase[];
  readonly problems: readonly SetProblem[];
  /** Remarks on cases that are used, such as commits that replace others. Missing: nothing. */
  readonly notes?: readonly SetProblem[];
};
