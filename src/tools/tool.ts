/**
 * The type of a tool: one operation that a model can call, with its own file and one line in tools.ts. Tools read git objects
 * and write the notebook, nothing else. A mistake of the model is answered with text, not with an exception.
 */
import type * as z from "zod";
import type { Reader } from "../reading/reader.ts";
import type { Repository, Revision } from "../repository/repository.ts";
import type { Analysis } from "../review/analysis/analysis.ts";
import type { Change } from "../review/change/change.ts";
import type { HunksToRead } from "../review/change/scope.ts";
import type { CodeLookup } from "../review/context/code-lookup.ts";
import type { CheckReport } from "../review/context/check-report.ts";
import type { ReportedBefore } from "../review/context/context.ts";
import type { DependencyReader } from "../review/context/dependency-reader.ts";
import type { ListedFinding } from "../review/findings/disputable.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import type { Notebook } from "./notebook.ts";
import type { Shown } from "./shown.ts";

/** The context of reading tools. */
export type ReadContext = {
  readonly change: Change;
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  /** Where the new side of the change is read. */
  readonly head: Revision;
  /** Commit of the old side; null when there is none. */
  readonly base: string | null;
  readonly reader: Reader;
  /** Checks of the head commit; null without a forge. */
  readonly readChecks: (() => Promise<readonly CheckReport[]>) | null;
  /** Tells what imports prove about names; null when the code index isn't available. */
  readonly code: CodeLookup | null;
  readonly guard: Guard;
  readonly signal: AbortSignal;
};

/** The context of recording tools. */
export type ReviewContext = ReadContext & {
  readonly analysis: Analysis;
  readonly notebook: Notebook;
  /** Findings of rules and linters in the prompt. */
  readonly evidence: readonly ListedFinding[];
  /** Findings of earlier reviews that the model is to check again. */
  readonly toCheckAgain: readonly ReportedBefore[];
  readonly pass: { readonly name: string; readonly paths: ReadonlySet<string> };
  /** The other hunks were read in an earlier review. */
  readonly hunksToRead: HunksToRead;
  /** Everything that the model has seen, in the prompt or through a tool; tools that show something note it here. */
  readonly shown: Shown;
  /** Null when no package of the change can be looked up. */
  readonly dependencyReader: DependencyReader | null;
  /** True when time is nearly up: the model should only finish. */
  readonly isLate?: () => boolean;
};

/** The context of the tool that answers a question. */
export type AnswerContext = ReadContext & {
  /** As the model wrote it; null until it has answered. */
  readonly answer: { text: string | null };
};

/** One line of the repository in an answer. */
export type DataLine = {
  /**
   * The text before `text`: fixed, or already guarded. Null: the line isn't shown, and is here only so that secrets that
   * span lines are recognized.
   */
  readonly prefix: string | null;
  /** The raw text of the repository; the toolbox guards it. */
  readonly text: string;
  /** The rest of the text isn't shown. It is cut after guarding, because half of a secret wouldn't be recognized. */
  readonly maxChars?: number;
};

export type ToolResult = {
  /** Fixed text; of the repository it contains only paths that went through `namePath`. */
  readonly text: string;
  /** The toolbox puts it below the text, guarded and fenced. */
  readonly data?: readonly DataLine[];
  readonly isError?: boolean;
  /** The review or the conversation is over. */
  readonly isFinal?: boolean;
};

export type Tool<Context, Args = unknown> = {
  readonly name: string;
  /** For the model: the effect and the limits of the tool. */
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  /** False where the tool could only refuse. Omitted: it is always offered. */
  isOffered?(context: Context): boolean;
  execute(args: Args, context: Context): Promise<ToolResult>;
};
