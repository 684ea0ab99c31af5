/**
 * The one schema of `.kodiai.yml`. Types, defaults, validation messages, `schema/kodiai.schema.json` and
 * docs/configuration.md all come from here. Each key has a description, and a default unless leaving it out means
 * something of its own; lists and texts have limits.
 */
import * as z from "zod";
import { compileGlob } from "../../base/glob.ts";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { DEFAULT_BUDGETS } from "../default-budgets.ts";
import { EFFORTS } from "../effort.ts";
import { compileSafePattern } from "./safe-pattern.ts";

/** Lists and texts from a repository are bounded: 200 entries and 4,000 characters are past any honest use. */
const MAX_ENTRIES = 200;
const MAX_TEXT_CHARS = 4_000;

/** The glob matcher's own limit less the `**` and slash that it puts before a pattern without a slash. */
const MAX_GLOB_CHARS = 253;

/** Logins, language names and topics are words, not sentences. */
const MAX_WORD_CHARS = 100;

/** `provider:name`, package names and file paths. */
const MAX_NAME_CHARS = 200;

/** More than one review a minute of one pull request is no limit any more. */
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
const severity = z.enum(SEVERITIES);
const usd = z.number().min(0).max(100_000);
const share = z.number().min(0).max(1);

/** As the file matcher will use it: a pattern without a slash matches at any depth. */
function isUsableGlob(pattern: string): boolean {
  return pattern !== "" && compileGlob(pattern.includes("/") ? pattern : `**/${pattern}`) !== null;
}

/** An object section whose default is the defaults of its keys. */
function section<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  // Every key of a section has a default or is optional, so the empty object is always a valid input; the type
  // of a generic shape cannot say so, the test that parses `{}` does.
  return z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description);
}

