/** Reads a diff from a file or standard input as a stream and turns it into a change. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { Change } from "../review/change/change.ts";
import { createDiffParser } from "../review/change/parse-diff.ts";
import type { CliFiles } from "./command.ts";

export async function readDiffInput(path: string, { readInput }: CliFiles): Promise<Change> {
  const parser = createDiffParser();
  let hasText = false;
  for await (const chunk of readInput(path)) {
    hasText ||= chunk.trim() !== "";
    parser.push(chunk);
  }
  const files = parser.end();
  const name = path === "-" ? "standard input" : printable(path);
  if (files.length === 0 && hasText) {
    throw new KodiaiError("bad-diff", `${name} isn't a unified diff`, {
      hint: "Create one with `git diff` or `diff -u`, for example `git diff main > change.diff`.",
    });
  }
  return {
    kind: "diff",
    description: `diff from ${name}`,
    title: "",
    body: "",
    base: null,
    head: null,
    commits: [],
    files,
    notes: [],
  };
}
