/**
 * Recognizes the problem of a model's finding among those that the team has judged: by its file, the code that it names and its meaning.
 * The words of a title change from review to review, so they aren't compared. A rule's finding is recognized by its rule.
 */
import type { Finding } from "../review/findings/finding.ts";
import { findingWords, meaningOverlap } from "../review/findings/finding-words.ts";
import { nameDifferentCode, namesIn } from "../review/findings/named-code.ts";
import { topicOf } from "../review/findings/topic-of.ts";
import type { FeedbackOnFinding } from "./feedback.ts";
import { isRulePattern, patternOf } from "./pattern-of.ts";

/** More judged findings of models than a team has in a year. The newest count. */
const MAX_PROBLEMS = 1_000;

/** Comparing takes time. So many judged problems in one file, or with one name, are enough. */
const MAX_COMPARED = 50;

/**
 * From these overlaps of meaning on, two findings are about the same problem: of the same file, and of different files that name the same
 * code. On pairs of findings of several reviewers about one pull request that the numbers weren't chosen on, the first finds 84 % of the
 * pairs about one problem and 11 % of the others. With the same names of code, the second finds 49 % and 4 %, which is certain enough to
 * count feedback together and to keep a finding off its line.
 */
const SAME_FILE = 0.5;
const CERTAIN = 0.55;

export type Problem = Pick<Finding, "title" | "body" | "path" | "category" | "rule">;

export type RememberedProblem = Omit<Problem, "category"> & {
  readonly category: string;
  readonly pattern: string;
};

type Judged = Problem & {
  readonly pattern: string;
  readonly names: ReadonlySet<string>;
  readonly words: readonly string[];
};

export type Problems = {
  /** The pattern under which feedback of this pattern is counted. */
  readonly patternOf: (pattern: string) => string;
  readonly patternFor: (finding: Problem) => Recognized;
};

type Recognized = {
  /** The judged pattern that the finding repeats; its own if it is new. */
  readonly pattern: string;
  /** It is certainly the same problem: a person's reason holds for it. */
  readonly isCertain: boolean;
  /** It is certainly of the same kind, maybe of other code, so that opinions are counted together. */
  readonly isSameKind: boolean;
};

type Likeness = { readonly judged: Judged; readonly overlap: number; readonly isCertain: boolean };

/** `feedback` is of one repository, newest first. */
export function findProblems(feedback: readonly FeedbackOnFinding[]): Problems {
  const canonical = new Map<string, string>();
  const lookUp = (pattern: string): string => canonical.get(pattern) ?? pattern;
  const known = createIndex();
  // From the oldest on, so that a problem keeps its pattern.
  for (const judged of judgedIn(feedback).toReversed()) {
    const same = known.find(judged);
    const isSame = same?.isCertain === true;
    if (!canonical.has(judged.pattern))
      canonical.set(judged.pattern, isSame ? lookUp(same.judged.pattern) : judged.pattern);
    known.add(judged);
  }
  const titled = Map.groupBy(feedback, ({ pattern }) => pattern);
  return {
    patternOf: lookUp,
    patternFor(finding) {
      const own = patternOf(finding);
      if (finding.rule !== null) return { pattern: own, isCertain: true, isSameKind: true };
      const sameTitle = titled.get(own) ?? [];
      if (sameTitle.length > 0)
        return {
          pattern: lookUp(own),
          isCertain: sameTitle.slice(0, MAX_COMPARED).some((judged) => isSameCode(finding, judged)),
          isSameKind: true,
        };
      const same = known.find(describe(finding, own));
      if (same === null) return { pattern: own, isCertain: true, isSameKind: true };
      const { judged, isCertain } = same;
      return { pattern: lookUp(judged.pattern), isCertain, isSameKind: isCertain };
    },
  };
}

/** "Missing check in `charge`" says the same as "Missing check in `refund`", about other code. */
function isSameCode(finding: Problem, { title, about }: FeedbackOnFinding): boolean {
  return !nameDifferentCode(finding, { title, body: about?.body ?? "" });
}

/** One for each pattern and file. */
function judgedIn(feedback: readonly FeedbackOnFinding[]): readonly Judged[] {
  const byPlace = new Map<string, Judged>();
  for (const { pattern, title, about } of feedback) {
    if (about === null || isRulePattern(pattern)) continue;
    const key = `${pattern}\n${about.path}`;
    if (byPlace.size >= MAX_PROBLEMS || byPlace.has(key)) continue;
    // The store's categories are those of findings.
    const category = about.category as Finding["category"];
    byPlace.set(key, describe({ ...about, title, category, rule: null }, pattern));
  }
  return [...byPlace.values()];
}

function describe(problem: Problem, pattern: string): Judged {
  const { title, body } = problem;
  return { ...problem, pattern, names: namesIn(`${title}\n${body}`), words: findingWords({ title, body }) };
}

function createIndex() {
  const byKey = new Map<string, Judged[]>();
  const keysOf = ({ path, names }: Judged): readonly string[] => [
    `file ${path}`,
    ...[...names].map((name) => `name ${name}`),
  ];
  return {
    add(judged: Judged): void {
      for (const key of keysOf(judged)) {
        const list = byKey.get(key) ?? [];
        byKey.set(key, list);
        list.push(judged);
        if (list.length > MAX_COMPARED) list.shift();
      }
    },
    /** The one that means most clearly the same. */
    find(problem: Judged): Likeness | null {
      const near = new Set(keysOf(problem).flatMap((key) => byKey.get(key) ?? []));
      const alike = [...near].flatMap((judged) => compare(problem, judged) ?? []);
      const [best] = alike.toSorted(
        (a, b) => Number(b.isCertain) - Number(a.isCertain) || b.overlap - a.overlap,
      );
      return best ?? null;
    },
  };
}

/** Null: another problem. */
function compare(one: Judged, judged: Judged): Likeness | null {
  if ((one.category === "security") !== (judged.category === "security")) return null;
  if (nameDifferentCode(one, judged)) return null;
  const [topic, otherTopic] = [topicOf(one), topicOf(judged)];
  if (topic !== null && otherTopic !== null && topic !== otherTopic) return null;
  const overlap = meaningOverlap(one.words, judged.words);
  const isSameFile = one.path === judged.path;
  const hasSameName = isNamed(one.title, judged) || isNamed(judged.title, one);
  const isCertain = hasSameName && overlap >= CERTAIN;
  return isCertain || (isSameFile && overlap >= SAME_FILE) ? { judged, overlap, isCertain } : null;
}

/** Whether two remembered findings are certainly one problem. */
export function isSameProblem(one: RememberedProblem, other: RememberedProblem): boolean {
  if (one.rule !== null || other.rule !== null) return one.pattern === other.pattern;
  if (one.pattern === other.pattern) return !nameDifferentCode(one, other);
  const [first, second] = [one, other].map((each) =>
    // The store's categories are those of findings.
    describe({ ...each, category: each.category as Finding["category"] }, each.pattern),
  );
  return first !== undefined && second !== undefined && compare(first, second)?.isCertain === true;
}

/** Whether the other one mentions code that the title names. */
function isNamed(title: string, { names }: Judged): boolean {
  return !namesIn(title).isDisjointFrom(names);
}
