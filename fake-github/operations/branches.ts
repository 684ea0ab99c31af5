/** Branches and other refs, read-only: they are changed by pushing. */
import { type Handler, ok, repositoryOf } from "../call.ts";
import { gitText, readRef } from "../git.ts";
import type { JsonObject } from "../json.ts";
import { isProtected } from "../push-rules.ts";
import { notFound } from "../refusal.ts";
import { apiUrl, fullName, type Repository, type World } from "../world.ts";

async function commitAt({ directory }: Repository, ref: string): Promise<string> {
  const isSafe = await gitText(directory, "check-ref-format", ref).then(
    () => true,
    () => false,
  );
  const commit = isSafe ? await readRef(directory, ref).catch(() => null) : null;
  if (commit === null) throw notFound();
  return commit;
}

// A zero byte separates the fields, because none of them can contain one.
const FORMAT = ["%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%x00");

async function presentCommit(world: World, repository: Repository, sha: string): Promise<JsonObject> {
  const shown = await gitText(repository.directory, "show", "--no-patch", `--format=${FORMAT}`, sha);
  const [tree = "", parents = "", an = "", ae = "", at = "", cn = "", ce = "", ct = "", message = ""] =
    shown.split("\0");
  const url = `${apiUrl(world)}/repos/${fullName(repository)}`;
  const html = `${world.origin}/${fullName(repository)}`;
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${url}/commits/${sha}`,
    html_url: `${html}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    commit: {
      url: `${url}/git/commits/${sha}`,
      author: { name: an, email: ae, date: at },
      committer: { name: cn, email: ce, date: ct },
      message: message.trimEnd(),
      comment_count: 0,
      tree: { sha: tree, url: `${url}/git/trees/${tree}` },
    },
    // The fake doesn't know the accounts of addresses.
    author: null,
    committer: null,
    parents: parents
      .split(" ")
      .filter(Boolean)
      .map((each) => ({ sha: each, url: `${url}/commits/${each}`, html_url: `${html}/commit/${each}` })),
  };
}

const getBranch: Handler = async (call) => {
  const repository = repositoryOf(call);
  const name = String(call.params["branch"]);
  const commit = await commitAt(repository, `refs/heads/${name}`);
  const url = `${apiUrl(call.world)}/repos/${fullName(repository)}/branches/${name}`;
  const enabled = isProtected(repository, name);
  return ok({
    name,
    commit: await presentCommit(call.world, repository, commit),
    _links: { self: url, html: `${call.world.origin}/${fullName(repository)}/tree/${name}` },
    protected: enabled,
    protection: { enabled },
    protection_url: `${url}/protection`,
  });
};

/** The path has no `refs/`. */
const getRef: Handler = async (call) => {
  const repository = repositoryOf(call);
  const ref = `refs/${String(call.params["ref"])}`;
  const sha = await commitAt(repository, ref);
  const url = `${apiUrl(call.world)}/repos/${fullName(repository)}/git`;
  return ok({
    ref,
    node_id: `REF_${repository.id}_${ref}`,
    url: `${url}/${ref}`,
    object: { type: "commit", sha, url: `${url}/commits/${sha}` },
  });
};

export const BRANCH_OPERATIONS: Readonly<Record<string, Handler>> = {
  "repos/get-branch": getBranch,
  "git/get-ref": getRef,
};
