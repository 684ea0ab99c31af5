/** Chooses the test files of a run. The tier of a file is its folder: `test/thorough` is left to `npm run test:all`. */
import { globSync } from "node:fs";

const THOROUGH = "test/thorough/";

/** Paths that contain one of `parts`, of both tiers; without parts, those of the test command, or all. */
export function findTestFiles(parts: readonly string[], isAll: boolean): readonly string[] {
  return globSync(["src/**/*.test.ts", "test/**/*.test.ts", "fake-github/**/*.test.ts"])
    .filter((file) => isWanted(file, parts, isAll))
    .toSorted();
}

export function isWanted(file: string, parts: readonly string[], isAll: boolean): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part));
  return isAll || !file.startsWith(THOROUGH);
}
