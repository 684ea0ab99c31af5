/** Reads a listing of git, whose records end with NUL, up to a number of records. */
import { type GitOptions, streamUntil } from "./run-git.ts";

/** Limits all records together. 200,000 paths are about 15 MB, but a tree can have paths of any length. */
const MAX_LISTED_CHARS = 64 * 1024 * 1024;

/** Records that `parse` returns null for don't count. Null if there are more than `max`. */
export async function listRecords<Value>(
  args: readonly string[],
  { max, parse }: { readonly max: number; readonly parse: (record: string) => Value | null },
  git: GitOptions,
): Promise<readonly Value[] | null> {
  const values: Value[] = [];
  let rest = "";
  let chars = 0;
  const hasMore = await streamUntil(args, git, (chunk) => {
    chars += chunk.length;
    const records = (rest + chunk).split("\0");
    rest = records.pop() ?? "";
    for (const record of records) {
      const value = parse(record);
      if (value !== null) values.push(value);
    }
    return values.length > max || chars > MAX_LISTED_CHARS;
  });
  return hasMore ? null : values;
}
