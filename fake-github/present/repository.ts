/** Repositories as GitHub's API shows them. Most of the hundred fields come from a published example, with the fake's addresses. */
import { isoTime } from "../clock.ts";
import { examplePayload, relocate } from "../examples.ts";
import { isObject, mergeDeep, type JsonObject } from "../json.ts";
import { apiUrl, fullName, type Repository, type World } from "../world.ts";
import { presentUser } from "./user.ts";

const EXAMPLE_NAME = "Codertocat/Hello-World";

export function replacementsFor(
  world: World,
  repository: Repository,
): readonly (readonly [string, string])[] {
  return [
    [EXAMPLE_NAME, fullName(repository)],
    ["https://api.github.com", apiUrl(world)],
    ["git://github.com", world.origin],
    ["https://github.com", world.origin],
  ];
}

export function presentRepository(world: World, repository: Repository): JsonObject {
  const example = relocate(
    examplePayload("pull_request", "opened")["repository"],
    replacementsFor(world, repository),
  );
  const created = isoTime(repository.createdAtMs);
  const htmlUrl = `${world.origin}/${fullName(repository)}`;
  return mergeDeep(isObject(example) ? example : {}, {
    id: repository.id,
    node_id: `R_${repository.id}`,
    name: repository.name,
    full_name: fullName(repository),
    private: repository.isPrivate,
    visibility: repository.isPrivate ? "private" : "public",
    owner: presentUser(world, repository.owner),
    html_url: htmlUrl,
    clone_url: `${htmlUrl}.git`,
    git_url: `${htmlUrl}.git`,
    svn_url: htmlUrl,
    fork: repository.parent !== null,
    default_branch: repository.defaultBranch,
    archived: repository.isArchived,
    disabled: false,
    created_at: created,
    updated_at: created,
    pushed_at: created,
    description: null,
    topics: [],
    has_discussions: false,
    has_pull_requests: true,
    is_template: false,
    web_commit_signoff_required: false,
    allow_forking: true,
    temp_clone_token: "",
    permissions: { admin: false, maintain: false, push: false, triage: false, pull: false },
  });
}

/** The form of a single repository, with its additional fields. */
export function presentFullRepository(world: World, repository: Repository): JsonObject {
  const parent = repository.parent === null ? {} : { parent: presentRepository(world, repository.parent) };
  return { ...presentRepository(world, repository), ...parent, network_count: 0, subscribers_count: 0 };
}
