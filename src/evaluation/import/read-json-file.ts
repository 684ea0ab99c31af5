/** Reads one JSON file of a public set out of git. */
import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";

/** The largest file of either set has about a megabyte. */
const MAX_CHARS = 64 * 1024 * 1024;

/** The items of an array, or why there are none. Each item is checked on its own, so that one of another shape doesn't hide the others. */
export async function readJsonArray(
  history: RepositoryHistory,
  commit: string,
  path: string,
): Promise<readonly unknown[] | string> {
  const text = await history.readText(commit, path, MAX_CHARS);
  if (text === null) return "is missing, or larger than 64 MB; fetch the whole repository of the set";
  const value = z.array(z.unknown()).safeParse(parseJson(text));
  return value.success ? value.data : "isn't a JSON array; the format of the set may have changed";
}

/** The first thing that is wrong with an item: "comments[0].severity: Invalid option". */
export function shapeProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return `has another shape than expected: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
}
