/** Reads the sizes of many blobs at once, without unpacking or fetching them. */
import { gitFailure, type GitOptions, spawnBatchGit, spawnFailure, streamGit } from "./run-git.ts";

const FORMAT = "--batch-check=%(objectname) %(objectsize)";

/** Returns sizes by id. Blobs that aren't stored here are left out. */
export async function readSizes(
  ids: ReadonlySet<string>,
  git: GitOptions,
): Promise<ReadonlyMap<string, number>> {
  if (ids.size === 0) return new Map();
  return (await readWanted(ids, git)) ?? readStored(ids, git);
}

/** Null if git failed, as in a partial clone: it exits at the first blob that it would have to fetch. */
function readWanted(ids: ReadonlySet<string>, git: GitOptions): Promise<ReadonlyMap<string, number> | null> {
  const sizes = createSizeParser(ids);
  const child = spawnBatchGit(["cat-file", "--buffer", FORMAT], git);
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(spawnFailure(error)));
    child.on("close", (code) => resolve(code === 0 ? sizes.found : null));
    child.stdout.setEncoding("latin1").on("data", sizes.push);
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(`${[...ids].join("\n")}\n`);
  });
}

/** Goes through every object that is stored here. Takes a second for 500,000, and never fetches. */
async function readStored(ids: ReadonlySet<string>, git: GitOptions): Promise<ReadonlyMap<string, number>> {
  const sizes = createSizeParser(ids);
  const args = ["cat-file", "--batch-all-objects", "--unordered", "--buffer", FORMAT];
  const exit = await streamGit(args, git, sizes.push);
  if (exit.code !== 0) throw gitFailure(args, exit);
  return sizes.found;
}

/** Parses lines such as `id 120`, and skips `id missing`. */
function createSizeParser(wanted: ReadonlySet<string>) {
  const found = new Map<string, number>();
  let rest = "";
  return {
    found,
    push: (chunk: string): void => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [id = "", size = ""] = line.split(" ");
        const bytes = Number(size);
        if (wanted.has(id) && Number.isInteger(bytes)) found.set(id, bytes);
      }
    },
  };
}
