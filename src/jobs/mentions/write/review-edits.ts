/**
 * Reviews edits before they are pushed, with everything that reviews a pull request except models: the built-in rules, the linters, calls that
 * a change forgot, and dependencies. It reads the commit itself, and policy comes from the base.
 */
import { hashParts } from "../../../base/hash.ts";
import { severityRank } from "../../../base/severity.ts";
import { policyCommitOf } from "../../../review/change/policy-commit.ts";
import { NO_PRIOR_REVIEW } from "../../../review/context/prior-findings.ts";
import type { EditReview } from "../../../review/edits/edit-review.ts";
import type { EditRefusal, ProposedEdit } from "../../../review/edits/edit.ts";
import { gatherOrganizationConfig } from "../../gathering/gather-organization-config.ts";
import type { ModelAccess } from "../../model-review/model-access.ts";
import { createChangeReview, reviewChange } from "../../review-change.ts";
import { createCodeView } from "../../gathering/related-code/code-view.ts";
import { reviewerOf } from "../../run/reviewer-of.ts";
import type { Conversation, ConversationDeps } from "../converse/conversation.ts";
import { commitEdits } from "./commit-edits.ts";
import { findUndefinedNames } from "./find-undefined-names.ts";
import { composeEditReview } from "./compose-edit-review.ts";

export type ReviewedEdits =
  | { readonly kind: "reviewed"; readonly review: EditReview }
  | { readonly kind: "refused"; readonly refusals: readonly EditRefusal[] };

/** `head` is the commit that the edits are based on. The same edits are reviewed once. */
export type ReviewEdits = (edits: readonly ProposedEdit[], head: string) => Promise<ReviewedEdits>;

/** Of the commit that is only reviewed. Its tree is that of the one that is pushed. */
const TRIAL = {
  message: "Edits under review",
  author: { name: "Kodiai", email: "kodiai@localhost" },
} as const;

export function createEditReviewer(conversation: Conversation, deps: ConversationDeps): ReviewEdits {
  const known = new Map<string, ReviewedEdits>();
  return async (edits, head) => {
    const key = hashParts([head, JSON.stringify(edits)]);
    const reviewed = known.get(key) ?? (await review({ edits, head }, conversation, deps));
    known.set(key, reviewed);
    return reviewed;
  };
}

async function review(
  { edits, head }: { readonly edits: readonly ProposedEdit[]; readonly head: string },
  { mention, code: { repository, reader, index, change: around }, models, session, context }: Conversation,
  { store, code, openWriter, version }: ConversationDeps,
): Promise<ReviewedEdits> {
  await context.step("checking the edits");
  const writer = openWriter(mention.repositoryRef.repositoryId, context.signal);
  const committed = await commitEdits(
    { ...TRIAL, head, edits, at: mention.writtenAt },
    { writer, repository },
  );
  if (committed.kind === "refused") return committed;
  const change = await repository.readChange({
    kind: "pull-request",
    title: "",
    body: "",
    description: "edits under review",
    mergeBase: head,
    head: committed.commit,
    baseTip: policyCommitOf(around) ?? head,
  });
  const tools = { code, now: store.now, version };
  const nothingElse = { codeIndex: null, readPastBumps: null };
  const reviewing = createChangeReview(reviewerOf({ repository, reader, context }, tools, nothingElse));
  const request = {
    change,
    givenConfig: null,
    organization: await gatherOrganizationConfig(session.contents, false),
    isExplicit: true,
    isFull: true,
    tags: "none",
    author: { association: null, mergedPullRequests: null },
    prior: NO_PRIOR_REVIEW,
  } as const;
  const { publication } = await reviewChange(request, withoutModels(models), reviewing);
  const view = createCodeView({ repository, revision: { commit: committed.commit }, index });
  const names = await findUndefinedNames(edits, { reader, view, signal: context.signal });
  return { kind: "reviewed", review: withUndefinedNames(composeEditReview(publication), names) };
}

function withUndefinedNames(
  review: EditReview,
  { findings, notChecked }: Pick<EditReview, "findings" | "notChecked">,
): EditReview {
  return {
    findings: [...review.findings, ...findings].toSorted(
      (a, b) => severityRank(a.severity) - severityRank(b.severity),
    ),
    checked: [...review.checked, "names that new calls need"],
    notChecked: [...review.notChecked, ...notChecked],
  };
}

/** Code checks what a model wrote. Another model would only be a second opinion. */
function withoutModels(models: ModelAccess): ModelAccess {
  const none = { models: [], noModel: "switched-off", problems: [] } as const;
  return { ...models, choice: { ...models.choice, choose: async () => none } };
}
