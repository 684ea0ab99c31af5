/**
 * What a tool is: one thing a model may ask for, in a file of its own and one line in tools.ts. Tools read git objects and
 * write the notebook, nothing else. What goes wrong is text for the model, never an exception.
 */
import type * as z from "zod";
import type { Reader } from "../reading/reader.ts";
import type { Repository, Revision } from "../repository/repository.ts";
import type { Analysis } from "../review/analysis/analysis.ts";
import type { Change } from "../review/change/change.ts";
import type { CheckReport } from "../review/context/check-report.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import type { Notebook } from "./notebook.ts";
import type { Shown } from "./shown.ts";

/** What reading tools see. */
export type ReadContext = {
  readonly change: Change;
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  /** Where the new side of the change is read. */
  readonly head: Revision;
  /** Commit of the old side; null when there is none. */
  readonly base: string | null;
  readonly reader: Reader;
  /** Checks of the head commit; null where there is nobody to ask. */
  readonly readChecks: (() => Promise<readonly CheckReport[]>) | null;
  readonly guard: Guard;
  readonly signal: AbortSignal;
};

/** What recording tools need besides. */
export type ReviewContext = ReadContext & {
  readonly analysis: Analysis;
  readonly notebook: Notebook;
  readonly pass: { readonly name: string; readonly paths: ReadonlySet<string> };
  /** What the model was shown, in the prompt or by a tool; tools that show something note it there. */
  readonly shown: Shown;
  /** True when the time is nearly over: nothing more is asked of the model than to finish. */
  readonly isLate?: () => boolean;
};

/** One line of what an answer shows of the repository. */
export type DataLine = {
  /**
   * Before the text: ours, or through the guard already. Null: the line is not shown, and here only so that what spans
   * lines is recognised.
   */
  readonly prefix: string | null;
  /** As it stands in the repository; the toolbox takes it through the guard. */
  readonly text: string;
  /** More of the text is not shown. It is cut behind the guard, which would not recognise half of a secret. */
  readonly maxChars?: number;
};

export type ToolResult = {
  /** Ours: of the repository it holds nothing but paths that went through `namePath`. */
  readonly text: string;
  /** Put below the text by the toolbox, guarded and fenced. */
  readonly data?: readonly DataLine[];
  readonly isError?: boolean;
  /** The review is over. */
  readonly isFinal?: boolean;
};

export type Tool<Context, Args = unknown> = {
  readonly name: string;
  /** For the model: what it does, and its limits. */
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  execute(args: Args, context: Context): Promise<ToolResult>;
};
