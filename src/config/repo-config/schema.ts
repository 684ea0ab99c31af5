/**
 * The one schema of `.kodiai.yml`. Types, defaults, validation messages, `schema/kodiai.schema.json` and
 * docs/configuration.md all come from here. Each key has a description. It also has a default, unless an unset key has
 * its own meaning. Every list and every text has a limit.
 */
import * as z from "zod";
import { isUsableGlob } from "../../base/glob.ts";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { SUMMARIES, VERBOSITIES } from "../answer-style.ts";
import { DEFAULT_BUDGETS } from "../default-budgets.ts";
import { EFFORTS } from "../effort.ts";
import { compileSafePattern } from "./safe-pattern.ts";

/** A repository's lists and texts are bounded. No honest configuration needs more than this. */
const MAX_ENTRIES = 200;
const MAX_TEXT_CHARS = 4_000;

/** The glob matcher's limit, minus the `**` and slash that it puts before a pattern without a slash. */
const MAX_GLOB_CHARS = 253;

/** Logins, language names and topics are words, not sentences. */
const MAX_WORD_CHARS = 100;

/** `provider:name`, package names and file paths. */
const MAX_NAME_CHARS = 200;

/** More than one review a minute isn't a limit any more. */
const MAX_REVIEWS_PER_HOUR = 60;

const text = z.string().max(MAX_TEXT_CHARS);
const word = z.string().min(1).max(MAX_WORD_CHARS);
const name = z.string().min(1).max(MAX_NAME_CHARS);
const glob = z.string().min(1).max(MAX_GLOB_CHARS).refine(isUsableGlob, {
  error: "a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges",
});
const suppression = z
  .string()
  .min(1)
  .max(500)
  .refine((entry) => !entry.startsWith("glob:") || isUsableGlob(entry.slice("glob:".length)), {
    error: "a usable glob after `glob:`, with at most 64 brace alternatives and no numeric ranges",
  })
  .refine(
    (entry) => !entry.startsWith("regex:") || compileSafePattern(entry.slice("regex:".length)) !== null,
    {
      error:
        "a regular expression after `regex:` in RE2 syntax (no look-around, no back-references, small repeat counts)",
    },
  );
const globs = z.array(glob).max(MAX_ENTRIES).default([]);

/** A glob that matches nothing by mistake must not open a path for edits. */
const writeGlob = glob.refine((pattern) => !/^[!\s]|\s$/.test(pattern), {
  error: "a glob without `!` at its start and without spaces around it",
});
const severity = z.enum(SEVERITIES);
const usd = z.number().min(0).max(100_000);
const share = z.number().min(0).max(1);

/** An object section whose default is the defaults of its keys. */
function section<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  // Every key of a section has a default or is optional, so `{}` is always valid input. TypeScript can't infer that for a
  // generic shape; a test parses `{}` to prove it.
  return z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description);
}

