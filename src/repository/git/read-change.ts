/**
 * Finds and reads the requested change: the two states to compare, the commits between them, and notes about the choice.
 */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { Change, ChangeKind, Commit } from "../../review/change/change.ts";
import type { ChangeRequest, PullRequestChange } from "../repository.ts";
import type { DiffContext, DiffSides } from "./list-changed.ts";
import { type ReadDiff, readDiff } from "./read-diff.ts";
import { readBranchLog, readCommitMessage } from "./read-log.ts";
import {
  emptyTree,
  type EndsContext,
  findCommit,
  findEnds,
  isFullId,
  refuseOptionLike,
  requireMergeBase,
  resolveCommit,
} from "./refs.ts";
import { MAX_UNTRACKED_FILES, readWorkState, type WorkState } from "./work-tree.ts";

export type GitContext = EndsContext &
  DiffContext & {
    readonly isShallow: boolean;
    /** No commit yet. */
    readonly isUnborn: boolean;
    /** Null if HEAD is detached. */
    readonly branch: string | null;
  };

export async function readChange(request: ChangeRequest, git: GitContext): Promise<Change> {
  switch (request.kind) {
    case "staged":
      return readStaged(git);
    case "commit":
      return readCommit(request.ref, git, []);
    case "range":
      return readRange(request.range, git);
    case "current":
      return readCurrent(request.base, git);
    case "committed":
      return readCommittedOnly(request.base, git);
    case "pull-request":
      return readPullRequest(request, git);
  }
}

async function readStaged(git: GitContext): Promise<Change> {
  if (git.root === null) {
    throw new KodiaiError("usage", "a bare repository has nothing staged", {
      hint: "Use --range A..B or --commit SHA.",
    });
  }
  const head = git.isUnborn ? null : await findCommit("HEAD", git);
  const diff = await readDiff({ kind: "index", old: head ?? (await emptyTree(git)) }, git);
  return compose("staged", "staged changes", { base: head, head: null }, diff, []);
}

async function readCommit(ref: string, git: GitContext, notes: readonly string[]): Promise<Change> {
  const id = await resolveCommit(ref, git);
  const parent = await findCommit(`${id}^1`, git);
  const [diff, commits] = await Promise.all([
    readDiff({ kind: "trees", old: parent ?? (await emptyTree(git)), new: id }, git),
    readCommitMessage(id, git),
  ]);
  if (parent === null && git.isShallow) {
    notes = [...notes, "the clone is shallow and ends at this commit, so all of its files appear as new"];
  }
  const ids = { base: parent, head: id };
  return compose("commit", `commit ${id.slice(0, 10)}`, ids, withNotes(diff, notes), commits);
}

async function readRange(range: string, git: GitContext): Promise<Change> {
  refuseOptionLike(range);
  const match = /^(.*?)(\.\.\.?)(.*)$/.exec(range);
  if (match === null) {
    throw new KodiaiError("usage", `"${printable(range)}" is not a range`, {
      hint: "Write A..B (from A to B) or A...B (from their merge base to B).",
    });
  }
  const left = { name: match[1] || "HEAD", id: await resolveCommit(match[1] || "HEAD", git) };
  const right = { name: match[3] || "HEAD", id: await resolveCommit(match[3] || "HEAD", git) };
  const from = match[2] === "..." ? await requireMergeBase(left, right, git) : left.id;
  const [diff, { commits }] = await Promise.all([
    readDiff({ kind: "trees", old: from, new: right.id }, git),
    readBranchLog(left.id, right.id, git),
  ]);
  return compose("range", `range ${printable(range)}`, { base: from, head: right.id }, diff, commits);
}

/** Reads the current branch, including uncommitted work, against its base. */
async function readCurrent(wanted: string | null, git: GitContext): Promise<Change> {
  if (git.isUnborn) {
    throw new KodiaiError("no-commits", "this repository has no commits yet", {
      hint: "Stage your files with `git add` and review them with `kodiai review --staged`.",
    });
  }
  const [{ name, head, base, from, diff, commits }, work] = await Promise.all([
    readCommitted(wanted, git),
    git.root === null ? CLEAN : readWorkState(git.root, git),
  ]);
  const hasWork = work.isDirty || work.untracked.length > 0;
  if (diff.files.length === 0 && !hasWork && from === head && wanted === null) {
    return readCommit("HEAD", git, [
      `${printable(name)} has nothing to compare with ${printable(base.name)}: reading its last commit`,
    ]);
  }
  const notes =
    work.untrackedTotal > MAX_UNTRACKED_FILES
      ? [
          `${work.untrackedTotal} files are untracked; only the first ${MAX_UNTRACKED_FILES} were read. Ignore or add the others`,
        ]
      : [];
  const description = `${printable(name)}${hasWork ? " with uncommitted work" : ""} against ${printable(base.name)}`;
  const ids = { base: from, head: hasWork ? null : head };
  const all = withNotes({ ...diff, files: [...diff.files, ...work.untracked] }, notes);
  return compose(hasWork ? "working-tree" : "branch", description, ids, all, commits);
}

