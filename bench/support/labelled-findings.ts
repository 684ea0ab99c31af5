/**
 * Texts about code with the ones that mean the same, from public data about reviews. The labels are other people's and models' judgements
 * of meaning, or follow from where a comment was written; none comes from comparing words.
 */
import { spawnSync } from "node:child_process";
import * as z from "zod";
import { languageOf } from "../../src/languages/language-of.ts";
import { parseDiff } from "../../src/review/change/parse-diff.ts";
import type { Change } from "../../src/review/change/change.ts";
import type { RememberedText } from "../../src/memory/memory-text.ts";

export type LabelledQuery = {
  /** A finding in its own words, or a change. */
  readonly asks: { readonly text: string } | { readonly change: Change };
  /** Numbers of the texts that mean the same. */
  readonly relevant: ReadonlySet<number>;
  /** The text itself, which isn't searched. */
  readonly self: number | null;
};

export type LabelledSet = {
  readonly name: string;
  /** Everything that was tried was tried on "tuning"; "held" was measured at the end. */
  readonly half: "tuning" | "held";
  readonly texts: readonly RememberedText[];
  readonly queries: readonly LabelledQuery[];
};

/** Chosen before anything was measured, by programming language: what works for two shall work for three others. */
const TUNING_REPOSITORIES = new Set(["cal.com", "keycloak"]);

const RESULTS = "offline/results/openai_gpt-5.2";
const Candidates = z.record(z.string(), z.record(z.string(), z.array(z.object({ text: z.string() }))));
const Evaluations = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      true_positives: z
        .array(z.object({ golden_comment: z.string(), matched_candidate: z.string() }))
        .default([]),
      false_negatives: z.array(z.object({ golden_comment: z.string() })).default([]),
    }),
  ),
);

/**
 * Several reviewers' findings on the same pull requests, from the git directory of `withmartian/code-review-benchmark`. Two findings mean
 * the same if a model judged both to be the same known problem, which people had described.
 */
export function readReviewers(gitDirectory: string): readonly LabelledSet[] {
  const candidates = Candidates.parse(JSON.parse(show(gitDirectory, `${RESULTS}/candidates.json`)));
  const evaluations = Evaluations.parse(JSON.parse(show(gitDirectory, `${RESULTS}/evaluations.json`)));
  return (["tuning", "held"] as const).map((half) => {
    const texts: RememberedText[] = [];
    const problems: ReadonlySet<string>[] = [];
    const add = (text: string, known: ReadonlySet<string>): void => {
      texts.push(rememberedAs(text));
      problems.push(known);
    };
    for (const [url, byTool] of Object.entries(candidates)) {
      const repository = (url.split("/")[4] ?? "").replace(/-(?:graphite|greptile)$/, "");
      if (TUNING_REPOSITORIES.has(repository) !== (half === "tuning")) continue;
      const judged = evaluations[url] ?? {};
      const known = new Set<string>();
      for (const [tool, found] of Object.entries(byTool)) {
        const { true_positives: matched = [], false_negatives: missed = [] } = judged[tool] ?? {};
        for (const { golden_comment } of [...matched, ...missed]) known.add(golden_comment);
        for (const text of new Set(found.map(({ text: each }) => each))) {
          const same = matched.filter((match) => match.matched_candidate === text);
          add(text, new Set(same.map((match) => `${url} ${match.golden_comment}`)));
        }
      }
      for (const text of known) add(text, new Set([`${url} ${text}`]));
    }
    const queries = texts.flatMap(({ title }, self): readonly LabelledQuery[] => {
      const own = problems[self] ?? new Set();
      const relevant = texts
        .keys()
        .filter((at) => at !== self && !own.isDisjointFrom(problems[at] ?? new Set()));
      const set = new Set(relevant);
      return set.size === 0 ? [] : [{ asks: { text: title }, relevant: set, self }];
    });
    return { name: "reviewers", half, texts, queries };
  });
}

const Comments = z.array(
  z.object({
    commentText: z.string(),
    commentUrl: z.string(),
    filePath: z.string(),
    diffHunk: z.string(),
    fileDiff: z.string().nullable(),
  }),
);

/**
 * Comments that people wrote on pull requests, from the git directory of `vharatian/CommentCheck`. The query is the change that a comment
 * was written on, either the hunk or the whole file as it was merged, and the comment is what should be found.
 */
export function readComments(gitDirectory: string, part: "diffHunk" | "fileDiff"): readonly LabelledSet[] {
  const all = ["initial", "evaluation", "examples"].flatMap((name) =>
    Comments.parse(JSON.parse(show(gitDirectory, `data/sets/${name}_set.json`))),
  );
  return (["tuning", "held"] as const).map((half) => {
    const parity = half === "tuning" ? 0 : 1;
    const comments = all.filter(
      ({ commentUrl }) => Number(/pull\/(\d+)/.exec(commentUrl)?.[1] ?? 0) % 2 === parity,
    );
    return {
      name: part === "diffHunk" ? "hunks" : "files",
      half,
      texts: comments.map(({ commentText, filePath }) => ({
        ...rememberedAs(commentText),
        path: filePath,
        language: languageOf(filePath),
      })),
      queries: comments.map((comment) => ({
        asks: { change: changeOf(comment.filePath, comment[part] ?? comment.diffHunk) },
        relevant: new Set(
          comments.keys().filter((at) => {
            const other = comments[at];
            return other?.filePath === comment.filePath && other[part] === comment[part];
          }),
        ),
        self: null,
      })),
    };
  });
}

const Samples = z.array(
  z.object({ comments: z.array(z.object({ note: z.string(), path: z.string().nullable() })) }),
);

/** Comments on other repositories, from the git directory of `alibaba/aacr-bench`: texts that aren't relevant to any query. */
export function readDistractors(gitDirectory: string): readonly RememberedText[] {
  return Samples.parse(JSON.parse(show(gitDirectory, "dataset/positive_samples.json"))).flatMap(
    ({ comments }) =>
      comments.map(({ note, path }) => ({
        ...rememberedAs(note),
        path: path ?? "",
        language: path === null ? "unknown" : languageOf(path),
      })),
  );
}

function rememberedAs(text: string): RememberedText {
  const [title = ""] = text.split("\n", 1);
  return {
    title,
    body: text.slice(title.length).trim(),
    path: "",
    language: "unknown",
    category: "correctness",
    rule: null,
  };
}

/** As one hunk. Its end can be missing, because a comment shows only the lines up to its own. */
function changeOf(path: string, hunks: string): Change {
  const lines = hunks.split("\n").filter((line) => !line.startsWith("@@"));
  const count = (marks: string): number => lines.filter((line) => marks.includes(line[0] ?? " ")).length;
  const header = `@@ -1,${count(" -")} +1,${count(" +")} @@`;
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${[header, ...lines].join("\n")}\n`;
  return {
    kind: "diff",
    description: "",
    title: "",
    body: "",
    base: null,
    head: null,
    commits: [],
    files: parseDiff(diff),
    notes: [],
  };
}

function show(gitDirectory: string, path: string): string {
  const { status, stdout, stderr } = spawnSync("git", ["--git-dir", gitDirectory, "show", `HEAD:${path}`], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${gitDirectory} has no ${path}: ${stderr}`);
  return stdout;
}
