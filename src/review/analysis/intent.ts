/**
 * The author's requests, in the usual places: bracket tags in the title and in commit subjects, conventional commits,
 * announcements of breaking changes. All of it is untrusted text, so it's bounded here and never fails. Tags that relax a
 * review count only if the caller trusts their author.
 */
import type { Change, Commit } from "../change/change.ts";
import type { ConventionalType, ReviewIntent, ReviewMode } from "./analysis.ts";
import { announcesBreakingChange, hasBreakingFooter } from "./breaking-change.ts";

/** With more commits, only a sample is read: both ends, where people write tags, and every fifth in between. */
const MAX_COMMITS_READ = 50;
const SAMPLE_ENDS = 10;
const SAMPLE_STEP = 5;
/** Titles and subjects are one line; a longer one isn't meant for people. */
const MAX_SUBJECT_CHARS = 500;
/** Hints are part of a prompt, so they stay few and short. */
const MAX_HINTS = 10;
const MAX_HINT_CHARS = 40;

const TAG = /\[([^[\]\r\n]{1,60})\]/g;
/**
 * An unknown tag is a focus hint when it looks like a topic: it starts with a letter and contains words. Ticket numbers
 * ([ABC-123]), checkboxes ([x]), versions, patch counters ([2/5]) and notes to a CI are ignored.
 */
