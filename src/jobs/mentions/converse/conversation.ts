/** The input of a command of the second job: the code, the thread it was written in, models, and its subject. */
import type { CodeIndex } from "../../../code-index/code-index.ts";
import type { Discussion, Issue, PullRequest } from "../../../forge/forge.ts";
import type { Reader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Change } from "../../../review/change/change.ts";
import type { PromptSection } from "../../../review/prompt/prompt.ts";
import type { LedgerEntry } from "../../../store/repositories/stored-findings.ts";
import type { GatheredConfig } from "../../gathering/gather-config.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { ModelAccess } from "../../model-review/model-access.ts";
import type { CommandKind, CommandOf } from "../command.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";
import type { ConverseDeps } from "./converse-deps.ts";

export type ConversationSubject =
  | { readonly kind: "pull-request"; readonly pullRequest: PullRequest }
  | {
      readonly kind: "issue";
      readonly issue: Issue;
      readonly defaultBranch: string;
      readonly repositoryUrl: string;
    };

/** A reported finding, as the ledger has it. */
export type StoredFinding = LedgerEntry;

/** An open pull request of Kodiai's own. */
export type OwnProposal = {
  readonly pullRequest: PullRequest;
  /** Numbers of findings that its commits fix. */
  readonly fixed: readonly number[];
};

/** The code that a command is about. */
export type ConversationCode = {
  readonly repository: Repository;
  /** The commit that code is read from: the head of the pull request, or of the default branch. */
  readonly head: string;
  /** The pull request's change; one without files for an issue. */
  readonly change: Change;
  readonly reader: Reader;
  readonly index: CodeIndex;
};

export type Conversation = Pick<MentionAttempt, "mention" | "session" | "context"> & {
  readonly subject: ConversationSubject;
  readonly discussion: Discussion;
  readonly code: ConversationCode;
  readonly config: GatheredConfig;
  /** The finding that the command names or whose thread it is in; null for none. */
  readonly finding: StoredFinding | null;
  /** All reported findings of the pull request, by number. */
  readonly findings: readonly StoredFinding[];
  /** The open pull request of Kodiai's own that a repeated `fix` continues; it is the subject then. Null for none. */
  readonly continued: OwnProposal | null;
  /** Models are withheld if the requester's limit is reached. */
  readonly models: ModelAccess;
  readonly degradations: Degradations;
  /** Keeps the sizes of a prompt's sections for the statistics. */
  readonly notePrompt: (sections: readonly PromptSection[]) => void;
  /** The result that an earlier attempt of the job kept, as JSON; null for none. */
  readonly kept: string | null;
  /** Keeps a result, so that a crash doesn't repeat the work. The first one stays. */
  keep(result: string): Promise<void>;
};

export type ConversationDeps = Pick<ConverseDeps, "store" | "code" | "openWriter" | "version">;

/** Throws for failures that a retry may fix. Everything else is a reply. */
export type Converse<Kind extends CommandKind> = (
  command: CommandOf<Kind>,
  conversation: Conversation,
  deps: ConversationDeps,
) => Promise<Reply>;