const review = section(
  {
    enabled: z.boolean().default(true).describe("Review this repository's pull requests."),
    mode: z
      .enum(["auto", "strict", "balanced", "lenient"])
      .default("auto")
      .describe(
        "Which findings get a comment on their line: `strict` minor and up, `balanced` medium and up, `lenient` major and up. The others are listed. `auto` chooses by change size: strict up to 100 changed lines, balanced above that.",
      ),
    effort: z
      .enum(EFFORTS)
      .default("medium")
      .describe(
        "How much reasoning the model does. More effort finds more, takes longer and costs more. Kodiai sends the nearest level that the model supports; models without reasoning ignore it.",
      ),
    triggers: section(
      {
        onOpened: z.boolean().default(true).describe("Review when a pull request is opened or reopened."),
        onReadyForReview: z
          .boolean()
          .default(true)
          .describe(
            "Review when a draft becomes ready, or when `[wip]`, `[draft]` or `[no-review]` is removed from the title.",
          ),
        onReviewRequested: z
          .boolean()
          .default(true)
          .describe("Review when a review from Kodiai is requested."),
        onSynchronize: z.boolean().default(true).describe("Review again after each push."),
      },
      "Which events start a review. An explicit request always does.",
    ),
    drafts: z.boolean().default(false).describe("Review draft pull requests too."),
    allowNoReview: z
      .enum(["writers", "everyone", "nobody"])
      .default("writers")
      .describe(
        "Authors who can skip a review with the `[no-review]` tag: `writers` (pull request authors with write access), `everyone` or `nobody`. Kodiai still reports hidden characters, attributes that hide a diff, text that steers a reviewer and edits of `.kodiai.yml`.",
      ),
    skipAuthors: z
      .array(word)
      .max(MAX_ENTRIES)
      .default([])
      .describe("GitHub logins whose pull requests aren't reviewed."),
    skipPaths: globs.describe("Files that aren't reviewed. The receipt lists them as skipped."),
    severity: section(
      {
        minLevel: severity
          .optional()
          .describe(
            "Findings below this severity are recorded but not reported. Overrides the mode's value.",
          ),
      },
      "Which findings are reported.",
    ),
    maxComments: z
      .int()
      .min(0)
      .max(50)
      .optional()
      .describe(
        "Maximum number of inline comments in one review. Overrides the mode's value (strict 15, balanced 10, or 8 for more than 500 changed lines, lenient 5). Other findings are listed.",
      ),
    minConfidence: share
      .default(0)
      .describe("Findings with a lower confidence than this aren't reported. From 0 to 1."),
    verify: z
      .enum(["off", "doubtful", "all"])
      .default("doubtful")
      .describe(
        "Which findings a second conversation with a model tries to refute before they are shown: `doubtful` a model's below `verifyBelow`, every critical one, and those of built-in rules and linters from must-fix up; `all` every finding; `off` none. Without a model, none are checked.",
      ),
    verifyBelow: share
      .default(0.8)
      .describe("A model's findings with a lower confidence than this are checked. From 0 to 1."),
    verifierModel: name
      .optional()
      .describe("Model that checks findings, as `provider:name`. If not set, the reviewing model does."),
    patterns: section(
      {
        focus: z
          .array(word)
          .max(20)
          .optional()
          .describe("Categories or topics to focus on. Overrides the mode's value."),
        ignore: z
          .array(z.enum(CATEGORIES))
          .max(CATEGORIES.length)
          .optional()
          .describe("Categories that aren't reported. Overrides the mode's value."),
        customRules: z
          .array(text.min(1))
          .max(10)
          .default([])
          .describe("Rules for this repository in plain language, for the model."),
      },
      "Which problems to look for.",
    ),
    prompt: text.default("").describe("Instructions for the model that apply to the whole repository."),
    pathInstructions: z
      .array(
        z.strictObject({
          paths: z.array(glob).min(1).max(50).describe("Files that the instructions apply to."),
          instructions: text.min(1).describe("Instructions for these files."),
        }),
      )
      .max(50)
      .default([])
      .describe("Instructions for the model that apply to certain paths."),
    suppressions: z
      .array(suppression)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Findings that aren't reported. Plain text matches the title or rule ID, `glob:` matches the path, and `regex:` (RE2 syntax) matches the title. Critical findings are never suppressed.",
      ),
    guidelines: section(
      {
        enabled: z.boolean().default(true).describe("Show the model the repository's guideline files."),
        files: z
          .array(name)
          .max(20)
          .default(["AGENTS.md", "CLAUDE.md", ".cursorrules", ".github/copilot-instructions.md", "REVIEW.md"])
          .describe("Paths of the guideline files, read from the base branch."),
      },
      "The repository's guideline files.",
    ),
    relatedCode: z
      .int()
      .min(0)
      .max(20_000)
      .default(2_000)
      .describe(
        "Tokens of code outside the diff that the model is shown: callers of changed signatures, the closest test, types. Functions around a change, up to 150 lines each, may take as many again. 0 shows none.",
      ),
    passes: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe(
        "How often the model reads the change. The second and third time it reads the files in another order with one question: about removed code, similar code, tests, concurrency or the repository's guidelines, whichever suits the change. More passes find more, take longer and cost more, within the same time limit and budgets.",
      ),
    triageModel: name
      .optional()
      .describe(
        "A model, such as `anthropic:your-small-model`, that looks at a change of more than 60 files or 3,000 changed lines first and decides which hunks the reviewing model reads closely, skims or skips. The receipt lists what was skimmed or skipped. Risky files and files with findings of rules are always read closely.",
      ),
    chunked: section(
      {
        enabled: z.boolean().default(false).describe("Review very large changes in several passes."),
        threshold: z
          .int()
          .min(50)
          .max(500)
          .default(100)
          .describe("Number of files from which a change is split."),
        maxChunks: z.int().min(2).max(10).default(3).describe("Maximum number of passes."),
        filesPerChunk: z.int().min(5).max(100).default(30).describe("Approximate number of files per pass."),
        minSeconds: z.int().min(60).max(600).default(120).describe("Minimum time for a pass."),
      },
      "Several passes over a very large change, with one published review. Each pass reads in full as much as `largePR` allows for a whole review, or `filesPerChunk` files if `largePR` counts files.",
    ),
    failOn: z
      .enum(["none", ...SEVERITIES])
      .default("none")
      .describe("The check run fails if a finding has this severity or a higher one."),
    autoApprove: z
      .boolean()
      .default(false)
      .describe("Approve the pull request if everything was reviewed and nothing was found."),
    summary: z
      .enum(["always", "findings", "off"])
      .default("findings")
      .describe(
        "When a review gets a summary comment: `always`, `findings` (if there are findings or the review is incomplete; otherwise only the check shows the result) or `off` (the check has everything). An existing summary is kept up to date in any case.",
      ),
    language: z
      .string()
      .min(2)
      .max(40)
      .default("en")
      .describe("Language of the model's findings. Built-in rules always report in English."),
    debounceSeconds: z
      .int()
      .min(0)
      .max(600)
      .default(30)
      .describe("How long to wait for further pushes before reviewing."),
  },
  "Which changes are reviewed and which findings are reported.",
);

