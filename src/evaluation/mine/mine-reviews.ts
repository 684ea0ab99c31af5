/**
 * Builds cases from the comments of reviewers: a comment after which its lines were changed before the merge is an answer. The head of the
 * case is the commit that was commented, so that what the reviewer saw is what is reviewed.
 */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { MergedPullRequest, ReviewHistory, ThreadOpening } from "../../forge/review-history.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";
import type { EvaluationCase, KnownAnswer, SetProblem } from "../set/evaluation-set.ts";
import { toMinedCase } from "./mined-case.ts";
import { changesLines, sentenceOfComment } from "./review-comments.ts";

/** Each takes a request, and GitHub allows a person 5,000 an hour. */
const MAX_PULL_REQUESTS = 200;

/** More threads are a discussion of the design. */
const MAX_THREADS = 50;

type ReviewsMine = {
  /** As in the set. */
  readonly repository: string;
  readonly sinceMs: number;
  readonly onProgress: (stage: string) => void;
};

/** Whether a comment is an answer, or why not. `mixed`: the base branch changed the file too, so that the change may not be an answer to the comment. */
export type CommentFate =
  | "answer"
  | "no-reviewer"
  | "not-on-new-lines"
  | "nit"
  | "absent"
  | "unchanged"
  | "mixed"
  | "too-large";

export type MinedReviews = {
  readonly cases: readonly EvaluationCase[];
  /** Limits that were reached, and what isn't in the repository. */
  readonly problems: readonly SetProblem[];
  /** Why not all comments could be read; the other fields are about those that were. */
  readonly failure: KodiaiError | null;
  readonly pullRequests: number;
  readonly fates: Readonly<Partial<Record<CommentFate, number>>>;
};

type ReadPullRequest = MergedPullRequest & { readonly openings: readonly ThreadOpening[] };

export async function mineReviews(
  wanted: ReviewsMine,
  { reviews, history }: { readonly reviews: ReviewHistory; readonly history: RepositoryHistory },
): Promise<MinedReviews> {
  const { repository, onProgress } = wanted;
  const { read, failure, problems } = await readReviews(wanted, reviews);
  const cases: EvaluationCase[] = [];
  const fates: Partial<Record<CommentFate, number>> = {};
  for (const [index, pullRequest] of read.entries()) {
    onProgress(`comparing comments with later changes: ${index + 1} of ${read.length} pull requests`);
    const examined = await examineComments({ pullRequest, repository }, history);
    cases.push(...examined.cases);
    for (const fate of examined.fates) fates[fate] = (fates[fate] ?? 0) + 1;
  }
  if (fates.absent !== undefined)
    problems.push({
      where: repository,
      problem: `the commits of ${count(fates.absent, "comment")} aren't in this repository. Fetch pull requests with \`git fetch origin 'refs/pull/*/head:refs/kodiai/pull/*'\` and run this again; a commit that a later push replaced needs \`git fetch origin COMMIT\``,
    });
  return { cases, problems, failure, pullRequests: read.length, fates };
}

async function readReviews({ repository, sinceMs, onProgress }: ReviewsMine, reviews: ReviewHistory) {
  const read: ReadPullRequest[] = [];
  const problems: SetProblem[] = [];
  const report = (problem: string): unknown => problems.push({ where: repository, problem });
  let wanted: number | null = null;
  let longOnes = 0;
  let failure: KodiaiError | null = null;
  try {
    onProgress("listing merged pull requests");
    const { pullRequests, leftOut, isWhole } = await reviews.listMerged({ sinceMs, max: MAX_PULL_REQUESTS });
    wanted = pullRequests.length;
    if (leftOut > 0 || !isWhole)
      report(
        `only the comments of the ${count(wanted, "pull request")} merged last are read, and not those of ${isWhole ? "" : "at least "}${count(leftOut, "other")}; choose a later --since`,
      );
    for (const pullRequest of pullRequests) {
      onProgress(`reading comments: ${read.length + 1} of ${wanted} pull requests`);
      const { openings, hasMore } = await reviews.listOpenings(pullRequest.number, MAX_THREADS);
      read.push({ ...pullRequest, openings });
      if (hasMore) longOnes += 1;
    }
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    failure = error;
    if (wanted !== null)
      report(`the comments of ${wanted - read.length} of ${count(wanted, "pull request")} are missing`);
  }
  if (longOnes > 0)
    report(
      `of ${count(longOnes, "pull request")} with many comments, only the first threads were read, at most ${MAX_THREADS} each`,
    );
  return { read: read.toSorted((a, b) => a.number - b.number), failure, problems };
}

type Examined = { readonly cases: readonly EvaluationCase[]; readonly fates: readonly CommentFate[] };

