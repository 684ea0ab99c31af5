/** Real git for the fake's own tests, in a directory of its own, with a token or without. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { GIT_ENVIRONMENT } from "./git.ts";

export type GitResult = { readonly code: number; readonly out: string; readonly err: string };

export type GitClient = {
  readonly directory: string;
  readonly git: (token: string | null, ...args: readonly string[]) => Promise<GitResult>;
};

export function createGitClient(context: TestContext): GitClient {
  const directory = mkdtempSync(join(tmpdir(), "fake-github-clone-"));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    async git(token, ...args) {
      const basic = Buffer.from(`x-access-token:${token ?? ""}`).toString("base64");
      const header = token === null ? [] : ["-c", `http.extraHeader=Authorization: Basic ${basic}`];
      try {
        const { stdout, stderr } = await promisify(execFile)("git", [...header, ...args], {
          cwd: directory,
          env: { ...GIT_ENVIRONMENT },
        });
        return { code: 0, out: stdout, err: stderr };
      } catch (error) {
        // execFile rejects with this shape if the command fails.
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, out: stdout, err: stderr };
      }
    },
  };
}
