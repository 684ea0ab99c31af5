/** The task of the Action for each event: a table from the event's name to a task. Reads no more of the event than that takes. */
import * as z from "zod";
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";

/** Two ends of a range. */
export type PushedRange = {
  readonly head: string;
  /** The commit to compare with; null to compare with the default branch. */
  readonly base: string | null;
  readonly defaultBranch: string;
  /** For people: "push to main". */
  readonly description: string;
};

export type ActionTask =
  /** As a webhook: `event` is the name that GitHub's webhook has. */
  | { readonly kind: "deliver"; readonly event: string }
  | { readonly kind: "pull-request"; readonly number: number }
  /** All open pull requests whose head has no review yet. */
  | { readonly kind: "open-pull-requests" }
  | { readonly kind: "range"; readonly range: PushedRange }
  | { readonly kind: "nothing"; readonly reason: "branch-deleted" | "tag-pushed" | "merge-group-destroyed" };

export type ActionEvent = {
  /** GITHUB_EVENT_NAME. */
  readonly name: string;
  /** Parsed JSON. */
  readonly payload: unknown;
};

const CommitId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

const PushEvent = z.object({
  ref: z.string(),
  before: CommitId,
  after: CommitId,
  deleted: z.boolean(),
  forced: z.boolean(),
  repository: z.object({ default_branch: z.string() }),
});

const MergeGroupEvent = z.object({
  action: z.string(),
  merge_group: z.object({ head_sha: CommitId, base_sha: CommitId, base_ref: z.string() }),
  repository: z.object({ default_branch: z.string() }),
});

const deliver = (event: string) => (): ActionTask => ({ kind: "deliver", event });

const reviewOpen = (): ActionTask => ({ kind: "open-pull-requests" });

const TASKS: Readonly<Record<string, (payload: unknown) => ActionTask>> = {
  pull_request: deliver("pull_request"),
  // Same payload, other rights.
  pull_request_target: deliver("pull_request"),
  issue_comment: deliver("issue_comment"),
  pull_request_review_comment: deliver("pull_request_review_comment"),
  schedule: reviewOpen,
  workflow_dispatch: reviewOpen,
  push: (payload) => taskOfPush(read(PushEvent, payload)),
  merge_group: (payload) => taskOfMergeGroup(read(MergeGroupEvent, payload)),
};

const PullRequestEvent = z.object({ number: z.int().min(1) });

/** The inputs choose, too: `pullRequest` is reviewed whatever the event is, and a full review is a request of its own. */
export function taskOf(
  { name, payload }: ActionEvent,
  { pullRequest, isFull }: { readonly pullRequest: number | null; readonly isFull: boolean },
): ActionTask {
  if (pullRequest !== null) return { kind: "pull-request", number: pullRequest };
  if (isFull && /^pull_request(?:_target)?$/.test(name))
    return { kind: "pull-request", number: read(PullRequestEvent, payload).number };
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task !== undefined) return task(payload);
  throw new KodiaiError("usage", `the Action can't handle the event ${printable(name)}`, {
    hint: `Use it with ${Object.keys(TASKS).join(", ")}, or name a pull request with the input pull-request.`,
  });
}

function taskOfPush({
  ref,
  before,
  after,
  deleted,
  forced,
  repository,
}: z.infer<typeof PushEvent>): ActionTask {
  if (deleted) return { kind: "nothing", reason: "branch-deleted" };
  if (ref.startsWith("refs/tags/")) return { kind: "nothing", reason: "tag-pushed" };
  const { default_branch: defaultBranch } = repository;
  const branch = ref.replace(/^refs\/heads\//, "");
  const isNew = /^0+$/.test(before);
  // After a rebase, a range from the old tip would show the work of others. The default branch itself has nothing else to compare with.
  const base = isNew || (forced && branch !== defaultBranch) ? null : before;
  return { kind: "range", range: { head: after, base, defaultBranch, description: `push to ${branch}` } };
}

function taskOfMergeGroup({
  action,
  merge_group: group,
  repository,
}: z.infer<typeof MergeGroupEvent>): ActionTask {
  if (action === "destroyed") return { kind: "nothing", reason: "merge-group-destroyed" };
  const description = `merge group for ${group.base_ref.replace(/^refs\/heads\//, "")}`;
  const { default_branch: defaultBranch } = repository;
  return { kind: "range", range: { head: group.head_sha, base: group.base_sha, defaultBranch, description } };
}

function read<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw new KodiaiError(
    "bad-payload",
    `the event file doesn't match its event: ${z.prettifyError(parsed.error)}`,
    {
      hint: "GITHUB_EVENT_PATH must name the file that the runner wrote.",
    },
  );
}
