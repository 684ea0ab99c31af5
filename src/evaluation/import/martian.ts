/**
 * The public set withmartian/code-review-benchmark (MIT): pull requests of five projects with comments that people wrote or confirmed. The
 * comments have no lines, so that their answers are compared by topic alone.
 */
import * as z from "zod";
import { KodiaiError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import type { Severity } from "../../base/severity.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";
import type { EvaluationCase, EvaluationSet, SetProblem } from "../set/evaluation-set.ts";
import { type ImportSources, openClones, type RepositoryNeed } from "./import-sources.ts";
import { findCommitRange, findPullRequestCommits, type PullRequestCommits } from "./pull-request-commits.ts";
import { readJsonArray, shapeProblem } from "./read-json-file.ts";

const FOLDER = "offline/golden_comments";

/** The set rates with four words. */
const SEVERITY_OF: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "major",
  medium: "medium",
  low: "minor",
};

/** One file per project, whose pull requests are mainly in one language. */
const LANGUAGE_OF: Readonly<Record<string, string>> = {
  cal_dot_com: "TypeScript",
  discourse: "Ruby",
  grafana: "Go",
  keycloak: "Java",
  sentry: "Python",
};

const GoldenCase = z.object({
  pr_title: z.string().min(1),
  url: z.string(),
  original_url: z.string().nullish(),
  /** A remark of the authors, such as that the commit they reviewed isn't in the repository. */
  az_comment: z.string().nullish(),
  comments: z.array(z.object({ comment: z.string().trim().min(1), severity: z.string().nullish() })).min(1),
});
type GoldenCase = z.infer<typeof GoldenCase>;

const GITHUB_URL = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(?:pull\/(\d{1,9})|commit\/([0-9a-f]{40}))$/;

export async function readMartianSet(sources: ImportSources): Promise<EvaluationSet> {
  const data = await sources.openHistory(sources.data);
  const commit = await data.findCommit("HEAD");
  const files = commit === null ? [] : await data.listFiles(commit, `${FOLDER}/`);
  if (commit === null || files.length === 0) throw notTheSet(`${sources.data} has no ${FOLDER}`);
  const open = openClones(sources);
  const cases: EvaluationCase[] = [];
  const problems: SetProblem[] = [];
  const notes: SetProblem[] = [];
  for (const path of files.filter((name) => name.endsWith(".json"))) {
    const items = await readJsonArray(data, commit, path);
    if (typeof items === "string") {
      problems.push({ where: path, problem: items });
      continue;
    }
    for (const [index, item] of items.entries()) {
      const parsed = GoldenCase.safeParse(item);
      if (!parsed.success) {
        problems.push({ where: `${path}[${index}]`, problem: shapeProblem(parsed.error) });
        continue;
      }
      const where = parsed.data.url;
      const found = await findCode(parsed.data, open);
      if ("missing" in found) problems.push({ where, problem: found.missing });
      else {
        cases.push(toCase(path, parsed.data, found));
        if (found.note !== null) notes.push({ where, problem: found.note });
      }
    }
  }
  const version = hashParts([JSON.stringify(cases)], 12);
  return { name: "martian", version, cases, problems, notes };
}

/** The refs and commits that the cases need, with their repositories. */
export async function listMartianNeeds(
  openData: () => Promise<RepositoryHistory>,
): Promise<readonly RepositoryNeed[]> {
  const data = await openData();
  const needs: RepositoryNeed[] = [];
  for (const path of (await data.listFiles("HEAD", `${FOLDER}/`)).filter((name) => name.endsWith(".json"))) {
    const items = await readJsonArray(data, "HEAD", path);
    if (typeof items === "string") throw notTheSet(`${path} ${items}`);
    for (const item of items) {
      const golden = GoldenCase.safeParse(item);
      for (const address of golden.success ? addressesOf(golden.data) : []) {
        const [, repository, number, id] = GITHUB_URL.exec(address) ?? [];
        if (repository !== undefined) needs.push({ repository, wanted: id ?? `refs/pull/${number}/head` });
      }
    }
  }
  if (needs.length === 0) throw notTheSet(`it has no ${FOLDER}`);
  return needs;
}

function notTheSet(why: string): KodiaiError {
  return new KodiaiError("config", `the clone isn't one of the set martian: ${why}`, {
    hint: "Name a clone of withmartian/code-review-benchmark with --data, or run `kodiai eval fetch martian`.",
  });
}

/** Where a case's code may be. An original that the authors didn't review is left out. */
function addressesOf({ url, original_url: original, az_comment: remark }: GoldenCase): readonly string[] {
  const isOther = (remark ?? "") !== "";
  return original == null || isOther ? [url] : [url, original];
}

type FoundCode = PullRequestCommits & { readonly repository: string };

/**
 * The authors reviewed some pull requests in copies of the repositories. A copy on this machine is best; otherwise it's the original, unless
 * the authors say that it isn't what they reviewed.
 */
async function findCode(
  golden: GoldenCase,
  open: (repository: string) => Promise<RepositoryHistory> | null,
): Promise<FoundCode | { readonly missing: string }> {
  const reasons: string[] = [];
  // The original commit of a copy is exact, while a copy's pull request may be compared with a branch that isn't known here.
  for (const address of addressesOf(golden).toReversed()) {
    const [, repository, number, id] = GITHUB_URL.exec(address) ?? [];
    if (repository === undefined)
      return { missing: `${address} isn't the address of a pull request or a commit` };
    const history = await open(repository);
    if (history === null) {
      reasons.push(`needs a clone of ${repository} below --repositories`);
      continue;
    }
    const found =
      id === undefined
        ? await findPullRequestCommits(Number(number), history)
        : await findCommitRange(id, history);
    if (!("missing" in found)) return { ...found, repository };
    reasons.push(found.missing);
  }
  const { az_comment: remark } = golden;
  const why = (remark ?? "") === "" ? "" : ` (the set says of the original: ${remark})`;
  return { missing: `${reasons.join("; ")}${why}` };
}

function toCase(path: string, golden: GoldenCase, { repository, base, head }: FoundCode): EvaluationCase {
  const file = path.slice(path.lastIndexOf("/") + 1, -".json".length);
  const [, copy = "", number = "0"] = GITHUB_URL.exec(golden.url) ?? [];
  return {
    id: `${copy.replace("/", ".")}.${number}`,
    title: golden.pr_title,
    body: "",
    language: LANGUAGE_OF[file] ?? file,
    isSound: false,
    answers: golden.comments.map(({ comment, severity }, index) => ({
      id: `${index + 1}`,
      path: null,
      side: "new",
      lines: null,
      severity: SEVERITY_OF[severity?.toLowerCase() ?? ""] ?? null,
      category: null,
      sentence: comment,
    })),
    code: { kind: "commits", repository, base, head },
  };
}
