/**
 * `persist`: keeps facts about code between jobs in the cache of GitHub Actions. They only save time: whatever is missing is read
 * again, and a cache that can't be reached is a warning.
 */
import { existsSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { isFeatureAvailable, restoreCache, saveCache } from "@actions/cache";
import { messageOf } from "../base/errors.ts";
import { workflowCommand } from "../base/workflow-command.ts";

type KeptData = { restore(): Promise<void>; save(): Promise<void> };

/**
 * The folder of `data` that is kept: facts by the id of a file's content. Look-ups and clones aren't kept, because a review trusts what
 * they say, and every job of the branch can write to this cache.
 */
const KEPT_FOLDER = "code";

export function openKeptData(data: string, env: Readonly<Record<string, string | undefined>>): KeptData {
  const folder = join(data, KEPT_FOLDER);
  const prefix = `kodiai-code-1-${platform()}-${arch()}-`;
  // A key can be written once, so every attempt has its own. The newest one of the prefix is restored.
  const key = `${prefix}${env["GITHUB_RUN_ID"] ?? "0"}-${env["GITHUB_RUN_ATTEMPT"] ?? "1"}-${env["GITHUB_JOB"] ?? ""}`;
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const message = `The cache couldn't be ${what}: ${messageOf(error)}. The review works without it.`;
      process.stdout.write(`${workflowCommand("warning", { title: "Kodiai" }, message)}\n`);
    }
  };
  if (!isFeatureAvailable()) {
    process.stdout.write("This runner has no cache service, so nothing is kept between jobs\n");
    return { restore: async () => {}, save: async () => {} };
  }
  return {
    restore: () => attempt("read", () => restoreCache([folder], key, [prefix])),
    save: async () => {
      if (existsSync(folder)) await attempt("written", () => saveCache([folder], key));
    },
  };
}
