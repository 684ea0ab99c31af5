/** The disk for copies of repositories: its free space against KODIAI_CACHE_GB. */
import { adviceOf, type DoctorCheck, failure, fine, notChecked, unknown, warning } from "../check.ts";
import { describeBytes } from "../describe-bytes.ts";

/** Less than this isn't enough for the copy of an ordinary repository. */
const MIN_FREE_BYTES = 500_000_000;

export type CacheFacts = {
  readonly folder: string;
  readonly maxBytes: number;
  readonly usedBytes: number;
  readonly freeBytes: number;
};

/** `read` is null without an app, which alone keeps copies on this machine. */
export function createDiskCheck(read: (() => Promise<CacheFacts>) | null): DoctorCheck {
  return {
    name: "disk",
    async run() {
      if (read === null) return [notChecked("The disk for copies of repositories: no app is configured.")];
      let facts: CacheFacts;
      try {
        facts = await read();
      } catch (error) {
        return [unknown("disk-full", adviceOf(error))];
      }
      const { folder, maxBytes, usedBytes, freeBytes } = facts;
      const free = `${describeBytes(freeBytes)} are free in ${folder}`;
      const wanted = `KODIAI_CACHE_GB allows copies of ${describeBytes(maxBytes)}`;
      if (freeBytes < MIN_FREE_BYTES)
        return [
          failure("disk-full", {
            what: `Only ${free}, so repositories can't be fetched.`,
            remedy: "Free up disk space, or set KODIAI_DATA to a folder on a larger disk.",
          }),
        ];
      if (freeBytes + usedBytes >= maxBytes) return [fine(`${free}; ${wanted}.`)];
      return [
        warning("disk-smaller-than-cache", {
          what: `Only ${free}, but ${wanted}, ${describeBytes(usedBytes)} of them used.`,
          remedy:
            "Lower KODIAI_CACHE_GB, free up disk space, or set KODIAI_DATA to a folder on a larger disk.",
        }),
      ];
    },
  };
}
