/** Opens a pull request for a branch that Kodiai pushed, exactly once. The branch identifies it, so that it needs no marker. */
import { KodiaiError } from "../../../base/errors.ts";
import { hashParts } from "../../../base/hash.ts";
import { printable } from "../../../base/printable.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { NewPullRequest } from "../../forge.ts";
import { hasStatus, outcomeUnknown } from "../github-error.ts";
import type { ProposedPullRequest } from "../repository-calls.ts";
import { fitTitle, isFittingBody } from "../text-limits.ts";
import { createOnce } from "./create-once.ts";
import { hashOfTitle, proposalScope, renderProposalText } from "./proposal-text.ts";
import type { ProposalDeps } from "./update-proposal.ts";
import { LIST_LAG_MS, type PublishDeps } from "./publishing.ts";

/** Null if another worker has taken over. */
export async function proposePullRequest(
  request: NewPullRequest,
  deps: ProposalDeps & Pick<PublishDeps, "now" | "sleep">,
): Promise<ProposedPullRequest | null> {
  const { journal, title, body, branch, baseBranch, isLost } = request;
  const { calls } = deps;
  const intent = await journal.read("pull-request");
  if (intent?.state === "published" && intent.externalId !== null) {
    return calls.readProposal(intent.externalId);
  }
  const bodyHash = hashParts([title, body, branch, baseBranch]);
  const marker = "";
  const seen = new Map<number, ProposedPullRequest>();
  const see = (proposed: ProposedPullRequest): number => {
    seen.set(proposed.number, proposed);
    return proposed.number;
  };
  const created = await createOnce(
    {
      part: "pull-request",
      journal,
      intent,
      bodyHash,
      marker,
      find: async () => {
        const found = await calls.findProposal(branch);
        return found === null ? null : see(found);
      },
      create: async () => {
        const proposed = await create(request, deps);
        reachFaultPoint("after-pull-request", request.number);
        return see(proposed);
      },
      isLost,
    },
    deps,
  );
  if (created.kind === "lost") return null;
  if (created.kind === "unknown") throw outcomeUnknown(created.untilMs, "the pull request");
  const externalId = created.id;
  await journal.write("pull-request", {
    state: "published",
    bodyHash,
    marker,
    externalId,
    attemptedAt: null,
  });
  return seen.get(externalId) ?? calls.readProposal(externalId);
}

async function create(
  request: NewPullRequest,
  { calls, now, markers, repositoryRef }: ProposalDeps & Pick<PublishDeps, "now">,
): Promise<ProposedPullRequest> {
  const { branch, body } = request;
  const title = fitTitle(request.title);
  const part = { body, titleHash: hashOfTitle(title) };
  const text = renderProposalText(part, proposalScope(repositoryRef, branch), markers);
  try {
    return await calls.createProposal({ ...request, title, body: isFittingBody(text) ? text : body });
  } catch (error) {
    if (!hasStatus(error, 422)) throw error;
    const { words } = error.call;
    // It was opened although the list didn't have it yet.
    if (/already exists/i.test(words)) throw outcomeUnknown(now() + LIST_LAG_MS, "the pull request");
    throw explainRefusal(words, request) ?? error;
  }
}

function explainRefusal(words: string, { branch, baseBranch }: NewPullRequest): KodiaiError | null {
  const [head, base] = [printable(branch), printable(baseBranch)];
  if (/no commits between/i.test(words)) {
    return new KodiaiError("forbidden", `the branch ${head} has no commit that ${base} doesn't have`, {
      hint: `The change is in ${base} already, so that there is nothing to propose.`,
    });
  }
  if (words.includes('"field":"base"')) {
    return new KodiaiError("unknown-ref", `the branch ${base} doesn't exist on GitHub`, {
      hint: "It was deleted or renamed. Repeat the command, or change the base of the pull request.",
    });
  }
  if (words.includes('"field":"head"')) {
    return new KodiaiError("unknown-ref", `the branch ${head} doesn't exist on GitHub`, {
      hint: "It was deleted after Kodiai pushed it. Kodiai pushes it again.",
      retryable: true,
    });
  }
  return null;
}
