/**
 * The public set alibaba/aacr-bench (Apache-2.0): pull requests of 50 projects with comments of people and models that people confirmed. Its
 * second file has comments that people rejected; they aren't answers, so it isn't read.
 */
import * as z from "zod";
import { KodiaiError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import type { Category } from "../../base/severity.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";
import type { EvaluationCase, EvaluationSet, KnownAnswer, SetProblem } from "../set/evaluation-set.ts";
import { type ImportSources, openClones, type RepositoryNeed } from "./import-sources.ts";
import { readJsonArray, shapeProblem } from "./read-json-file.ts";

const FILE = "dataset/positive_samples.json";

const CATEGORY_OF: Readonly<Record<string, Category>> = {
  "Code Defect": "correctness",
  "Security Vulnerability": "security",
  Performance: "performance",
  "Maintainability and Readability": "maintainability",
};

const AacrComment = z.object({
  note: z.string().trim().min(1),
  path: z.string().min(1),
  side: z.enum(["left", "right"]),
  from_line: z.int().nullable(),
  to_line: z.int().nullable(),
  category: z.string(),
});
type AacrComment = z.infer<typeof AacrComment>;

const AacrCase = z.object({
  project_main_language: z.string().min(1),
  /** The set's word for where the comparison starts: a commit of the target branch, in the words of GitHub. */
  source_commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** The reviewed commit. */
  target_commit: z.string().regex(/^[0-9a-f]{40}$/),
  githubPrUrl: z.string(),
  comments: z.array(z.unknown()).min(1),
});
type AacrCase = z.infer<typeof AacrCase>;

const PULL_REQUEST = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/pull\/(\d{1,9})$/;

export async function readAacrSet(sources: ImportSources): Promise<EvaluationSet> {
  const data = await sources.openHistory(sources.data);
  const commit = await data.findCommit("HEAD");
  const items = commit === null ? "has no commit" : await readJsonArray(data, commit, FILE);
  if (typeof items === "string") throw notTheSet(items);
  const open = openClones(sources);
  const cases: EvaluationCase[] = [];
  const problems: SetProblem[] = [];
  for (const [index, item] of items.entries()) {
    const where = `${FILE}[${index}]`;
    const parsed = AacrCase.safeParse(item);
    const [, repository, number] = PULL_REQUEST.exec(parsed.data?.githubPrUrl ?? "") ?? [];
    if (!parsed.success || repository === undefined) {
      const problem = parsed.success ? "doesn't name a pull request of GitHub" : shapeProblem(parsed.error);
      problems.push({ where, problem });
      continue;
    }
    const found = await findCode(repository, parsed.data, open);
    const at = parsed.data.githubPrUrl;
    if (typeof found === "string") {
      problems.push({ where: at, problem: found });
      continue;
    }
    const answers = parsed.data.comments.flatMap((comment, position) => {
      const answer = toAnswer(comment, position);
      if (typeof answer !== "string") return [answer];
      problems.push({ where: `${at}, comment ${position + 1}`, problem: answer });
      return [];
    });
    if (answers.length > 0)
      cases.push({
        id: `${repository.replace("/", ".")}.${number}`,
        title: `Pull request ${number} of ${repository}`,
        body: "",
        language: parsed.data.project_main_language,
        isSound: false,
        answers,
        code: { kind: "commits", repository, ...found },
      });
  }
  return { name: "aacr", version: hashParts([JSON.stringify(cases)], 12), cases, problems };
}

/** The commits that the cases need, with their repositories. */
export async function listAacrNeeds(
  openData: () => Promise<RepositoryHistory>,
): Promise<readonly RepositoryNeed[]> {
  const items = await readJsonArray(await openData(), "HEAD", FILE);
  if (typeof items === "string") throw notTheSet(items);
  return items.flatMap((item) => {
    const { data } = AacrCase.safeParse(item);
    const [, repository] = PULL_REQUEST.exec(data?.githubPrUrl ?? "") ?? [];
    if (data === undefined || repository === undefined) return [];
    return [data.source_commit, data.target_commit].map((wanted) => ({ repository, wanted }));
  });
}

function notTheSet(why: string): KodiaiError {
  return new KodiaiError("config", `the clone can't be used as the set aacr: ${FILE} ${why}`, {
    hint: "Name a clone of alibaba/aacr-bench with --data, or run `kodiai eval fetch aacr`.",
  });
}

async function findCode(
  repository: string,
  { source_commit: start, target_commit: reviewed }: AacrCase,
  open: ReturnType<typeof openClones>,
): Promise<{ readonly base: string; readonly head: string } | string> {
  const history = await open(repository);
  if (history === null) return `needs a clone of ${repository} below --repositories`;
  const missing: string[] = [];
  for (const id of [start, reviewed]) if ((await history.findCommit(id)) === null) missing.push(id);
  // A later commit of the pull request has other lines, so it's no replacement.
  if (missing.length > 0)
    return `${history.gitFolder} has no commit ${missing.join(" and ")}; run \`git fetch origin ${missing.join(" ")}\` there`;
  const base = await history.findMergeBase(start, reviewed);
  if (base === null)
    return `${history.gitFolder} doesn't connect ${start} and ${reviewed}; fetch its whole history`;
  if (base === reviewed) return `commit ${reviewed} is part of ${start}, so nothing is left to review`;
  return { base, head: reviewed };
}

/** A few comments have their lines in the wrong order, and a few none. */
function toAnswer(item: unknown, position: number): KnownAnswer | string {
  const parsed = AacrComment.safeParse(item);
  if (!parsed.success) return shapeProblem(parsed.error);
  const { note, path, side, category } = parsed.data;
  return {
    id: `${position + 1}`,
    path,
    side: side === "left" ? "old" : "new",
    lines: linesOf(parsed.data),
    severity: null,
    category: CATEGORY_OF[category] ?? null,
    sentence: note,
  };
}

function linesOf({ from_line: from, to_line: to }: AacrComment): KnownAnswer["lines"] {
  const known = [from, to].filter((line) => line !== null && line >= 1) as readonly number[];
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)];
}
