/** Permissions that each operation requires of an installation token. Stricter than GitHub, where every token can read public data. */
import type { Identity } from "./authentication.ts";
import { notFound, refusal } from "./refusal.ts";
import { isReachedThroughApp } from "./sign-in.ts";
import type { Level, Repository } from "./world.ts";

type Need = {
  /** Any one of them is enough. */
  readonly anyOf: readonly string[];
  readonly level: Level;
};

const ISSUES_OR_PULLS = ["issues", "pull_requests"] as const;

const read = (...anyOf: readonly string[]): Need => ({ anyOf, level: "read" });
const write = (...anyOf: readonly string[]): Need => ({ anyOf, level: "write" });

/** Operations on a repository. Other operations need a JWT or no permission, and check that themselves. */
const NEEDS: Readonly<Record<string, Need>> = {
  "repos/get": read("metadata"),
  "repos/get-content": read("contents"),
  "repos/get-collaborator-permission-level": read("metadata"),
  "repos/get-branch": read("contents"),
  "git/get-ref": read("contents"),
  "git/upload-pack": read("contents"),
  "git/receive-pack": write("contents"),
  "pulls/list": read("pull_requests"),
  "pulls/create": write("pull_requests"),
  "pulls/update": write("pull_requests"),
  "pulls/get": read("pull_requests"),
  "pulls/list-files": read("pull_requests"),
  "pulls/list-reviews": read("pull_requests"),
  "pulls/get-review": read("pull_requests"),
  "pulls/list-comments-for-review": read("pull_requests"),
  "pulls/list-review-comments": read("pull_requests"),
  "pulls/get-review-comment": read("pull_requests"),
  "pulls/create-review": write("pull_requests"),
  "pulls/update-review": write("pull_requests"),
  "pulls/delete-pending-review": write("pull_requests"),
  "pulls/submit-review": write("pull_requests"),
  "pulls/create-reply-for-review-comment": write("pull_requests"),
  "issues/get": read(...ISSUES_OR_PULLS),
  "issues/list-comments": read(...ISSUES_OR_PULLS),
  "issues/get-comment": read(...ISSUES_OR_PULLS),
  "issues/create-comment": write(...ISSUES_OR_PULLS),
  "issues/update-comment": write(...ISSUES_OR_PULLS),
  "issues/delete-comment": write(...ISSUES_OR_PULLS),
  "reactions/list-for-issue": read(...ISSUES_OR_PULLS),
  "reactions/create-for-issue": write(...ISSUES_OR_PULLS),
  "reactions/list-for-issue-comment": read(...ISSUES_OR_PULLS),
  "reactions/create-for-issue-comment": write(...ISSUES_OR_PULLS),
  "reactions/list-for-pull-request-review-comment": read("pull_requests"),
  "reactions/create-for-pull-request-review-comment": write("pull_requests"),
  "reactions/delete-for-pull-request-comment": write("pull_requests"),
  "checks/create": write("checks"),
  "checks/update": write("checks"),
  "checks/get": read("checks"),
  "checks/list-for-ref": read("checks"),
  "checks/list-annotations": read("checks"),
  "actions/download-job-logs-for-workflow-run": read("actions"),
};

/** Null for an operation that needs none of them. */
export function needOf(operation: string): Need | null {
  return NEEDS[operation] ?? null;
}

export function isAllowed(identity: Identity, operation: string): boolean {
  const need = NEEDS[operation];
  if (need === undefined) return true;
  if (identity.kind === "user") return need.level === "read" || !operation.startsWith("checks/");
  if (identity.kind !== "installation") return need.level === "read";
  const { permissions } = identity.token;
  return need.anyOf.some((name) => permissions[name] === "write" || permissions[name] === need.level);
}

/** An issue that isn't a pull request needs the permission for issues. Throws 403 otherwise. */
export function requireIssues(identity: Identity, operation: string): void {
  if (identity.kind !== "installation") return;
  const granted = identity.token.permissions["issues"];
  if (granted !== "write" && granted !== NEEDS[operation]?.level)
    throw refusal(403, "Resource not accessible by integration");
}

/** People can access everything, with the app only what they reach through it. Anonymous callers public data, a token its own repositories. */
export function reaches(identity: Identity, repository: Repository): boolean {
  if (identity.kind === "user")
    return !identity.isThroughApp || isReachedThroughApp(identity.user, repository);
  if (identity.kind !== "installation") return !repository.isPrivate;
  const { installation, repositoryIds } = identity.token;
  return (
    repository.installation === installation &&
    (repositoryIds === null || repositoryIds.includes(repository.id))
  );
}

/** Kodiai reads an organization's defaults with any token, as GitHub allows for public repositories. */
function isPublicFile({ operation, repository }: Parameters<typeof requireAccess>[1]): boolean {
  return operation === "repos/get-content" && !repository.isPrivate && repository.name === ".github";
}

/** Throws GitHub's refusal: 404 outside the token's repositories, 403 if its permissions don't suffice. */
export function requireAccess(
  identity: Identity,
  request: { readonly operation: string; readonly repository: Repository },
): void {
  const need = NEEDS[request.operation];
  if (need === undefined) return;
  if (identity.kind === "app") throw refusal(401, "Bad credentials");
  if (!reaches(identity, request.repository) && !isPublicFile(request)) throw notFound();
  if (identity.kind === "anonymous" && need.level === "write") throw refusal(401, "Requires authentication");
  if (!isAllowed(identity, request.operation))
    throw identity.kind === "user"
      ? refusal(403, "You must authenticate via a GitHub App.")
      : refusal(403, "Resource not accessible by integration");
  if (need.level === "write" && request.repository.isArchived)
    throw refusal(403, "Repository was archived so is read-only.");
}
