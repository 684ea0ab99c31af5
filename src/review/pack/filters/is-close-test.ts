/** Whether a test is close to the change: ranked high, few imports away, named after a changed file, or in the same deep folder. */
import type { RankedFile } from "../rank/ranked-file.ts";

const MAX_CLOSE_DISTANCE = 2;
/** In thousandths of the closest file. */
const MIN_CLOSENESS = 400;
/** Fewer shared folders are common: `src/test/java`. */
const MIN_SHARED_SEGMENTS = 4;

export function isCloseTest(
  { path, relation, distance, closeness }: Pick<RankedFile, "path" | "relation" | "distance" | "closeness">,
  changed: readonly string[],
): boolean {
  if (closeness >= MIN_CLOSENESS || (distance !== null && distance <= MAX_CLOSE_DISTANCE)) return true;
  return relation === "test" || changed.some((other) => sharedSegments(path, other) >= MIN_SHARED_SEGMENTS);
}

/** Leading folders that two paths share. */
function sharedSegments(a: string, b: string): number {
  const others = b.split("/").slice(0, -1);
  const own = a.split("/").slice(0, -1);
  const end = own.findIndex((segment, index) => segment !== others[index]);
  return end === -1 ? own.length : end;
}
