/**
 * Finds the change a person meant and reads it: which two states are compared, which commits lie between, what to tell
 * about the choice.
 */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { Change, ChangeKind, Commit } from "../../review/change/change.ts";
import type { ChangeRequest } from "../repository.ts";
import { readDiff } from "./read-diff.ts";
import { readLog } from "./read-log.ts";
import {
  detectBase,
  emptyTree,
  findCommit,
  refuseOptionLike,
  requireMergeBase,
  resolveCommit,
} from "./refs.ts";
import { type GitOptions, tryGit } from "./run-git.ts";
import { MAX_UNTRACKED_FILES, readUntracked } from "./work-tree.ts";

export type GitContext = GitOptions & { readonly root: string | null; readonly isShallow: boolean };

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
  }
}

async function readStaged(git: GitContext): Promise<Change> {
  if (git.root === null) {
    throw new KodiaiError("usage", "a bare repository has nothing staged", {
      hint: "Use --range A..B or --commit SHA.",
    });
  }
  const head = await findCommit("HEAD", git);
  const files = await readDiff(["--cached", head ?? (await emptyTree(git))], git);
  return compose("staged", "staged changes", { base: head, head: null }, files, [], []);
}

async function readCommit(ref: string, git: GitContext, notes: readonly string[]): Promise<Change> {
  const id = await resolveCommit(ref, git);
  const parent = await findCommit(`${id}^1`, git);
  const [files, commits] = await Promise.all([
    readDiff([parent ?? (await emptyTree(git)), id], git),
    readLog(id, git, 1),
  ]);
  if (parent === null && git.isShallow) {
    notes = [...notes, "the clone is shallow and ends at this commit: all of its files are shown as new"];
  }
  return compose("commit", `commit ${id.slice(0, 10)}`, { base: parent, head: id }, files, commits, notes);
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
  const [files, commits] = await Promise.all([
    readDiff([from, right.id], git),
    readLog(`${left.id}..${right.id}`, git),
  ]);
  return compose("range", `range ${printable(range)}`, { base: from, head: right.id }, files, commits, []);
}

/** The current branch with what is not committed yet, against its base. */
async function readCurrent(wanted: string | null, git: GitContext): Promise<Change> {
  const [head, branch] = await Promise.all([findCommit("HEAD", git), currentBranch(git)]);
  if (head === null) {
    throw new KodiaiError("no-commits", "this repository has no commits yet", {
      hint: "Stage your files with `git add` and review them with `kodiai review --staged`.",
    });
  }
  const name = branch ?? head.slice(0, 10);
  const base = await chooseBase(wanted, branch, git);
  const from = await requireMergeBase(base, { name, id: head }, git);
  const [files, commits, untracked, isDirty] = await Promise.all([
    readDiff(git.root === null ? [from, head] : [from], git),
    from === head ? Promise.resolve<readonly Commit[]>([]) : readLog(`${from}..${head}`, git),
    git.root === null ? Promise.resolve(null) : readUntracked(git.root, git),
    git.root === null ? Promise.resolve(false) : isWorkTreeDirty(git),
  ]);
  const hasWork = isDirty || (untracked?.files.length ?? 0) > 0;
  if (files.length === 0 && !hasWork && from === head && wanted === null) {
    return readCommit("HEAD", git, [
      `${printable(name)} has nothing to compare with ${printable(base.name)}: reviewing its last commit`,
    ]);
  }
  const notes: string[] = [];
  if (untracked !== null && untracked.total > MAX_UNTRACKED_FILES) {
    notes.push(
      `${untracked.total} files are not tracked by git; the first ${MAX_UNTRACKED_FILES} were read: ignore or add the others`,
    );
  }
  const description = `${printable(name)}${hasWork ? " with uncommitted work" : ""} against ${printable(base.name)}`;
  const ids = { base: from, head: hasWork ? null : head };
  const all = [...files, ...(untracked?.files ?? [])];
  return compose(hasWork ? "working-tree" : "branch", description, ids, all, commits, notes);
}

async function chooseBase(wanted: string | null, branch: string | null, git: GitContext) {
  if (wanted !== null) return { name: wanted, id: await resolveCommit(wanted, git) };
  const detected = await detectBase(branch, git);
  if (detected !== null) return detected;
  throw new KodiaiError("unknown-ref", "no base branch was found (origin/HEAD, main, master)", {
    hint: "Say what to compare with: `kodiai review --base BRANCH`, or review one commit with `--commit HEAD`.",
  });
}

async function currentBranch(git: GitOptions): Promise<string | null> {
  const result = await tryGit(["symbolic-ref", "--quiet", "--short", "HEAD"], git);
  return result.code === 0 ? result.stdout.trim() : null;
}

async function isWorkTreeDirty(git: GitOptions): Promise<boolean> {
  return (
    (await tryGit(["diff", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty", "HEAD", "--"], git))
      .code === 1
  );
}

function compose(
  kind: ChangeKind,
  description: string,
  ids: { readonly base: string | null; readonly head: string | null },
  files: Change["files"],
  commits: readonly Commit[],
  notes: readonly string[],
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