const review = section(
  {
    enabled: z.boolean().default(true).describe("Review pull requests of this repository at all."),
    mode: z
      .enum(["auto", "strict", "balanced", "lenient"])
      .default("auto")
      .describe(
        "How much is said. `strict` tells from minor on, `balanced` from medium, `lenient` from major. `auto` chooses by size: up to 100 changed lines strict, up to 500 balanced, else lenient.",
      ),
    effort: z
      .enum(EFFORTS)
      .default("medium")
      .describe(
        "How hard a model thinks. More effort finds more, takes longer and costs more. Kodiai sends the nearest level that the model knows; models that don't think ignore it.",
      ),
    triggers: section(
      {
        onOpened: z.boolean().default(true).describe("Review when a pull request is opened or reopened."),
        onReadyForReview: z.boolean().default(true).describe("Review when a draft becomes ready."),
        onReviewRequested: z.boolean().default(true).describe("Review when Kodiai is asked for a review."),
        onSynchronize: z.boolean().default(false).describe("Review again after each push."),
      },
      "Which events start a review. An explicit request always does.",
    ),
    drafts: z.boolean().default(false).describe("Review draft pull requests too."),
    allowNoReview: z
      .enum(["writers", "everyone", "nobody"])
      .default("writers")
      .describe(
        "Whose `[no-review]` tag skips the review: `writers` for pull request authors with write access, `everyone`, or `nobody`. Hidden characters, attributes that hide a diff, text that steers a reviewer and edits of `.kodiai.yml` are reported anyway.",
      ),
    skipAuthors: z
      .array(word)
      .max(MAX_ENTRIES)
      .default([])
      .describe("Logins whose pull requests are not reviewed."),
    skipPaths: globs.describe("Files that are not reviewed; the receipt says so."),
    severity: section(
      {
        minLevel: severity
          .optional()
          .describe("Findings below this are recorded but not told. Beats the mode's value."),
      },
      "Which findings are told.",
    ),
    maxComments: z
      .int()
      .min(0)
      .max(50)
      .optional()
      .describe(
        "Most inline comments in one review. Beats the mode's value (strict 15, balanced 7, lenient 5); the rest is listed in the details.",
      ),
    minConfidence: share
      .default(0)
      .describe("Findings the reviewer is less sure of than this are not told, from 0 to 1."),
    patterns: section(
      {
        focus: z
          .array(word)
          .max(20)
          .optional()
          .describe("Categories or topics to look at most. Beats the mode's value."),
        ignore: z
          .array(z.enum(CATEGORIES))
          .max(CATEGORIES.length)
          .optional()
          .describe("Categories that are not told. Beats the mode's value."),
        customRules: z
          .array(text.min(1))
          .max(10)
          .default([])
          .describe("Rules of this repository in plain words, for the model."),
      },
      "What to look for.",
    ),
    prompt: text.default("").describe("Instructions for the model, for the whole repository."),
    pathInstructions: z
      .array(
        z.strictObject({
          paths: z.array(glob).min(1).max(50).describe("Files for which the instructions hold."),
          instructions: text.min(1).describe("What the model is told about them."),
        }),
      )
      .max(50)
      .default([])
      .describe("Instructions for the model that hold for some paths only."),
    suppressions: z
      .array(suppression)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Findings that are not told: plain text is looked for in the title and rule id, `glob:` matches the path, `regex:` (RE2 syntax) the title. Critical findings are never suppressed.",
      ),
    guidelines: section(
      {
        enabled: z.boolean().default(true).describe("Show the model the repository's guideline files."),
        files: z
          .array(name)
          .max(20)
          .default(["AGENTS.md", "CLAUDE.md", ".cursorrules", ".github/copilot-instructions.md", "REVIEW.md"])
          .describe("Where they are, read from the base branch."),
      },
      "Guideline files of the repository.",
    ),
    chunked: section(
      {
        enabled: z.boolean().default(false).describe("Review very large changes in several passes."),
        threshold: z.int().min(50).max(500).default(100).describe("Files from which a change is split."),
        maxChunks: z.int().min(2).max(10).default(3).describe("Most passes."),
        filesPerChunk: z.int().min(5).max(100).default(30).describe("About how many files a pass reads."),
        minSeconds: z.int().min(60).max(600).default(120).describe("Least time for a pass."),
      },
      "Several passes over very large changes; one publication. Each pass reads in full as much as `largePR` allows for a whole review, or `filesPerChunk` files where `largePR` counts files.",
    ),
    failOn: z
      .enum(["none", ...SEVERITIES])
      .default("none")
      .describe("The check run fails when a finding is at least this severe."),
    autoApprove: z
      .boolean()
      .default(false)
      .describe("Approve when everything was read and nothing at all was found."),
    language: z
      .string()
      .min(2)
      .max(40)
      .default("en")
      .describe("Language of what a model writes; the built-in rules write English."),
    debounceSeconds: z
      .int()
      .min(0)
      .max(600)
      .default(30)
      .describe("Wait this long for further pushes before reviewing."),
  },
  "What is reviewed and what is said.",
);

const floor = section(
  {
    enabled: z.boolean().default(true).describe("Run the deterministic rules."),
    rules: z
      .record(z.string().min(1).max(MAX_WORD_CHARS), z.enum(["off", "on", ...SEVERITIES]))
      .default({})
      .describe("Rule id to `off`, `on` or another severity."),
  },
  "The deterministic reviewer that needs no model.",
);

const languageRules = section(
  {
    severityFloors: z
      .array(
        z.strictObject({
          match: name.describe("Plain text looked for in the title or rule id, case-insensitive."),
          languages: z
            .array(z.string().min(1).max(40))
            .max(50)
            .default([])
            .describe("Language ids; empty for all."),
          severity: severity.describe("The finding is at least this severe."),
          inTests: z.boolean().default(false).describe("Holds in test files too."),
        }),
      )
      .max(50)
      .default([])
      .describe("Least severities, added to the built-in ones."),
    tooling: z
      .enum(["auto", "on", "off"])
      .default("auto")
      .describe(
        "Leave style and import order to the repository's own tools: `auto` when a formatter or linter is configured.",
      ),
  },
  "Per-language settings.",
);

