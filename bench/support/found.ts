/** A finding on a commit of a public repository, as a bench writes it for a person who judges it. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Severity } from "../../src/base/severity.ts";
import type { PublishedFinding } from "../../src/review/publication/publication.ts";
import { keyOf } from "./judged-run.ts";

export type Found = {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  readonly line: number | null;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly body: string;
  readonly frame: string;
};

/** A mirror has its repositories in folders such as `owner+name/repo`. */
export function repositoryName(folder: string): string {
  return basename(dirname(folder)).replace("+", "/");
}

export function gitIn(folder: string): (...args: readonly string[]) => string {
  return (...args) =>
    spawnSync("git", ["--git-dir", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
}

const SIGNS = { added: "+", removed: "-", context: " " } as const;

export function toFound(
  { finding, anchor, severity, frame, headLine }: PublishedFinding,
  repository: string,
  commit: string,
): Found {
  return {
    repository,
    commit,
    path: finding.path,
    line: anchor?.startLine ?? headLine,
    rule: finding.rule ?? finding.source,
    severity,
    title: finding.title,
    body: finding.body,
    frame: frame
      .map(({ kind, text, isAnchor }) => `${isAnchor ? ">" : " "}${SIGNS[kind]}${text.slice(0, 160)}`)
      .join("\n"),
  };
}

type Kept = Pick<Found, "repository" | "commit" | "path" | "line" | "rule"> & {
  readonly verdict: string | null;
  readonly because: string | null;
};

/** JSON lines, with the verdicts that are known and room for the others. */
export function writeFound(path: string, found: readonly Found[], kept: readonly Kept[]): void {
  const known = new Map(kept.map((finding) => [keyOf(finding), finding]));
  const rows = found.map((one) => {
    const { verdict = null, because = null } = known.get(keyOf(one)) ?? {};
    return `${JSON.stringify({ ...one, verdict, because })}\n`;
  });
  writeFileSync(path, rows.join(""));
}
