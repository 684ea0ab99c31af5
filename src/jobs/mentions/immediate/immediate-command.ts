/** The contract of a command in the first job: its input, and its result, which is an answer at once or another job. */
import type { ForgeSession } from "../../../forge/forge.ts";
import type { JobRequest } from "../../../queue/queue.ts";
import type { Sql } from "../../../store/database.ts";
import type { GatheredConfig } from "../../gathering/gather-config.ts";
import type { JobStore } from "../../job-store.ts";
import type { ModelSource } from "../../reading/pull-request-models.ts";
import type { CommandKind, CommandOf } from "../command.ts";
import type { ConversationSubject } from "../converse/conversation.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply, ReplyOutcome } from "../reply.ts";

export function subjectUrlOf(subject: ConversationSubject): string {
  return subject.kind === "issue" ? subject.issue.url : subject.pullRequest.url;
}

export type AskedCommand = {
  readonly mention: MentionJob;
  readonly session: ForgeSession;
  readonly subject: ConversationSubject;
  /** At the base branch, or at the default branch for an issue. */
  readonly config: Omit<GatheredConfig, "learnings">;
  readonly isWriter: boolean;
};

export type ImmediateDeps = {
  /** The caller wakes its queue after the commit. */
  readonly store: Pick<JobStore, "database" | "queue" | "now">;
  readonly models: Pick<ModelSource, "load">;
};

export type ImmediateResult =
  | { readonly kind: "reply"; readonly reply: Reply }
  /** Changes the database once per mention, together with keeping the reply. */
  | { readonly kind: "record"; record(sql: Sql): Promise<Reply> }
  | {
      readonly kind: "hand-over";
      readonly request: JobRequest;
      /** How the mention ends here; null if the other job answers it. */
      readonly outcome: ReplyOutcome | null;
      /** Changes the database together with adding the job. */
      readonly record?: (sql: Sql) => Promise<void>;
    };

/** Only reads, or does what can be repeated. Throws for failures that a retry may fix. */
export type ImmediateCommand<Kind extends CommandKind> = (
  command: CommandOf<Kind>,
  asked: AskedCommand,
  deps: ImmediateDeps,
) => Promise<ImmediateResult>;
