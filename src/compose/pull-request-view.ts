/** Fetches a pull request for `kodiai review --pr`, with the user's token if one is set. Nothing is published. */
import { homedir } from "node:os";
import { join } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import { untilAborted } from "../base/until-aborted.ts";
import type { PullRequestView } from "../cli/app.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import type { AppSources } from "./app.ts";
import { readReaderSettings } from "../config/server-settings.ts";
import { type ViewedPullRequest, readPullRequestAs } from "../forge/github/github-reader.ts";
import { gatherOrganizationConfig } from "../jobs/gathering/gather-organization-config.ts";
import { openPullRequest } from "../jobs/gathering/open-pull-request.ts";
import { createRepositoryCache } from "../repository/git/cache/repository-cache.ts";

/** Enough for repositories that a user looks at now and then. The server has its own limit. */
const MAX_CACHE_BYTES = 2_000_000_000;

export type ViewSources = AppSources & {
  readonly signal: AbortSignal;
  readonly onStage: (stage: string) => void;
};

export async function openPullRequestView(
  address: PullRequestAddress,
  { settings: source, gitEnvironment, version, stderr, signal, onStage }: ViewSources,
): Promise<PullRequestView> {
  const settings = readReaderSettings(source, address.origin);
  const log = createLog({
    level: "error",
    format: "text",
    write: (line) => stderr.write(line),
    now: Date.now,
  });
  const repositories = createRepositoryCache({
    folder: join(settings.dataFolder ?? join(homedir(), ".cache", "kodiai"), folderOf(address)),
    environment: gitEnvironment,
    maxBytes: MAX_CACHE_BYTES,
    allowHttp: settings.apiUrl.startsWith("http:"),
  });
  const read = () =>
    untilAborted(readPullRequestAs(address, { ...settings, userAgent: `kodiai/${version}`, log }), signal);
  let last: ViewedPullRequest | null = null;
  const lastRead = (): ViewedPullRequest => {
    if (last === null) throw new TypeError("the pull request must be read first");
    return last;
  };
  const opened = await openPullRequest(
    { ...address, earlierRuns: [] },
    {
      pullRequests: {
        async read() {
          last = await read();
          return { ...last.pullRequest, isOpen: true };
        },
      },
      contents: {
        cloneAccess: () => lastRead().access,
      },
    },
    { repositories, context: { signal, step: async (stage) => onStage(stage) } },
  );
  if (opened === null)
    throw new KodiaiError("not-found", "the pull request doesn't exist any more", { hint: "Check its URL." });
  const { repository, change, pullRequest } = opened;
  const author = { association: pullRequest.association, mergedPullRequests: null };
  // Only the user sees the review, and the user can read the file.
  const organization = await gatherOrganizationConfig(lastRead(), true);
  return { repository, change, author, organization };
}

/** Repository IDs are unique per host only, so each host has its own folder. */
function folderOf({ origin }: PullRequestAddress): string {
  return `viewed-${new URL(origin).host.replaceAll(/[^\w.-]/g, "_")}`;
}
