/** Compares ranges of npm. */
import semver from "semver";

/** Whether each version of one range is in the other; false also for a range that can't be read. */
export function isWithin(range: string, other: string): boolean {
  try {
    return range === other || semver.subset(range, other);
  } catch {
    return false;
  }
}