async function examineComments(
  { pullRequest, repository }: { readonly pullRequest: ReadPullRequest; readonly repository: string },
  history: RepositoryHistory,
): Promise<Examined> {
  const cases: EvaluationCase[] = [];
  const fates: CommentFate[] = [];
  const usable: Remark[] = [];
  for (const opening of pullRequest.openings) {
    const remark = toRemark(opening, pullRequest);
    if (typeof remark === "string") fates.push(remark);
    else usable.push(remark);
  }
  for (const [commit, remarks] of Map.groupBy(usable, (each) => each.commit)) {
    const places = await findPlaces(commit, pullRequest, history);
    if (places === null) {
      fates.push(...remarks.map(() => "absent" as const));
      continue;
    }
    const judged = remarks.map((remark) => ({ remark, fate: judge(remark, places) }));
    const answers = judged.filter(({ fate }) => fate === "answer").map(({ remark }) => remark.answer);
    const made =
      answers.length === 0 ? null : await toCase({ pullRequest, repository, answers, places }, history);
    if (made !== null) cases.push(made);
    fates.push(...judged.map(({ fate }) => (fate === "answer" && made === null ? "too-large" : fate)));
  }
  return { cases: cases.toSorted((a, b) => (a.id < b.id ? -1 : 1)), fates };
}

/** A comment that is an answer if its lines were changed. */
type Remark = {
  readonly commit: string;
  readonly answer: KnownAnswer & { readonly path: string; readonly lines: readonly [number, number] };
};

function toRemark(opening: ThreadOpening, pullRequest: MergedPullRequest): Remark | CommentFate {
  const { id, author, isOwn, commit, path, lines, body } = opening;
  if (author.isBot || isOwn || author.login === pullRequest.author.login) return "no-reviewer";
  if (lines === null) return "not-on-new-lines";
  const sentence = sentenceOfComment(body);
  if (sentence === null) return "nit";
  return { commit, answer: { id, path, lines, side: "new", severity: null, category: null, sentence } };
}

type Places = {
  readonly base: string;
  readonly head: string;
  /** From the commented commit to what was merged. */
  readonly later: Awaited<ReturnType<RepositoryHistory["readDiff"]>>;
  /** Files of the base branch that changed in between, and that the pull request got by merging or rebasing. */
  readonly fromBase: ReadonlySet<string | null>;
};

/** Null if a commit isn't here. */
async function findPlaces(
  commit: string,
  pullRequest: MergedPullRequest,
  history: RepositoryHistory,
): Promise<Places | null> {
  const head = await history.findCommit(commit);
  const merged = await history.findCommit(pullRequest.head);
  if (head === null || merged === null) return null;
  for (const trunk of await findTrunks(pullRequest, history)) {
    const base = await history.findMergeBase(head, trunk);
    const laterBase = await history.findMergeBase(merged, trunk);
    // After a fast-forward, the base branch has the commented commit itself.
    if (base === null || laterBase === null || base === head) continue;
    const later = await history.readDiff(head, merged);
    const ofBase = base === laterBase ? [] : await history.readDiff(base, laterBase);
    return { base, head, later, fromBase: new Set(ofBase.flatMap(({ path, oldPath }) => [path, oldPath])) };
  }
  return null;
}

/** The base branch as it was before the merge, and the commit that the host names as the base, which may be much older. */
async function findTrunks(
  { mergeCommit, base }: MergedPullRequest,
  history: RepositoryHistory,
): Promise<readonly string[]> {
  const from = mergeCommit === null ? null : await history.findCommit(mergeCommit);
  const [commit] = from === null ? [] : await history.listMainline({ from, sinceMs: null, max: 1 });
  return [commit?.parents[0], await history.findCommit(base)].filter((id) => typeof id === "string");
}

function judge({ answer: { path, lines } }: Remark, { later, fromBase }: Places): CommentFate {
  if (!changesLines(later, path, lines)) return "unchanged";
  return fromBase.has(path) ? "mixed" : "answer";
}

async function toCase(
  given: {
    readonly pullRequest: MergedPullRequest;
    readonly repository: string;
    readonly answers: readonly KnownAnswer[];
    readonly places: Places;
  },
  history: RepositoryHistory,
): Promise<EvaluationCase | null> {
  const { pullRequest, repository, answers, places } = given;
  const { base, head } = places;
  const id = `pr-${pullRequest.number}-at-${head.slice(0, 12)}`;
  const title = maskCredentials(pullRequest.title);
  const body = maskCredentials(pullRequest.body).replaceAll("\r\n", "\n");
  return toMinedCase({ id, title, body, answers, repository, base, head }, history);
}
