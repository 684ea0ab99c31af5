/**
 * Reads which paths each of the last commits changed. It compares trees only, so it works in a partial clone. The commit
 * at the edge of a shallow clone counts as one without a parent. Comparing is most of the work, and a commit never changes, so a
 * cache may keep the paths: then git lists commits, and compares those that are new.
 */
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { KeptText } from "../repository.ts";
import type { WithDeadline } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { type GitOptions, SMALL_MEMORY, streamUntil } from "./run-git.ts";

/** Limits all paths together. The last 5,000 commits of a busy repository are about 1 MB. */
const MAX_CHARS = 64 * 1024 * 1024;

/** A longer history isn't kept. */
const MAX_KEPT_CHARS = 8 * 1024 * 1024;

/** With kept paths, the result is the same as without only if neither reaches MAX_CHARS. */
const MAX_NEW_CHARS = MAX_CHARS - 2 * MAX_KEPT_CHARS;

/** An empty record starts a commit, because no path is empty. The record after it has its id, and the parents that git knows of. */
const FORMAT = "--format=%x00%H %P";

const OPTIONS = ["--no-renames", "--no-show-signature", "--ignore-submodules", "--name-only"];

type CoChangesWanted = { readonly maxCommits: number; readonly kept?: KeptText };

/** The paths by commit, newest first. They are latin1, as git writes them. */
type ChangedPaths = ReadonlyMap<string, readonly string[]>;

export function readCoChanges(
  commit: string,
  { maxCommits, kept }: CoChangesWanted,
  runInTime: WithDeadline,
): Promise<readonly (readonly string[])[]> {
  return runInTime(async (git) => {
    const small = { ...git, settings: [...(git.settings ?? []), ...SMALL_MEMORY] };
    const range = ["--no-merges", `--max-count=${maxCommits}`, commitOf({ commit }), "--"];
    const known = parseKept((await kept?.read()) ?? null);
    const completed = known.size === 0 ? null : await complete(known, range, small);
    const { paths, isComplete } = completed ?? (await readLog(range, { git: small, maxChars: MAX_CHARS }));
    const isNew = [...paths.keys()].some((id) => !known.has(id));
    if (kept !== undefined && isComplete && isNew) await keep(paths, kept);
    return [...paths.values()].map((some) => some.map(decodePath));
  });
}

type LogRead = { readonly paths: ChangedPaths; readonly isComplete: boolean };

/** Null if the limit would be reached. */
async function complete(
  known: ChangedPaths,
  range: readonly string[],
  git: GitOptions,
): Promise<LogRead | null> {
  let listing = "";
  await streamUntil(["rev-list", "--parents", ...range], git, (chunk) => {
    listing += chunk;
    return false;
  });
  const ids = listing.split("\n").flatMap((line) => /^(\S+) \S/.exec(line)?.[1] ?? []);
  const unknown = ids.filter((id) => !known.has(id));
  let added: ChangedPaths = new Map();
  if (unknown.length > 0) {
    const input = Buffer.from(`${unknown.join("\n")}\n`);
    const read = await readLog(["--no-walk=unsorted", "--stdin"], {
      git: { ...git, input },
      maxChars: MAX_NEW_CHARS,
    });
    if (!read.isComplete) return null;
    added = read.paths;
  }
  const paths = new Map(ids.map((id) => [id, known.get(id) ?? added.get(id) ?? []]));
  return { paths, isComplete: true };
}

async function readLog(
  range: readonly string[],
  { git, maxChars }: { readonly git: GitOptions; readonly maxChars: number },
): Promise<LogRead> {
  const pieces: string[] = [];
  let chars = 0;
  const isCut = await streamUntil(["log", "-z", ...OPTIONS, FORMAT, ...range], git, (chunk) => {
    chars += chunk.length;
    pieces.push(chunk);
    return chars > maxChars;
  });
  const commits = parseCommits(pieces.join(""));
  // The last commit may have been cut.
  return { paths: new Map(isCut ? commits.slice(0, -1) : commits), isComplete: !isCut };
}

function parseCommits(listing: string): readonly (readonly [id: string, paths: readonly string[]])[] {
  const commits: (readonly [string, readonly string[]])[] = [];
  let current: string[] = [];
  const records = listing.split("\0");
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? "";
    if (record === "") {
      current = [];
      const [id = "", parent = ""] = (records[++index] ?? "").split(" ");
      // Without a parent, every file is new, which says nothing about files that change together.
      if (parent !== "") commits.push([id, current]);
    } else {
      // A line feed precedes the first path.
      current.push(current.length === 0 ? record.slice(1) : record);
    }
  }
  return commits;
}

/** One list for each commit: its id, then its paths. */
async function keep(paths: ChangedPaths, kept: KeptText): Promise<void> {
  const text = JSON.stringify([...paths].map(([id, some]) => [id, ...some]));
  if (text.length <= MAX_KEPT_CHARS) await kept.write(text);
}

/** Empty for any other text. */
function parseKept(text: string | null): ChangedPaths {
  const found = new Map<string, readonly string[]>();
  try {
    const commits: unknown = JSON.parse(text ?? "[]");
    for (const commit of Array.isArray(commits) ? commits : []) {
      const [id, ...some]: unknown[] = commit;
      const paths = some.filter((path) => typeof path === "string");
      if (typeof id !== "string" || paths.length < some.length) return new Map();
      found.set(id, paths);
    }
    return found;
  } catch {
    return new Map();
  }
}
