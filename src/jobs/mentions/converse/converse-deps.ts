/** Dependencies of the steps that answer a mention with code or a model. */
import type { OpenRepositoryWriter } from "../../../repository/repository-writer.ts";
import type { RepositoryCache } from "../../../repository/repository.ts";
import type { PullRequestDeps } from "../../run/run-deps.ts";

export type ConverseDeps = Pick<PullRequestDeps, "forge" | "store" | "code" | "models" | "version"> & {
  readonly repositories: Pick<RepositoryCache, "openPullRequest" | "openBranch">;
  readonly openWriter: OpenRepositoryWriter;
};
