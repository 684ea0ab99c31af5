/** The type of a command. Each command has its own file and an entry in cli.ts. */
import type { CheckLine } from "../doctor/check.ts";
import type { DoctorRequest } from "../doctor/doctor-request.ts";
import type { Analysers } from "../linters/analysers.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import type { CommandLineModelFailure } from "./describe-model-failure.ts";
import type { Settings } from "../config/settings.ts";
import type { EcosystemId } from "../ecosystems/ecosystem.ts";
import type { EvaluationSource, EvaluationSources } from "../evaluation/run/evaluation-sources.ts";
import type { Publisher, PullRequestAddress } from "../forge/forge.ts";
import type { DependencyLookups } from "../jobs/gathering/dependencies/report-deps.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import type { ModelStop } from "../jobs/model-review/stoppable-models.ts";
import type { Exchange } from "../model/exchange.ts";
import type { CodeReader, Reader } from "../reading/reader.ts";
import type { RemoteRange, Repository } from "../repository/repository.ts";
import type { OutputFormat } from "../review/publication/output-format.ts";
import type { BackupControls, StoreBackup } from "../store/store-backup.ts";
import type { MoveReport, MoveControls } from "../store/move/move-report.ts";
import type { CountTokens } from "../tokenizer/tokenizer.ts";
import type {
  App,
  DashboardOptions,
  OneShot,
  OneShotGiven,
  PullRequestView,
  Records,
  Running,
} from "./app.ts";
import type { EvaluationAccess } from "./evaluation-access.ts";
import type { ExitCode } from "./exit-code.ts";
import type { WriteOptions } from "./files.ts";
import type { MemoryFile } from "./memory-file.ts";
import type { OutputFolder } from "./output-folder.ts";
import type { CliSetup } from "./setup/registrar.ts";

export type OptionSpec = {
  readonly type: "string" | "boolean";
  /** Name of the value in the help: "REF". */
  readonly value?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** The option can be set several times; its values are in `lists`. */
  readonly isRepeatable?: true;
  readonly help: string;
};

export type ParsedArguments = {
  readonly options: Readonly<Record<string, string | true>>;
  /** The values of each repeatable option that is set. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly positionals: readonly string[];
};

export type Command = {
  /** One or two words. */
  readonly name: string;
  /** Positional arguments as shown in the help: "PATH", or "" for none. */
  readonly argumentNames: string;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly description: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly { readonly line: string; readonly comment: string }[];
  run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode>;
};

export type TextSink = {
  readonly isTerminal: boolean;
  /** Width of the terminal; null if it isn't one. */
  readonly columns: number | null;
  write(text: string): void;
};

export type TerminalOptions = {
  readonly format: OutputFormat;
  readonly color: boolean;
  readonly width: number;
  /** Shows at most this many findings; terminal only. Omitted: all. */
  readonly max?: number;
  /** Shows findings of earlier reviews in full; terminal only. Omitted: only when nothing is new. */
  readonly isAll?: boolean;
  readonly write: (text: string) => Promise<void>;
};

export type ModelOptions = {
  /** Value of `--model`, or "--offline" if that is set; null for neither. */
  readonly requested: string | null;
  /** `--budget-usd`; null if not set. */
  readonly budgetUsd: number | null;
  /** The configuration comes from `--config`, so its model is the user's own choice. */
  readonly isOwnConfig: boolean;
  /** For a deep review, which has settings of its own. Left out: no. */
  readonly isDeep?: boolean;
  /** The command does nothing without a model. Left out: no. */
  readonly isNeeded?: boolean;
};

/** A model that the user didn't name with `--model`, and why Kodiai uses it: "OPENAI_API_KEY is set". */
export type AnnouncedModel = { readonly model: string; readonly because: string };

export type ModelWatch = {
  /** Lets the user stop the models. */
  readonly stop?: ModelStop;
  /** Called for each failed request. By default, the failure is printed to standard error. */
  readonly onFailure?: (failure: CommandLineModelFailure) => void;
  /** Called before the first use of a model that the user didn't name. By default, it's printed to standard error. */
  readonly announce?: (choice: AnnouncedModel) => void;
  /** Left out: every request goes to the provider. */
  readonly exchange?: Exchange;
};

export type McpRequest = {
  /** `--base`; null to detect it. */
  readonly base: string | null;
  readonly models: ModelOptions;
};

/** Files that the user names, and folders that Kodiai keeps for them. */
export type CliFiles = {
  /** Bytes as latin1; "-" is standard input. */
  readonly readInput: (path: string) => AsyncIterable<string>;
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  readonly writeFile: (path: string, text: string, options: WriteOptions) => Promise<void>;
  /** Streams text to a file that only its owner can read and that appears when it's complete, or to standard output for "-". */
  readonly writeStream: (path: string, texts: AsyncIterable<string>) => Promise<void>;
  /** The folder for a command's files; null for a new one in the user's cache. */
  readonly openOutputFolder: (wanted: string | null) => Promise<OutputFolder>;
  /** The memory of reviews in git's own folder; `key` consists of hex digits. */
  readonly openMemoryFile: (gitFolder: string, key: string) => Promise<MemoryFile>;
};

