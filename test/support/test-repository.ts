/** A real git repository in a temporary folder, with fixed names and dates so that ids repeat. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ENVIRONMENT = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

export type TestRepository = {
  readonly path: string;
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array): void;
  /** Adds everything and commits; returns the id. */
  commit(message: string): string;
  remove(): void;
};

export function testRepository(options: { bare?: boolean } = {}): TestRepository {
  const path = mkdtempSync(join(tmpdir(), "kodiai-test-"));
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: path,
      env: { ...process.env, ...ENVIRONMENT },
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
  git("init", "--quiet", "--initial-branch=main", ...(options.bare === true ? ["--bare"] : []));
  return {
    path,
    git,
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    commit(message) {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "HEAD").trim();
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