const HINT = /^[a-z][a-z0-9+#./&-]{1,39}$/;
const NO_HINT = /^(?:[a-z][a-z0-9]*-\d+|v\d[\w.-]*|rc\d*|patch.*|skip-.*|.*-skip|no-ci|ci-.*|\d.*)$/;

const MODE_TAGS: ReadonlyMap<string, ReviewMode> = new Map([
  ["strict-review", "strict"],
  ["balanced-review", "balanced"],
  ["lenient-review", "lenient"],
  ["minimal-review", "lenient"],
]);
const STRICTEST_FIRST = ["strict", "balanced", "lenient"] as const satisfies readonly ReviewMode[];
const CONTROL_TAGS: ReadonlySet<string> = new Set([
  ...MODE_TAGS.keys(),
  "no-review",
  "wip",
  "draft",
  "security-review",
  "style-ok",
]);

/** These relax or skip the review. An outside author must not decide that. */
const RELAXING_TAGS: ReadonlySet<string> = new Set([
  "no-review",
  "balanced-review",
  "lenient-review",
  "minimal-review",
  "style-ok",
]);

/**
 * These hold a review back. Only the title counts, where the author can remove them when the work is ready. A commit
 * subject stays until the history is rewritten, and often GitHub has copied the title from it.
 */
const HOLDING_TAGS: ReadonlySet<string> = new Set(["no-review", "wip", "draft"]);

/** Which relaxing tags count: all, only those in the title, or none. */
export type TagTrust = "all" | "title" | "none";

export type TagRules = {
  readonly tags: TagTrust;
  /** For `[no-review]`, which the repository can allow or refuse separately. */
  readonly noReview: TagTrust;
};

const CONVENTIONAL_TYPES: ReadonlyMap<string, ConventionalType> = new Map(
  (
    ["feat", "fix", "docs", "style", "refactor", "perf", "test", "build", "ci", "chore", "revert"] as const
  ).map((type) => [type, type]),
);
const CONVENTIONAL = /^([a-z]{2,10})(?:\(([^()\r\n]{1,100})\))?(!)?: +\S/i;

type Conventional = {
  readonly type: ConventionalType;
  readonly scope: string | null;
  readonly isBreaking: boolean;
};

export function parseIntent(
  change: Pick<Change, "title" | "body" | "commits">,
  rules: TagRules = { tags: "all", noReview: "all" },
): ReviewIntent {
  const commits = sampleCommits(change.commits);
  const subjects = [change.title, ...commits.map((commit) => commit.subject)].map(cleanSubject);
  const { tags, ignoredTags } = weighTags(subjects.map(tagsOf), rules);
  const conventional = chooseConventional(subjects.map(parseConventional));
  const breakingSource = findBreakingSource(change, commits);
  return {
    skipReview: tags.has("no-review"),
    isDraft: tags.has("wip") || tags.has("draft"),
    mode: strictestMode(tags),
    focus: [...(tags.has("security-review") ? ["security"] : []), ...hintsOf(tags)],
    ignore: tags.has("style-ok") ? ["style"] : [],
    type: conventional?.type ?? null,
    scope: conventional?.scope ?? null,
    isBreaking: breakingSource !== null,
    breakingSource,
    ignoredTags,
  };
}

/** The title's tags come first. */
function weighTags(
  [inTitle = [], ...inCommits]: readonly (readonly string[])[],
  rules: TagRules,
): { readonly tags: ReadonlySet<string>; readonly ignoredTags: readonly string[] } {
  const counts = (tag: string, place: "title" | "commit"): boolean => {
    const trust = tag === "no-review" ? rules.noReview : rules.tags;
    return !RELAXING_TAGS.has(tag) || trust === "all" || trust === place;
  };
  const commitTags = inCommits.flat().filter((tag) => !HOLDING_TAGS.has(tag));
  const tags = new Set([
    ...inTitle.filter((tag) => counts(tag, "title")),
    ...commitTags.filter((tag) => counts(tag, "commit")),
  ]);
  return { tags, ignoredTags: [...new Set([...inTitle, ...commitTags])].filter((tag) => !tags.has(tag)) };
}

export function sampleCommits(commits: readonly Commit[]): readonly Commit[] {
  if (commits.length <= MAX_COMMITS_READ) return commits;
  const tail = commits.length - SAMPLE_ENDS;
  return commits.filter(
    (_, index) => index < SAMPLE_ENDS || index >= tail || (index - SAMPLE_ENDS + 1) % SAMPLE_STEP === 0,
  );
}

/** Code in a title contains no tags. */
function cleanSubject(subject: string): string {
  return subject
    .slice(0, MAX_SUBJECT_CHARS)
    .replaceAll(/`[^`]{1,200}`/g, " ")
    .trim();
}

/** In lower case with dashes between words: "[Strict Review]" becomes "[strict-review]". */
function tagsOf(subject: string): readonly string[] {
  const tags: string[] = [];
  for (const match of subject.matchAll(TAG)) {
    const tag = (match[1] ?? "")
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]{1,60}/g, "-");
    if (CONTROL_TAGS.has(tag) || isSeparate(subject, match.index, match[0].length)) tags.push(tag);
  }
  return tags;
}

/** `list[index]` and `[text](link)` aren't tags. */
function isSeparate(subject: string, start: number, length: number): boolean {
  return !/[\w)$]/.test(subject[start - 1] ?? " ") && !/[\w(]/.test(subject[start + length] ?? " ");
}

function hintsOf(tags: ReadonlySet<string>): readonly string[] {
  return [...tags]
    .filter((tag) => !CONTROL_TAGS.has(tag) && tag.length <= MAX_HINT_CHARS)
    .filter((tag) => tag !== "security" || !tags.has("security-review"))
    .filter((tag) => HINT.test(tag) && !NO_HINT.test(tag))
    .slice(0, MAX_HINTS);
}

function strictestMode(tags: ReadonlySet<string>): ReviewMode | null {
  const asked = new Set([...tags].map((tag) => MODE_TAGS.get(tag)));
  return STRICTEST_FIRST.find((mode) => asked.has(mode)) ?? null;
}

/** Tags may precede the type: "[wip] feat: …". */
function parseConventional(subject: string): Conventional | null {
  const match = CONVENTIONAL.exec(subject.replace(/^(?:\[[^[\]]{1,60}\]\s{0,4}){1,10}/, ""));
  const type = CONVENTIONAL_TYPES.get((match?.[1] ?? "").toLowerCase());
  if (match === null || type === undefined) return null;
  return { type, scope: match[2]?.trim() ?? null, isBreaking: match[3] === "!" };
}

/** The title's type and scope; without one, those that all commits share. */
function chooseConventional([title, ...commits]: readonly (Conventional | null)[]): Conventional | null {
  if (title !== null && title !== undefined) return title;
  const first = commits[0];
  if (first === undefined || first === null) return null;
  if (commits.some((commit) => commit?.type !== first.type)) return null;
  return commits.every((commit) => commit?.scope === first.scope) ? first : { ...first, scope: null };
}

function findBreakingSource(
  change: Pick<Change, "title" | "body">,
  commits: readonly Commit[],
): ReviewIntent["breakingSource"] {
  if (isMarkedBreaking(change.title)) return "title";
  if (commits.some((commit) => isMarkedBreaking(commit.subject) || hasBreakingFooter(commit.body)))
    return "commit";
  return announcesBreakingChange(change.body) ? "body" : null;
}

function isMarkedBreaking(subject: string): boolean {
  return parseConventional(cleanSubject(subject))?.isBreaking === true;
}
