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

/** A shell starts the three, because starting a program from a large process, as one with many tests is, takes longer than git itself. */
const COMMIT =
  'git add --all && git -c maintenance.auto=false commit --quiet --allow-empty --message "$0" && git rev-parse HEAD';

export function testRepository(options: { bare?: boolean } = {}): TestRepository {
  const path = mkdtempSync(join(tmpdir(), "kodiai-test-"));
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, {
      cwd: path,
      env: { ...process.env, ...ENVIRONMENT },
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
  const git = (...args: string[]): string => run("git", args);
  initialize(path, options.bare === true);
  return {
    path,
    git,
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    commit: (message) => run("sh", ["-c", COMMIT, message]).trim(),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Writes the files that `git init` writes and git needs. */
function initialize(path: string, isBare: boolean): void {
  const folder = isBare ? path : join(path, ".git");
  for (const name of ["hooks", "info", "objects/info", "objects/pack", "refs/heads", "refs/tags"])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(
    join(folder, "config"),
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${isBare}\n\tlogallrefupdates = ${!isBare}\n`,
  );
}
