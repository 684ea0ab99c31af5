/** Set-ups that tests of commits and tests of pushes share. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import { createRepositoryWriters } from "../../src/repository/git/write/repository-writers.ts";
import type { NewCommit, RepositoryWriter, WrittenFile } from "../../src/repository/repository-writer.ts";

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-writer-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writerIn(folder: string, signal = new AbortController().signal): RepositoryWriter {
  return createRepositoryWriters({ folder, environment: { PATH: process.env["PATH"] ?? "" } })(42, signal);
}

export function commitRequest(
  parent: string,
  files: readonly WrittenFile[],
  more: Partial<NewCommit> = {},
): NewCommit {
  return {
    parent,
    files,
    message: "Fix it\n\nKodiai-Request: 1",
    author: { name: "kodiai[bot]", email: "1+kodiai[bot]@users.noreply.github.com" },
    at: 1_780_000_000_123,
    ...more,
  };
}

export async function assertRefused(
  work: Promise<unknown>,
  code: string,
  isRetryable = false,
): Promise<KodiaiError> {
  const error: unknown = await work.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KodiaiError, JSON.stringify(error) + String(error));
  assert.deepEqual([error.code, error.retryable], [code, isRetryable], error.message);
  return error;
}

/** Adds every hook that a commit or a push could run to a copy, and settings that would start programs or push elsewhere. */
export function armCopy(folder: string, trace: (name: string) => string): void {
  const git = join(folder, "42.git");
  mkdirSync(join(git, "hooks"), { recursive: true });
  for (const name of [
    "pre-push",
    "pre-commit",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-index-change",
  ])
    writeFileSync(join(git, "hooks", name), `#!/bin/sh\n${trace(name)}\nexit 1\n`, { mode: 0o755 });
  writeFileSync(
    join(git, "config"),
    `${readFileSync(join(git, "config"), "utf8")}
[core]
	hooksPath = ${join(git, "hooks")}
	fsmonitor = "${trace("fsmonitor")}"
	askPass = "${trace("askpass")}"
[filter "evil"]
	clean = "${trace("clean")}"
	process = "${trace("process")}"
	required = true
[diff "evil"]
	textconv = "${trace("textconv")}"
	command = "${trace("command")}"
[credential]
	helper = "!${trace("helper")}"
[push]
	pushOption = ci.skip
	followTags = true
	gpgSign = if-asked
	recurseSubmodules = on-demand
	default = matching
[remote]
	pushDefault = elsewhere
[remote "elsewhere"]
	url = ext::sh -c "${trace("ext")}"
	mirror = true
`,
  );
}
