/** Recognizes pull requests among the commits of a mainline, by the messages that hosts write when they merge one. Pure. */
import type { HistoryCommit } from "../../repository/repository-history.ts";

/** A merged pull request: what its commit on the mainline changes compared with the commit before. */
export type MergedChange = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly commit: HistoryCommit;
  /** The first parent. */
  readonly base: string;
};

/** GitHub's squash commits and merge commits, and the merge commits of GitLab and Bitbucket. */
const SQUASH = /^(.+?) \(#(\d{1,9})\)$/;
const MERGE = /^Merge pull request #(\d{1,9}) from /;
const GITLAB = /^See merge request [\w./-]*!(\d{1,9})$/m;
const BITBUCKET = /^Merged in .+ \(pull request #(\d{1,9})\)$/;

const BOT =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk-bot|pre-commit-ci|github-actions|weblate|crowdin)\b/i;

const TRAILER =
  /^(?:co-authored-by|signed-off-by|reviewed-by|acked-by|change-id|closes|fixes|resolves)\b[: ].*$/gim;

export function isByBot({ author, authorEmail, subject }: HistoryCommit): boolean {
  return (
    BOT.test(author) ||
    BOT.test(authorEmail) ||
    /^Merge pull request #\d+ from (?:dependabot|renovate)\//.test(subject)
  );
}

/** Null for a commit that isn't a pull request, as far as its message shows. */
export function toMergedChange(commit: HistoryCommit): MergedChange | null {
  const { subject, body, parents } = commit;
  const [base] = parents;
  if (base === undefined) return null;
  const isMerge = parents.length > 1;
  const made = (number: string | undefined, title: string, text: string): MergedChange | null =>
    number === undefined
      ? null
      : { number: Number(number), title, body: withoutTrailers(text), commit, base };
  const squash = SQUASH.exec(subject);
  if (squash !== null && !isMerge) return made(squash[2], squash[1] ?? subject, body);
  if (!isMerge) return null;
  const [first = "", ...rest] = body.split("\n");
  const merge = MERGE.exec(subject) ?? GITLAB.exec(body) ?? BITBUCKET.exec(subject);
  return made(merge?.[1], first.trim() || subject, rest.join("\n"));
}

function withoutTrailers(text: string): string {
  return text
    .replaceAll(TRAILER, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const REVERTED_COMMIT = /This reverts commit ([0-9a-f]{7,40})/;
const REVERTED_NUMBER = /^Reverts (?:[\w.-]+\/[\w.-]+)?#(\d{1,9})/m;
const REVERTED_SUBJECT = /^(?:[\w()-]+: )?Revert "(?:.*) \(#(\d{1,9})\)"/;

/** The target of a revert: a commit, a pull request, or both; null if it isn't a revert. */
export function revertedBy({
  subject,
  body,
}: HistoryCommit): { readonly commit: string | null; readonly number: number | null } | null {
  const commit = REVERTED_COMMIT.exec(body)?.[1] ?? null;
  const number = REVERTED_NUMBER.exec(body)?.[1] ?? REVERTED_SUBJECT.exec(subject)?.[1] ?? null;
  return commit === null && number === null
    ? null
    : { commit, number: number === null ? null : Number(number) };
}

/** Enough to say why. "Broke prod" is less. */
const MIN_REASON_CHARS = 25;

/** The first paragraph of a revert that isn't what a host writes by itself; null without one. */
export function reasonOfRevert({ body }: HistoryCommit): string | null {
  const own = body
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(TRAILER, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => !/^(?:This reverts commit|Reverts |#|\*|- |>|Revert "|https?:)/.test(paragraph));
  return own.find((paragraph) => paragraph.length >= MIN_REASON_CHARS) ?? null;
}