const fileCategories = section(
  {
    test: globs.describe("More test files."),
    infra: globs.describe("More infrastructure files."),
    docs: globs.describe("More documentation."),
    config: globs.describe("More configuration."),
    source: globs.describe("More source files."),
  },
  "Globs that put files into a category; they are asked before the built-in table.",
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
        "A change whose diff has up to this many tokens is read in full. In a larger one, the riskiest files are, up to this many.",
      ),
    abbreviatedTokens: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(40_000)
      .describe("The next files, read for major findings only. The rest are named to the model."),
    fileThreshold: fileCount
      .min(1)
      .optional()
      .describe(
        "Count files instead of tokens: a change with more files than this is triaged. Setting any of the three counts switches to counting, with 50, 30 and 20 for those left out.",
      ),
    fullReviewCount: fileCount
      .min(1)
      .optional()
      .describe("When counting files: this many of the riskiest are read in full."),
    abbreviatedCount: fileCount
      .min(0)
      .optional()
      .describe("When counting files: this many of the next are read for major findings only."),
    riskWeights: section(
      {
        lines: share.default(0.3).describe("Changed lines, on a log scale."),
        path: share.default(0.3).describe("Risky paths: authentication, migrations, …"),
        category: share.default(0.2).describe("Source before configuration before tests before docs."),
        language: share.default(0.1).describe("Languages in which mistakes cost more."),
        executable: share.default(0.1).describe("Executable code."),
      },
      "Weights of the risk score; they are scaled to add up to one.",
    ),
  },
  "How large changes are triaged.",
);

const budget = section(
  {
    perReviewUsd: usd
      .optional()
      .describe(
        `Most for one review. ${DEFAULT_BUDGETS.perReviewUsd} by default; only the operator can raise it.`,
      ),
    perPullRequestUsd: usd.optional().describe("Most for all reviews of one pull request."),
    perAuthorHourUsd: usd
      .optional()
      .describe("Most per person and hour: whoever requested the review, or opened or pushed."),
    perRepositoryDayUsd: usd
      .optional()
      .describe(
        `Most per repository and day. ${DEFAULT_BUDGETS.perRepositoryDayUsd} by default; only the operator can raise it.`,
      ),
    perInstallationMonthUsd: usd.optional().describe("Most per installation and month."),
  },
  "Hard ceilings in US dollars on what models may cost. A repository can lower what the operator allows and never raise it (docs/models.md). Over budget a review goes on with less, never silently.",
);

const perHour = z.int().min(0).max(MAX_REVIEWS_PER_HOUR);

const limits = section(
  {
    strangersPerHour: perHour
      .default(2)
      .describe(
        "For people who have no write access and no merged pull request in the repository, all together.",
      ),
    contributorsPerHour: perHour
      .default(6)
      .describe("For people without write access who had a pull request merged, all together."),
    writersPerHour: perHour.optional().describe("For people with write access; left out, there is no limit."),
  },
  "Most reviews with a model per pull request and hour, by who requested the review, opened or pushed. Over the limit a request is refused in one line, and a push is reviewed by the built-in rules.",
);

const prices = z
  .record(
    name,
    z.strictObject({
      inputUsd: usd.describe("Per million input tokens."),
      cachedInputUsd: usd
        .optional()
        .describe("Per million input tokens read from a cache; as input otherwise."),
      outputUsd: usd.describe("Per million output tokens."),
    }),
  )
  .default({})
  .describe(
    "Prices by `provider:name`, for models that the built-in table does not know, or that cost more than it says.",
  );

const memory = section(
  {
    enabled: z.boolean().default(true).describe("Remember findings and what people thought of them."),
    shareWithOwner: z
      .boolean()
      .default(false)
      .describe(
        "Share with other repositories of the same owner that opted in too and have the same visibility.",
      ),
    retrieval: section(
      {
        enabled: z.boolean().default(true).describe("Show the model similar prior findings."),
        topK: z.int().min(1).max(20).default(5).describe("Most findings shown."),
        distanceThreshold: z
          .number()
          .min(0)
          .max(2)
          .default(0.3)
          .describe("Base of the cosine distance within which a finding counts as similar."),
        adaptiveThreshold: z
          .boolean()
          .default(true)
          .describe("Adapt it to the size of the memory and the language."),
        languageBoosting: z.boolean().default(true).describe("Prefer findings in the same language."),
        maxContextChars: z.int().min(0).max(5_000).default(2_000).describe("Most characters of the section."),
      },
      "Retrieval of similar prior findings.",
    ),
    embeddings: name.default("local").describe("`local`, `voyage:MODEL` or `openai-compatible:MODEL`."),
  },
  "What is remembered.",
);

