/** What a command is. Each lives in a file of its own and has one line in cli.ts. */
import type { CommandLineModelFailure } from "./describe-model-failure.ts";
import type { Settings } from "../config/settings.ts";
import type { Publisher } from "../forge/forge.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import type { ModelStop } from "../jobs/model-review/stoppable-models.ts";
import type { Reader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import type { OutputFormat } from "../review/publication/output-format.ts";
import type { MoveReport, MoveControls } from "../store/move/move-report.ts";
import type { App, PullRequestAddress, PullRequestView, Records } from "./app.ts";
import type { ExitCode } from "./exit-code.ts";

export type OptionSpec = {
  readonly type: "string" | "boolean";
  /** How the value is named in the help: "REF". */
  readonly value?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  readonly help: string;
};

export type ParsedArguments = {
  readonly options: Readonly<Record<string, string | true>>;
  readonly positionals: readonly string[];
};

export type Command = {
  /** One or two words. */
  readonly name: string;
  /** What it takes besides options: "PATH", or "" for nothing. */
  readonly takes: string;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly description: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly { readonly line: string; readonly says: string }[];
  run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode>;
};

export type TextSink = {
  readonly isTerminal: boolean;
  /** Columns of the terminal; null when it is none. */
  readonly columns: number | null;
  write(text: string): void;
};

export type TerminalOptions = {
  readonly format: OutputFormat;
  readonly color: boolean;
  readonly width: number;
  readonly write: (text: string) => Promise<void>;
};

export type ModelOptions = {
  /** `--model`, or "--offline" where that was given; null for neither. */
  readonly asked: string | null;
  /** `--budget-usd`; null when it was not given. */
  readonly budgetUsd: number | null;
  /** The configuration was given with `--config`, so that what it names is the person's own choice. */
  readonly isOwnConfig: boolean;
};

/** A model that was not asked for by hand, and why it is used: "OPENAI_API_KEY is set". */
export type AnnouncedModel = { readonly model: string; readonly because: string };

export type ModelWatch = {
  /** Somebody may stop them by hand. */
  readonly stop?: ModelStop;
  /** Where one was asked in vain; left out: it's told on standard error. */
  readonly tell?: (trouble: CommandLineModelFailure) => void;
  /** Called before a model that nobody asked for by hand is used; left out: it's told on standard error. */
  readonly announce?: (choice: AnnouncedModel) => void;
};

export type McpRequest = {
  /** `--base`; null: found by itself. */
  readonly base: string | null;
  readonly models: ModelOptions;
};

export type WriteOptions = {
  readonly overwrite: boolean;
  /** For the owner's eyes only. */
  readonly isPrivate?: boolean;
};

/** The outside world as commands see it; main.ts chooses the adapters. */
export type CliDeps = {
  readonly settings: Settings;
  readonly cwd: string;
  readonly version: string;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Aborted by Ctrl-C and SIGTERM: whatever is done is not wanted any more. */
  readonly signal: AbortSignal;
  /** From now on the first Ctrl-C is told here and aborts nothing; the next one aborts `signal`. */
  readonly onFirstStop: (listener: () => void) => void;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** Bytes as latin1; "-" is standard input. */
  readonly readInput: (path: string) => AsyncIterable<string>;
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  readonly writeFile: (path: string, text: string, options: WriteOptions) => Promise<void>;
  readonly openRepository: () => Promise<Repository>;
  /** Rules and parsers, in a process of their own. */
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** The GitHub App; needs its settings. */
  readonly openApp: () => Promise<App>;
  readonly openRecords: () => Promise<Records>;
  /** Moves the database of an address into the one that is set. */
  readonly moveStore: (from: string, controls: MoveControls) => Promise<MoveReport>;
  /** A pull request as anybody may read it, or with the credentials that are set. */
  readonly openPullRequest: (
    address: PullRequestAddress,
    onStage: (stage: string) => void,
  ) => Promise<PullRequestView>;
  /** Models of this machine, for a review here and now. */
  readonly openModels: (options: ModelOptions, watch?: ModelWatch) => Promise<ModelAccess>;
  /** Serves the repository to other programs; resolves when the other side is gone. */
  readonly serveMcp: (request: McpRequest) => Promise<void>;
  readonly createTerminalForge: (options: TerminalOptions) => Promise<Publisher>;
};
