/** Decides whether GitHub would accept a push: its branch protection, its rule about workflows, and branches that moved meanwhile. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "./authentication.ts";
import { readRef, runGit } from "./git.ts";
import type { PushRefusal, PushRequest, RefCommand } from "./push-protocol.ts";
import type { Repository } from "./world.ts";

type Refused = { readonly reason: string; readonly remarks: readonly string[] };

const WORKFLOWS = ".github/workflows/";

export function branchOf(ref: string): string | null {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

function matches(patterns: readonly string[], branch: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern,
  );
}

export function isProtected({ protectedBranches, rulesetBranches }: Repository, branch: string): boolean {
  return matches(protectedBranches, branch) || matches(rulesetBranches, branch);
}

function refusedByProtection(repository: Repository, { ref }: RefCommand): Refused | null {
  const branch = branchOf(ref);
  if (branch === null) return null;
  if (matches(repository.protectedBranches, branch))
    return {
      reason: "protected branch hook declined",
      remarks: [
        `error: GH006: Protected branch update failed for ${ref}.`,
        "error: Changes must be made through a pull request.",
      ],
    };
  if (matches(repository.rulesetBranches, branch))
    return {
      reason: "push declined due to repository rule violations",
      remarks: [
        `error: GH013: Repository rule violations found for ${ref}.`,
        "",
        "- Changes must be made through a pull request.",
        "",
      ],
    };
  return null;
}

/** The client compared with the refs that were listed before; they may have changed since. */
async function refusedByMove({ directory }: Repository, command: RefCommand): Promise<Refused | null> {
  const { ref, before } = command;
  // Git itself refuses to change hidden refs.
  if (ref.startsWith("refs/pull/")) return null;
  const now = await readRef(directory, ref).catch(() => null);
  if (now === before) return null;
  const detail =
    before === null
      ? "reference already exists"
      : now === null
        ? "unable to resolve reference"
        : `is at ${now} but expected ${before}`;
  return { reason: `cannot lock ref '${ref}': ${detail}`, remarks: [] };
}

/** Workflow files that the pushed commits change, read in a copy of the objects that the repository never sees. */
async function changedWorkflow(repository: Repository, push: PushRequest): Promise<string | null> {
  const tips = push.commands.flatMap(({ after }) => after ?? []);
  if (tips.length === 0 || push.pack.length === 0) return null;
  const { directory } = repository;
  const quarantine = await mkdtemp(join(directory, "incoming-"));
  const env = {
    GIT_OBJECT_DIRECTORY: quarantine,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(directory, "objects"),
  };
  try {
    await runGit(directory, ["unpack-objects", "-q"], { input: push.pack, env });
    const commits = await runGit(directory, ["rev-list", ...tips, "--not", "--all"], { env });
    for (const commit of commits.toString().split("\n").filter(Boolean)) {
      const args = ["diff-tree", "-r", "-m", "--root", "--no-commit-id", "--name-only", commit];
      const paths = (await runGit(directory, args, { env })).toString().split("\n");
      const workflow = paths.find((path) => path.startsWith(WORKFLOWS));
      if (workflow !== undefined) return workflow;
    }
    return null;
  } catch {
    // Git reports objects that it can't read when it receives them.
    return null;
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
}

async function refusedByWorkflow(
  repository: Repository,
  identity: Identity,
  push: PushRequest,
): Promise<Refused | null> {
  if (identity.kind !== "installation" || identity.token.permissions["workflows"] === "write") return null;
  const path = await changedWorkflow(repository, push);
  if (path === null) return null;
  const reason = `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;
  return { reason, remarks: [] };
}

/** Null if the push is accepted so far. As with a hook, one refused ref refuses the whole push. */
export async function refusalOf(
  repository: Repository,
  identity: Identity,
  push: PushRequest,
): Promise<PushRefusal | null> {
  const reasons = new Map<string, string>();
  const remarks: string[] = [];
  const workflow = await refusedByWorkflow(repository, identity, push);
  for (const command of push.commands) {
    const refused =
      refusedByProtection(repository, command) ?? workflow ?? (await refusedByMove(repository, command));
    if (refused === null) continue;
    reasons.set(command.ref, refused.reason);
    remarks.push(...refused.remarks);
  }
  return reasons.size === 0 ? null : { reasons, remarks };
}