const feedback = section(
  {
    autoSuppress: section(
      {
        enabled: z.boolean().default(false).describe("Stop telling what people repeatedly did not want."),
        minThumbsDown: z.int().min(1).max(100).default(3).describe("Least thumbs-down."),
        minPeople: z.int().min(1).max(100).default(3).describe("Least different people."),
        minPullRequests: z.int().min(1).max(100).default(2).describe("Least different pull requests."),
        expireDays: z
          .int()
          .min(1)
          .max(3_650)
          .default(90)
          .describe("A suppression ends after this many days."),
      },
      "Suppression learned from people. Critical, must-fix and security findings are never suppressed.",
    ),
  },
  "What reactions and replies do.",
);

const dependencies = section(
  {
    enabled: z.boolean().default(true).describe("Review dependency changes."),
    advisories: z.boolean().default(true).describe("Look up security advisories."),
    changelogs: z.boolean().default(true).describe("Look up what changed between the versions."),
    callSites: z.boolean().default(true).describe("Find this repository's uses of what changed."),
    minReleaseAgeDays: z.int().min(0).max(365).default(7).describe("A younger release is told."),
    ignore: z.array(name).max(MAX_ENTRIES).default([]).describe("Packages that are not looked at."),
    privatePackages: z
      .array(name)
      .max(MAX_ENTRIES)
      .default([])
      .describe(
        "Packages whose names are never sent to a public registry; a trailing `*` stands for any ending, as in `@acme/*`.",
      ),
  },
  "Dependency changes.",
);

const pack = section(
  {
    exclude: globs.describe("Files that never enter a context pack."),
    budgetTokens: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(272_000)
      .describe("Size of the pack with everything around it."),
    includeTests: z.boolean().default(false).describe("Related tests enter even when they are not close."),
    includeDocs: z.boolean().default(false).describe("Related documentation enters."),
    includeLockfiles: z.boolean().default(false).describe("Lock files enter."),
  },
  "The context pack.",
);

const deepReview = section(
  {
    model: name.optional().describe("`provider:name`; the default model otherwise."),
    effort: z
      .enum(["minimal", "low", "medium", "high", "xhigh"])
      .default("high")
      .describe("How long the model thinks."),
    verbosity: z.enum(["low", "medium", "high"]).default("medium").describe("How long the answer is."),
    summary: z
      .enum(["none", "auto", "concise", "detailed"])
      .default("auto")
      .describe("Summary of the reasoning."),
  },
  "Deep reviews.",
);

const mentions = section(
  {
    enabled: z.boolean().default(true).describe("Answer mentions in comments."),
    maxTurns: z.int().min(1).max(50).default(10).describe("Most answers in one pull request."),
    allowEveryone: z
      .boolean()
      .default(true)
      .describe("Anyone who may comment may ask; else only people with write access."),
  },
  "Mentions and commands in comments.",
);

const write = section(
  {
    enabled: z.boolean().default(false).describe("Let people with write access ask for edits."),
    allowPaths: globs.describe("Only these may be edited; empty for all."),
    denyPaths: z
      .array(glob)
      .max(MAX_ENTRIES)
      .default([
        ".github/**",
        ".git/**",
        "**/.kodiai.yml",
        "**/.env*",
        "**/*.pem",
        "**/*.key",
        "**/*credentials*",
      ])
      .describe("These may never be edited; beats `allowPaths`. A list of your own replaces this one."),
  },
  "Write mode. Any mistake in this section keeps it off.",
);

export const RepoConfigSchema = z.strictObject({
  review,
  floor,
  model: name
    .optional()
    .describe(
      "`provider:name`, such as `anthropic:…` or `openai:…`, or `floor` for none; left out, the machine's own choice holds.",
    ),
  fallbackModels: z.array(name).max(10).default([]).describe("Tried in order when the model fails."),
  timeoutSeconds: z.int().min(5).max(3_600).default(600).describe("Base of the time budget of a review."),
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
        .describe("Bots whose pull requests go to the dependency lane besides Dependabot and Renovate."),
    },
    "Other bots.",
  ),
  telemetry: section(
    {
      enabled: z
        .boolean()
        .default(true)
        .describe("Keep figures about reviews on your own server. Nothing is sent anywhere."),
      retentionDays: z.int().min(1).max(3_650).default(90).describe("How long they are kept."),
    },
    "Figures for reports.",
  ),
});

/** The whole configuration with every default filled in. */
export type RepoConfig = z.infer<typeof RepoConfigSchema>;