/** Reads the commits of the current branch from git's objects, whatever is in the work tree. */
async function readCommittedOnly(wanted: string | null, git: GitContext): Promise<Change> {
  if (git.isUnborn) {
    throw new KodiaiError("no-commits", "this repository has no commits yet", {
      hint: "Commit your files first.",
    });
  }
  const { head, detected } = await findEnds(git);
  const name = git.branch ?? head.slice(0, 10);
  const base = wanted === null ? detected : { name: wanted, id: await resolveCommit(wanted, git) };
  if (base === null) return readCommit(head, git, ["no base branch was found: reading the last commit"]);
  const from = await requireMergeBase(base, { name, id: head }, git);
  if (from === head && wanted === null) {
    const note = `${printable(name)} has nothing to compare with ${printable(base.name)}: reading its last commit`;
    return readCommit(head, git, [note]);
  }
  const [diff, { commits }] = await Promise.all([
    readDiff({ kind: "trees", old: from, new: head }, git),
    readBranchLog(base.id, head, git),
  ]);
  const description = `${printable(name)} against ${printable(base.name)}`;
  return compose("branch", description, { base: from, head }, diff, commits);
}

/** Reads a pull request. Its title and description describe the change, not those of its newest commit. */
async function readPullRequest(request: PullRequestChange, git: GitContext): Promise<Change> {
  const { title, body, description, mergeBase, head, baseTip, share } = request;
  if (!isFullId(mergeBase) || !isFullId(head)) throw new TypeError("a pull request needs full commit ids");
  const [diff, { commits }] = await Promise.all([
    readDiff({ kind: "trees", old: mergeBase, new: head }, { ...git, share }),
    readBranchLog(mergeBase, head, git),
  ]);
  const ids = { base: mergeBase, head };
  const tip = baseTip === undefined ? {} : { baseTip };
  return { ...compose("pull-request", description, ids, diff, commits), ...tip, title, body };
}

const CLEAN: Promise<WorkState> = Promise.resolve({ isDirty: false, untracked: [], untrackedTotal: 0 });

/** Reads everything except untracked files: where the branch left its base, and its changes since. */
async function readCommitted(wanted: string | null, git: GitContext) {
  const { head, detected } = await findEnds(git);
  const name = git.branch ?? head.slice(0, 10);
  const base = wanted === null ? detected : { name: wanted, id: await resolveCommit(wanted, git) };
  if (base === null) {
    throw new KodiaiError("unknown-ref", "no base branch was found (origin/HEAD, main, master)", {
      hint: "Set the base with `kodiai review --base BRANCH`, or review one commit with `--commit HEAD`.",
    });
  }
  if (base.id === head) {
    return { name, head, base, from: head, diff: await readDiff(sidesOf(head, head, git), git), commits: [] };
  }
  // The diff finds the merge base itself, and the log usually shows it. A separate request is needed only otherwise.
  const logging = readBranchLog(base.id, head, git);
  const merging = logging.then(({ fork }) => fork ?? requireMergeBase(base, { name, id: head }, git));
  const [from, diff, { commits }] = await Promise.all([
    merging,
    readFromMergeBase({ base: base.id, head, merging }, git),
    logging,
  ]);
  return { name, head, base, from, diff, commits };
}

async function readFromMergeBase(
  {
    base,
    head,
    merging,
  }: { readonly base: string; readonly head: string; readonly merging: Promise<string> },
  git: GitContext,
): Promise<ReadDiff> {
  if (git.root === null) return readDiff(sidesOf(await merging, head, git), git);
  try {
    return await readDiff({ kind: "working-tree", old: base, mergeBase: true }, git);
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.code !== "git") throw error;
    // Git refuses if there are several merge bases. Any of them will do.
    return readDiff(sidesOf(await merging, head, git), git);
  }
}

/** Compares a commit with the working tree, or with the head if there is no working tree. */
function sidesOf(from: string, head: string, { root }: GitContext): DiffSides {
  return root === null
    ? { kind: "trees", old: from, new: head }
    : { kind: "working-tree", old: from, mergeBase: false };
}

function withNotes(diff: ReadDiff, notes: readonly string[]): ReadDiff {
  return { ...diff, notes: [...notes, ...diff.notes] };
}

function compose(
  kind: ChangeKind,
  description: string,
  ids: { readonly base: string | null; readonly head: string | null },
  { files, notes }: ReadDiff,
  commits: readonly Commit[],
): Change {
  const newest = commits[0];
  return {
    kind,
    description,
    title: newest?.subject ?? "",
    body: commits.length === 1 ? (newest?.body ?? "") : "",
    ...ids,
    commits,
    files,
    notes,
  };
}
