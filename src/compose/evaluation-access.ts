/** Composes git for the commands about evaluation sets. Public sets are fetched without a credential, from one host. */
import type { EvaluationAccess } from "../cli/evaluation-access.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { fetchClone } from "../repository/git/fetch-clone.ts";
import { openHistory } from "../repository/git/open-history.ts";

export function composeEvaluationAccess(
  gitEnvironment: Readonly<Record<string, string>>,
  apiUrl: string | undefined,
  signal: AbortSignal,
): EvaluationAccess {
  // Only an API that uses http itself, as in tests, has a host that may.
  const protocol = apiUrl?.startsWith("http:") === true ? "http:" : "https:";
  const host = apiUrl === undefined || apiUrl === "" ? "github.com" : hostOfApi(apiUrl);
  return {
    openHistory: (folder) => openHistory(folder, gitEnvironment, signal),
    async fetchClone(repository, { folder, refs }) {
      const address = new URL(`${protocol}//${host}/${repository}.git`);
      return { missing: await fetchClone({ address, folder, wanted: refs }, gitEnvironment, signal) };
    },
  };
}