/** Commits on a code host. */
export type RangeRequest = {
  readonly apiUrl: string;
  readonly cloneUrl: string;
  /** Null for anonymous access. */
  readonly token: string | null;
  /** Folder for the fetched commits. */
  readonly dataFolder: string;
  readonly range: RemoteRange;
  readonly onStage: (stage: string) => void;
};

/** `mergeBase` is null if the commits have no history in common. */
export type RangeView = { readonly repository: Repository; readonly mergeBase: string | null };

/** The code that a command is about, and what reads it. */
export type CliCode = {
  readonly openRepository: () => Promise<Repository>;
  /** Null if it isn't the address of a pull request. */
  readonly parsePullRequestUrl: (text: string) => PullRequestAddress | null;
  /** Fetches a pull request, with the user's token if one is set. */
  readonly openPullRequest: (
    address: PullRequestAddress,
    onStage: (stage: string) => void,
  ) => Promise<PullRequestView>;
  /** Fetches commits and what they are compared with. */
  readonly openRange: (request: RangeRequest) => Promise<RangeView>;
  /** Rules and parsers, in a separate process. */
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** Parsers alone, in a separate process that starts sooner. */
  readonly openCodeReader: (signal: AbortSignal) => Promise<CodeReader>;
  /** Facts about the files of a repository, cached in the user's cache. */
  readonly openCodeIndex: (given: {
    readonly repository: Repository;
    readonly reader: CodeReader;
  }) => Promise<CodeIndex>;
  /** Loads the vocabulary, which takes a moment. */
  readonly openTokenizer: () => Promise<CountTokens>;
  /** Linters, each in a separate process. */
  readonly openAnalysers: () => Promise<Analysers>;
};

/** The GitHub App and its database, which an operator runs. */
export type CliInstallation = {
  /** Requires the App's settings. */
  readonly openApp: () => Promise<App>;
  /** Whether settings are there that only the App has. */
  readonly hasApp: () => Promise<boolean>;
  /** Without the App: with a given token. */
  readonly openOneShot: (given: OneShotGiven) => Promise<OneShot>;
  /** `mayCreate`: a database that doesn't exist yet is created. */
  readonly openRecords: (options?: { readonly mayCreate?: boolean }) => Promise<Records>;
  /** The dashboard as a process of its own. */
  readonly serveDashboard: (options: DashboardOptions) => Promise<Running>;
  /** Moves the database at an address to the one in DATABASE_URL. */
  readonly moveStore: (from: string, controls: MoveControls) => Promise<MoveReport>;
  /** Checks the installation, or what there is of one. Changes nothing that a user would notice. */
  readonly examine: (request: DoctorRequest) => Promise<readonly CheckLine[]>;
  /** Copies the SQLite database in DATABASE_URL to a file. */
  readonly backUpStore: (to: string, controls: BackupControls) => Promise<readonly StoreBackup[]>;
};

/** Null: the default. */
export type AdvisoryRequest = {
  readonly ecosystem: EcosystemId;
  /** `--to` */
  readonly to: string | null;
  /** `--from` */
  readonly from: string | null;
  readonly onProgress: (what: string) => void;
};

/** A copy of advisories that is complete. `newest`: the date of the newest one, ISO 8601. */
export type FetchedAdvisories = {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
  readonly newest: string;
};

/** Everything outside the commands. main.ts chooses the adapters. */
export type CliDeps = {
  readonly settings: Settings;
  readonly cwd: string;
  readonly version: string;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Aborted by Ctrl-C and SIGTERM: all work should stop. */
  readonly signal: AbortSignal;
  /** From now on the first Ctrl-C calls the listener instead of aborting `signal`; the next one aborts it. */
  readonly onFirstInterrupt: (listener: () => void) => void;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly files: CliFiles;
  readonly code: CliCode;
  /** Package registries, changelogs and advisories. Offline, they answer from what is on this machine. */
  readonly lookups: (options: { readonly isOffline: boolean }) => DependencyLookups;
  /** Downloads the advisories of one ecosystem. */
  readonly fetchAdvisories: (request: AdvisoryRequest) => Promise<FetchedAdvisories>;
  readonly installation: CliInstallation;
  /** GitHub and the machine, for `kodiai setup`. */
  readonly openSetup: () => Promise<CliSetup>;
  /** Models for a command-line review. */
  readonly openModels: (options: ModelOptions, watch?: ModelWatch) => Promise<ModelAccess>;
  /** Git for evaluation sets. */
  readonly openEvaluationAccess: () => Promise<EvaluationAccess>;
  /** The set of an evaluation, and the code of its cases. */
  readonly openEvaluation: (source: EvaluationSource) => Promise<EvaluationSources>;
  /** Serves the repository to other programs. Resolves when the client disconnects. */
  readonly serveMcp: (request: McpRequest) => Promise<void>;
  readonly createTerminalForge: (options: TerminalOptions) => Promise<Publisher>;
};
