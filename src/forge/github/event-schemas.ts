/** Schemas of the fields that Kodiai reads from GitHub's webhook payloads. All other fields are ignored. */
import * as z from "zod";

const Id = z.int().positive();

/** A deleted account is null. */
const User = z.object({ id: Id.optional(), login: z.string(), type: z.string().optional() }).nullish();

const Repository = z.object({
  id: Id,
  name: z.string(),
  full_name: z.string(),
  owner: z.object({ login: z.string() }),
});

const App = z.object({ id: Id }).nullish();

/** A comment, or the body of a review. */
const Words = z.object({
  id: Id,
  body: z.string().nullish(),
  user: User,
  author_association: z.string().optional(),
  performed_via_github_app: App,
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  submitted_at: z.string().nullish(),
  in_reply_to_id: Id.nullish(),
});

/** The description of a pull request or an issue. */
export const Described = z.object({
  number: Id,
  body: z.string().nullish(),
  user: User,
  author_association: z.string().optional(),
  performed_via_github_app: App,
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

export type Described = z.infer<typeof Described>;

const From = z.object({ from: z.string().nullish() });

/** Of a text that was edited. */
const Changes = z.object({ body: From.optional() }).nullish();

const PullRequest = Described.extend({
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  updated_at: z.string(),
  head: z.object({ sha: z.string() }),
});

/** The top-level fields of most payloads, all optional. */
export const Envelope = z.object({
  action: z.string().nullish(),
  installation: z.object({ id: Id }).nullish(),
  repository: z.object({ id: Id, full_name: z.string() }).nullish(),
  sender: User,
  number: z.int().nullish(),
  pull_request: z
    .object({
      number: z.int().nullish(),
      head: z.object({ sha: z.string().nullish() }).nullish(),
      updated_at: z.string().nullish(),
    })
    .nullish(),
  issue: z.object({ number: z.int().nullish() }).nullish(),
});
export type Envelope = z.infer<typeof Envelope>;

/** Payloads about a repository. Those of a workflow have no installation. */
const InRepository = z.object({
  installation: z.object({ id: Id }).nullish(),
  repository: Repository,
  sender: User,
});
export type InRepository = z.infer<typeof InRepository>;

export const PullRequestPayload = InRepository.extend({
  action: z.string(),
  pull_request: PullRequest,
  changes: z
    .object({
      base: z.unknown().optional(),
      title: z.object({ from: z.string() }).optional(),
      body: From.optional(),
    })
    .nullish(),
  requested_reviewer: User,
});
export type PullRequestPayload = z.infer<typeof PullRequestPayload>;

export const IssuePayload = InRepository.extend({ issue: Described, changes: Changes });

export const IssueCommentPayload = InRepository.extend({
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
  comment: Words,
  changes: Changes,
});

export const ReviewCommentPayload = InRepository.extend({
  pull_request: z.object({ number: Id }),
  comment: Words,
  changes: Changes,
});

export const ReviewPayload = InRepository.extend({
  pull_request: z.object({ number: Id, updated_at: z.string().nullish() }),
  review: Words,
  changes: Changes,
});

export const ReviewThreadPayload = InRepository.extend({
  action: z.enum(["resolved", "unresolved"]),
  pull_request: z.object({ number: Id, updated_at: z.string() }),
  thread: z.object({ node_id: z.string() }),
  // Newer payloads have the time of the event itself.
  updated_at: z.string().nullish(),
});

export const RepositoryPayload = InRepository.extend({
  repository: Repository.extend({ private: z.boolean() }),
});

export const CheckRunPayload = InRepository.extend({
  check_run: z.object({
    id: Id,
    head_sha: z.string(),
    completed_at: z.string().nullish(),
    external_id: z.string().nullish(),
    app: App,
    pull_requests: z.array(z.object({ number: Id })),
  }),
});

export const CheckSuitePayload = InRepository.extend({
  check_suite: z.object({
    id: Id,
    head_sha: z.string(),
    updated_at: z.string(),
    app: App,
    pull_requests: z.array(z.object({ number: Id })),
  }),
});

export const InstallationPayload = z.object({
  action: z.string(),
  installation: z.object({ id: Id }),
  repositories_removed: z.array(z.object({ id: Id })).nullish(),
});