const floor = section(
  {
    enabled: z.boolean().default(true).describe("Run the built-in rules."),
    rules: z
      .record(z.string().min(1).max(MAX_WORD_CHARS), z.enum(["off", "on", ...SEVERITIES]))
      .default({})
      .describe("Rule ID mapped to `off`, `on` or a severity."),
  },
  "Built-in rules. They're deterministic and need no model.",
);

const ignoredRules = z
  .array(word)
  .max(MAX_ENTRIES)
  .default([])
  .describe("Rules of this linter that aren't reported, by the linter's own IDs.");

const analyser = z.union([z.enum(["on", "off"]), z.strictObject({ ignore: ignoredRules })]).default("on");

const typedAnalyser = z
  .union([
    z.enum(["on", "off"]),
    z.strictObject({
      ignore: ignoredRules,
      typeAware: z
        .boolean()
        .default(false)
        .describe(
          "Also checks changed TypeScript with the types of the whole repository: promises used as conditions, and calls whose failure a `catch` doesn't see. Only the GitHub App does, and only if the operator has installed `oxlint-tsgolint`. It takes about 10 seconds of CPU time and 500 MB for 200,000 lines.",
        ),
    }),
  ])
  .default("on");

const analysers = section(
  {
    oxlint: typedAnalyser.describe("Checks JavaScript and TypeScript."),
    ruff: analyser.describe("Checks Python."),
    shellcheck: analyser.describe("Checks shell scripts, also those in workflows and Dockerfiles."),
    actionlint: analyser.describe("Checks GitHub workflows."),
  },
  "Linters that run as part of a review, with a selection of rules that Kodiai chose. Nothing else in the repository configures them. Set severities with `floor.rules`, as in `ruff/F821: off`.",
);

