/** Dependencies and input of the steps that answer a mention with code or a model. */
import type { ForgeSession } from "../../../forge/forge.ts";
import type { OpenRepositoryWriter } from "../../../repository/repository-writer.ts";
import type { RepositoryCache } from "../../../repository/repository.ts";
import type { MentionRow } from "../../../store/repositories/mentions.ts";
import type { JobContext } from "../../recipe.ts";
import type { PullRequestDeps } from "../../run/run-deps.ts";
import type { MentionJob } from "../mention-job.ts";
import type { KeptResult } from "./kept-result.ts";

export type ConverseDeps = Pick<
  PullRequestDeps,
  | "forge"
  | "database"
  | "telemetry"
  | "openReader"
  | "openCodeIndex"
  | "analysers"
  | "lookups"
  | "now"
  | "version"
  | "models"
> & {
  readonly repositories: Pick<RepositoryCache, "openPullRequest" | "openBranch">;
  readonly openWriter: OpenRepositoryWriter;
};

export type ConverseStepDeps = ConverseDeps & {
  readonly context: JobContext;
  readonly session: ForgeSession;
};

export type MentionToAnswer = {
  readonly mention: MentionJob;
  readonly row: MentionRow;
  readonly kept: Extract<KeptResult, { readonly work: string }> | null;
};
