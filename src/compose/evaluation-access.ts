/** Composes git and GitHub for the commands about evaluation sets. Public sets are fetched without a credential, from one host. */
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import type { EvaluationAccess } from "../cli/evaluation-access.ts";
import { readReaderSettings } from "../config/server-settings.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { createGithubReviewHistory } from "../forge/github/github-review-history.ts";
import { fetchClone } from "../repository/git/fetch-clone.ts";
import { openHistory } from "../repository/git/open-history.ts";
import type { AppSources } from "./app.ts";

type AccessSources = Pick<AppSources, "settings" | "gitEnvironment" | "version" | "stderr"> & {
  readonly signal: AbortSignal;
};

export function composeEvaluationAccess({
  settings: source,
  gitEnvironment,
  version,
  stderr,
  signal,
}: AccessSources): EvaluationAccess {
  // A `.env` file of a checkout must not decide which hosts Kodiai contacts.
  const origin = originOf(source.environment["GITHUB_API_URL"]);
  return {
    openHistory: (folder) => openHistory(folder, gitEnvironment, signal),
    openReviews(repository) {
      const { apiUrl, token } = readReaderSettings(source, origin);
      const write = (line: string): void => stderr.write(line);
      const log = createLog({ level: "error", format: "text", write, now: Date.now });
      const userAgent = `kodiai/${version}`;
      return createGithubReviewHistory(repository, { apiUrl, token, userAgent, log, signal });
    },
    async fetchClone(repository, { folder, refs }) {
      const address = new URL(`${origin}/${repository}.git`);
      return { missing: await fetchClone({ address, folder, wanted: refs }, gitEnvironment, signal) };
    },
  };
}

function originOf(apiUrl: string | undefined): string {
  if (apiUrl === undefined || apiUrl === "") return "https://github.com";
  const url = URL.parse(apiUrl);
  if (url === null)
    throw new KodiaiError("config", "GITHUB_API_URL isn't the URL of an API", {
      hint: "Set it to a URL such as https://ghe.example.org/api/v3, or remove it for github.com.",
    });
  // Only an API that uses http itself, as in tests, has a host that may.
  return `${url.protocol === "http:" ? "http:" : "https:"}//${hostOfApi(apiUrl)}`;
}