const languageRules = section(
  {
    severityFloors: z
      .array(
        z.strictObject({
          match: name.describe("Plain text to find in the title or rule ID, case-insensitive."),
          languages: z
            .array(z.string().min(1).max(40))
            .max(50)
            .default([])
            .describe("Language IDs. Empty means all languages."),
          severity: severity.describe("Minimum severity of a matching finding."),
          inTests: z.boolean().default(false).describe("Apply to test files too."),
        }),
      )
      .max(50)
      .default([])
      .describe("Minimum severities, in addition to the built-in ones."),
    tooling: z
      .enum(["auto", "on", "off"])
      .default("auto")
      .describe(
        "Leave style and import order to the repository's own tools. `auto` does so if a formatter or linter is configured.",
      ),
  },
  "Per-language settings.",
);

const fileCategories = section(
  {
    test: globs.describe("Additional test files."),
    infra: globs.describe("Additional infrastructure files."),
    docs: globs.describe("Additional documentation files."),
    config: globs.describe("Additional configuration files."),
    source: globs.describe("Additional source files."),
  },
  "Globs that assign files to a category. They override the built-in categories.",
);

const fileCount = z.int().max(10_000);

const largePR = section(
  {
    fullReviewTokens: z
      .int()
      .min(1_000)
      .max(1_000_000)
      .default(60_000)
      .describe(
        "A diff of up to this many tokens is read in full. In a larger one, the riskiest files are read in full, up to this many tokens.",
      ),
    abbreviatedTokens: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(40_000)
      .describe(
        "Tokens for the next files, which are read for major findings only. The model gets just the names of the rest.",
      ),
    fileThreshold: fileCount
      .min(1)
      .optional()
      .describe(
        "Count files instead of tokens: a change with more files than this is triaged. Setting any of the three counts switches to counting files, with defaults of 50, 30 and 20 for the others.",
      ),
    fullReviewCount: fileCount
      .min(1)
      .optional()
      .describe("When counting files: how many of the riskiest files are read in full."),
    abbreviatedCount: fileCount
      .min(0)
      .optional()
      .describe("When counting files: how many of the next files are read for major findings only."),
    riskWeights: section(
      {
        lines: share.default(0.3).describe("Changed lines, on a log scale."),
        path: share.default(0.3).describe("Risky paths, such as authentication and migrations."),
        category: share
          .default(0.2)
          .describe("File category: source, then configuration, then tests, then docs."),
        language: share.default(0.1).describe("Languages in which mistakes are more costly."),
        executable: share.default(0.1).describe("Executable code."),
      },
      "Weights of the risk score, scaled to add up to 1.",
    ),
  },
  "Triage of large changes.",
);

const budget = section(
  {
    perReviewUsd: usd
      .optional()
      .describe(
        `Limit for one review. The default is ${DEFAULT_BUDGETS.perReviewUsd}; only the operator can raise it.`,
      ),
    perPullRequestUsd: usd.optional().describe("Limit for all reviews of one pull request."),
    perAuthorHourUsd: usd
      .optional()
      .describe(
        `Limit per person and hour. The review counts for the person who requested it, opened the pull request or pushed. The default is ${DEFAULT_BUDGETS.perAuthorHourUsd}, or perReviewUsd if that is higher; only the operator can raise it.`,
      ),
    perOutsidersDayUsd: usd
      .optional()
      .describe(
        "Limit per repository and day for all people without write access together. The default is a fifth of perRepositoryDayUsd; only the operator can raise it.",
      ),
    perRepositoryDayUsd: usd
      .optional()
      .describe(
        `Limit per repository and day. The default is ${DEFAULT_BUDGETS.perRepositoryDayUsd}; only the operator can raise it.`,
      ),
    perInstallationMonthUsd: usd.optional().describe("Limit per installation and month."),
  },
  "Hard spending limits for models, in US dollars. A repository can lower the operator's limits but never raise them (docs/models.md). A review over budget continues with less, and says so.",
);

const perHour = z.int().min(0).max(MAX_REVIEWS_PER_HOUR);

