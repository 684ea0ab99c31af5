/** The input of a command of the second job: the code, the thread it was written in, models, and its subject. */
import type { Analysers } from "../../../linters/analysers.ts";
import type { CodeIndex } from "../../../code-index/code-index.ts";
import type { Discussion, ForgeSession, Issue, PullRequest } from "../../../forge/forge.ts";
import type { Reader } from "../../../reading/reader.ts";
import type { OpenRepositoryWriter } from "../../../repository/repository-writer.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Change } from "../../../review/change/change.ts";
import type { Database } from "../../../store/database.ts";
import type { FindingRow } from "../../../store/repositories/findings.ts";
import type { GatheredConfig } from "../../gathering/gather-config.ts";
import type { DependencyLookups } from "../../gathering/dependencies/report-dependencies.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { ModelAccess } from "../../model-review/model-access.ts";
import type { JobContext } from "../../recipe.ts";
import type { CommandKind, CommandOf } from "../command.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";

export type ConversationSubject =
  | { readonly kind: "pull-request"; readonly pullRequest: PullRequest }
  | {
      readonly kind: "issue";
      readonly issue: Issue;
      readonly defaultBranch: string;
      readonly repositoryUrl: string;
    };

/** A reported finding, as the ledger has it. */
export type StoredFinding = FindingRow & {
  /** The head whose lines its place counts. */
  readonly head: string;
  /** The verified replacement of its lines. */
  readonly suggestion: string | null;
  readonly url: string | null;
};

export type Conversation = {
  readonly mention: MentionJob;
  readonly session: ForgeSession;
  readonly subject: ConversationSubject;
  readonly repository: Repository;
  /** The commit that code is read from: the head of the pull request, or of the default branch. */
  readonly head: string;
  /** The pull request's change; one without files for an issue. */
  readonly change: Change;
  readonly config: GatheredConfig;
  readonly discussion: Discussion;
  /** The finding that the command names or whose thread it is in; null for none. */
  readonly finding: StoredFinding | null;
  /** All reported findings of the pull request, by number. */
  readonly findings: readonly StoredFinding[];
  /** Models are withheld if the requester's limit is reached. */
  readonly models: ModelAccess;
  /** The run that costs are charged to. */
  readonly run: { readonly id: number };
  readonly codeIndex: CodeIndex;
  readonly degradations: Degradations;
  /** The result that an earlier attempt of the job kept, as JSON; null for none. */
  readonly kept: string | null;
  /** Keeps a result, so that a crash doesn't repeat the work. The first one stays. */
  keep(result: string): Promise<void>;
};

export type ConversationDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly openWriter: OpenRepositoryWriter;
  readonly analysers: Analysers;
  readonly lookups: DependencyLookups;
  /** The store's clock; milliseconds since 1970. */
  readonly now: () => number;
  readonly version: string;
  readonly context: JobContext;
};

/** Throws for failures that a retry may fix. Everything else is a reply. */
export type Converse<Kind extends CommandKind> = (
  command: CommandOf<Kind>,
  conversation: Conversation,
  deps: ConversationDeps,
) => Promise<Reply>;
