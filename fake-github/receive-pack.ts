/**
 * Pushes: checks GitHub's rules, lets git update the bare repository, and then updates the pull requests whose branches changed. Every
 * attempt is recorded.
 */
import { type Call, recordWrite, viewerOf } from "./call.ts";
import type { Identity } from "./authentication.ts";
import { type BackendRequest, runBackend } from "./git-backend.ts";
import { readRef } from "./git.ts";
import { pullRequestEvent, type Webhook } from "./payloads.ts";
import { closePullRequest, updateHeads } from "./people.ts";
import {
  parsePush,
  type PushRefusal,
  type PushRequest,
  type RefCommand,
  refusalReport,
} from "./push-protocol.ts";
import { branchOf, refusalOf } from "./push-rules.ts";
import type { Push, Repository, World } from "./world.ts";

export type PushAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type PushCall = {
  readonly world: World;
  readonly repository: Repository;
  readonly identity: Identity;
  readonly backend: Omit<BackendRequest, "directory">;
  readonly body: Buffer;
  /** A scheduled refusal of every ref, with this reason. */
  readonly refuseBecause: string | null;
  readonly deliver: (webhook: Webhook) => void;
};

function attempt(call: PushCall, command: RefCommand, refusedBecause: string | null): Push {
  const { world, repository, identity } = call;
  const token = identity.kind === "installation" ? identity.token : null;
  return {
    repository,
    ref: command.ref,
    branch: branchOf(command.ref),
    before: command.before,
    after: command.after,
    atMs: world.clock.now(),
    pusher: viewerOf({ identity, world }) ?? world.app.bot,
    tokenId: token?.id ?? null,
    permissions: token?.permissions ?? null,
    refusedBecause,
  };
}

function refuse(call: PushCall, push: PushRequest, refusal: PushRefusal): PushAnswer {
  for (const command of push.commands) {
    const reason = refusal.reasons.get(command.ref) ?? "pre-receive hook declined";
    call.world.pushes.push(attempt(call, command, reason));
  }
  return {
    status: 200,
    headers: {
      "content-type": "application/x-git-receive-pack-result",
      "cache-control": "no-cache, max-age=0, must-revalidate",
    },
    body: refusalReport(push, refusal),
  };
}

/** A pull request whose branch is deleted is closed. */
async function updatePullRequests(call: PushCall, push: Push): Promise<void> {
  const { world, repository } = call;
  const { branch, after, pusher: sender } = push;
  if (branch === null) return;
  if (after !== null) {
    for (const { pullRequest, before } of await updateHeads(world, repository, branch)) {
      const extra = { before, after };
      call.deliver(await pullRequestEvent(world, pullRequest, { action: "synchronize", sender, extra }));
    }
    return;
  }
  const orphaned = world.pullRequests.filter(
    (each) => each.isOpen && each.headRepository === repository && each.headRef === branch,
  );
  for (const pullRequest of orphaned) {
    closePullRequest(world, pullRequest, null);
    call.deliver(await pullRequestEvent(world, pullRequest, { action: "closed", sender }));
  }
}

async function recordResult(call: PushCall, command: RefCommand): Promise<void> {
  const { world, repository } = call;
  const now = await readRef(repository.directory, command.ref).catch(() => null);
  const push = attempt(call, command, now === command.after ? null : "git refused it");
  world.pushes.push(push);
  if (push.refusedBecause !== null) return;
  const ofBranch = world.pullRequests.filter(
    (each) => each.headRepository === repository && each.headRef === push.branch,
  );
  const pullRequest = ofBranch.find(({ isOpen }) => isOpen) ?? ofBranch.at(-1);
  const writing: Pick<Call, "operation" | "world" | "repository"> = {
    operation: "git/receive-pack",
    world,
    repository,
  };
  recordWrite(writing, { issue: pullRequest ?? null, isVisible: true, commit: null, push });
  await updatePullRequests(call, push);
}

/** The last push to each repository. */
const lastPushes = new WeakMap<Repository, Promise<unknown>>();

/** One push at a time per repository, so that its record says which of two equal pushes changed the branch. */
export function receivePack(call: PushCall): Promise<PushAnswer> {
  const earlier = lastPushes.get(call.repository) ?? Promise.resolve();
  const receive = (): Promise<PushAnswer> => receiveNow(call);
  const result = earlier.then(receive, receive);
  lastPushes.set(call.repository, result);
  return result;
}

/** Throws if the body can't be read. */
async function receiveNow(call: PushCall): Promise<PushAnswer> {
  const { repository, identity, backend, refuseBecause } = call;
  const push = parsePush(call.body);
  const scheduled =
    refuseBecause === null
      ? null
      : { reasons: new Map(push.commands.map(({ ref }) => [ref, refuseBecause])), remarks: [] };
  const refusal = scheduled ?? (await refusalOf(repository, identity, push));
  if (refusal !== null) return refuse(call, push, refusal);
  const answer = await runBackend({ ...backend, directory: repository.directory }, call.body);
  for (const command of push.commands) await recordResult(call, command);
  return answer;
}