const limits = section(
  {
    strangersPerHour: perHour
      .default(2)
      .describe(
        "For all people without write access and without a merged pull request in the repository, combined.",
      ),
    contributorsPerHour: perHour
      .default(6)
      .describe("For all people without write access who have a merged pull request, combined."),
    writersPerHour: perHour.optional().describe("For people with write access. No limit if not set."),
  },
  "Maximum number of model reviews per pull request and hour, depending on who requested the review, opened the pull request or pushed. Over the limit, Kodiai declines a request in one line and reviews a push with the built-in rules only.",
);

const prices = z
  .record(
    name,
    z.strictObject({
      inputUsd: usd.describe("US dollars per million input tokens."),
      cachedInputUsd: usd
        .optional()
        .describe("US dollars per million input tokens read from a cache. Defaults to `inputUsd`."),
      outputUsd: usd.describe("US dollars per million output tokens."),
    }),
  )
  .default({})
  .describe(
    "Prices by `provider:name`, for models that aren't in the built-in price table or that cost more than it lists.",
  );

const memory = section(
  {
    enabled: z.boolean().default(true).describe("Remember findings and feedback on them."),
    shareWithOwner: z
      .boolean()
      .default(false)
      .describe(
        "Share memory with the owner's other repositories that also opted in and have the same visibility.",
      ),
    retrieval: section(
      {
        enabled: z.boolean().default(true).describe("Show the model similar earlier findings."),
        topK: z.int().min(1).max(20).default(5).describe("Maximum number of findings shown."),
        distanceThreshold: z
          .number()
          .min(0)
          .max(2)
          .default(0.3)
          .describe("Base cosine distance within which a finding counts as similar."),
        adaptiveThreshold: z
          .boolean()
          .default(true)
          .describe("Adapt the threshold to the language and to the number of stored findings."),
        languageBoosting: z.boolean().default(true).describe("Prefer findings in the same language."),
        maxContextChars: z
          .int()
          .min(0)
          .max(5_000)
          .default(2_000)
          .describe("Maximum number of characters of retrieved findings in the prompt."),
      },
      "Retrieval of similar earlier findings.",
    ),
    embeddings: name
      .optional()
      .describe(
        "`local`, `voyage:MODEL` or `openai-compatible:MODEL`. If not set, the server decides. `local` keeps texts on the server; the others need its credentials.",
      ),
  },
  "Memory of earlier findings.",
);

const feedback = section(
  {
    autoSuppress: section(
      {
        enabled: z
          .boolean()
          .default(false)
          .describe("Stop reporting findings that people repeatedly rejected."),
        minThumbsDown: z
          .int()
          .min(1)
          .max(100)
          .default(3)
          .describe("Minimum number of thumbs-down reactions."),
        minPeople: z.int().min(1).max(100).default(3).describe("Minimum number of different people."),
        minPullRequests: z
          .int()
          .min(1)
          .max(100)
          .default(2)
          .describe("Minimum number of different pull requests."),
        expireDays: z
          .int()
          .min(1)
          .max(3_650)
          .default(90)
          .describe("A suppression expires after this many days."),
      },
      "Suppression learned from feedback. Critical, must-fix and security findings are never suppressed.",
    ),
  },
  "Effects of reactions and replies.",
);

const dependencies = section(
  {
    enabled: z.boolean().default(true).describe("Review dependency changes."),
    advisories: z.boolean().default(true).describe("Look up security advisories."),
    changelogs: z.boolean().default(true).describe("Look up the changes between the versions."),
    callSites: z.boolean().default(true).describe("Find where this repository uses the changed parts."),
    minReleaseAgeDays: z
      .int()
      .min(0)
      .max(365)
      .default(7)
      .describe("Report a release that is younger than this."),
    ignore: z.array(name).max(MAX_ENTRIES).default([]).describe("Packages to ignore."),
    privatePackages: z
      .array(name)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Packages whose names are never sent to a public registry. A trailing `*` matches any ending, as in `@acme/*`.",
      ),
  },
  "Dependency changes.",
);

const pack = section(
  {
    exclude: globs.describe("Files that are never included."),
    budgetTokens: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(272_000)
      .describe(
        "Maximum size of the pack, including the text around the files. Unless it's set, a deep review follows the window of its model.",
      ),
    fill: z
      .boolean()
      .default(false)
      .describe("Use the whole budget: whole files, also those that are far from the change."),
    includeTests: z.boolean().default(false).describe("Include all related tests, not only close ones."),
    includeDocs: z.boolean().default(false).describe("Include related documentation."),
    includeLockfiles: z.boolean().default(false).describe("Include lock files."),
  },
  "Context packs.",
);

const deepReview = section(
  {
    model: name
      .optional()
      .describe(
        "`provider:name`. If not set, the default model of the provider whose key is set is used, OpenAI first.",
      ),
    effort: z.enum(EFFORTS).default("high").describe("How much reasoning the model does."),
    verbosity: z.enum(VERBOSITIES).default("medium").describe("Length of the answer."),
    summary: z.enum(SUMMARIES).default("auto").describe("Detail of the reasoning summary."),
    timeoutSeconds: z
      .int()
      .min(5)
      .max(7_200)
      .default(1_800)
      .describe("Time limit of the model. Long thinking can take 20 minutes."),
  },
  "Deep reviews: `kodiai deep-review`.",
);

const mentions = section(
  {
    enabled: z.boolean().default(true).describe("Answer mentions in comments."),
    maxTurns: z.int().min(1).max(50).default(10).describe("Maximum number of answers in one pull request."),
    allowEveryone: z
      .boolean()
      .default(true)
      .describe("Answer anyone who can comment. If false, only people with write access."),
    threads: z
      .boolean()
      .default(false)
      .describe(
        "In threads that Kodiai started, answer questions of people with write access also if they don't mention it.",
      ),
  },
  "Mentions and commands in comments.",
);

const write = section(
  {
    enabled: z
      .boolean()
      .default(false)
      .describe("Let people with write access request edits with `fix`, `apply: …` and `change: …`."),
    allowPaths: z
      .array(writeGlob)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Files that may be edited. Empty means all ordinary files. Files that decide what runs, who may do what, or what is secret are edited only if an entry names them: `.github/workflows/**` does, `**` doesn't.",
      ),
    denyPaths: z
      .array(writeGlob)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Further files that may never be edited, whatever the case of their names. Overrides `allowPaths`.",
      ),
    pushToHead: z
      .boolean()
      .default(false)
      .describe(
        "Let `fix here`, `apply here: …` and `change here: …` push to the pull request's own branch. Otherwise edits always get a branch and a pull request of their own.",
      ),
  },
  "Write mode. Any error in this section keeps it off.",
);

export const RepoConfigSchema = z.strictObject({
  review,
  floor,
  analysers,
  model: name
    .optional()
    .describe(
      "`provider:name`, such as `anthropic:…` or `openai:…`, or `floor` for built-in rules only. If not set, the machine's default model is used.",
    ),
  fallbackModels: z.array(name).max(10).default([]).describe("Models to try, in order, if the model fails."),
  timeoutSeconds: z.int().min(5).max(3_600).default(600).describe("Base time limit of a review."),
  languageRules,
  fileCategories,
  largePR,
  budget,
  limits,
  prices,
  memory,
  feedback,
  dependencies,
  pack,
  deepReview,
  mentions,
  write,
  bots: section(
    {
      allow: z
        .array(word)
        .max(MAX_ENTRIES)
        .default([])
        .describe(
          "Bots whose pull requests are handled as dependency updates, in addition to Dependabot and Renovate, and whose mentions are answered.",
        ),
    },
    "Additional bots.",
  ),
  telemetry: section(
    {
      enabled: z
        .boolean()
        .default(true)
        .describe(
          "Store statistics about this repository's reviews on your own server: duration, outcome, degradations, tokens. Nothing is sent anywhere.",
        ),
      retentionDays: z.int().min(1).max(3_650).default(90).describe("How many days statistics are kept."),
    },
    "Review statistics.",
  ),
});

/** The complete configuration, with defaults filled in. */
export type RepoConfig = z.infer<typeof RepoConfigSchema>;
