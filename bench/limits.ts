/**
 * The limits of all figures of the benches. `npm run bench` fails when one is over its limit. A limit is here because a user would notice
 * what it bounds; loosening one needs an entry in docs/decisions.
 */

export type Limit = {
  /** The figure. The subject that was measured comes before it. */
  readonly what: string;
  readonly unit: string;
} & ({ readonly most: number } | { readonly least: number });

const times = (what: string, most: number): Limit => ({ what, most, unit: "×" });
const ms = (what: string, most: number): Limit => ({ what, most, unit: " ms" });
const mb = (what: string, most: number): Limit => ({ what, most, unit: " MB" });
const percent = (what: string, most: number): Limit => ({ what, most, unit: " %" });
const number = (what: string, most: number): Limit => ({ what, most, unit: "" });

export const LIMITS = {
  // The command line
  helpToBareStart: times("kodiai --help to a bare start", 1.5),
  reviewToFloor: times("kodiai review of 20 files to git diff and a bare start", 7),
  otherLanguages: times("a review with Python and shell to ShellCheck alone", 1.5),
  // A package has no compiled code before its first review.
  firstReview: times("a first review to a later one", 2),
  reviewMemory: mb("memory of kodiai review", 150),
  reviewAllMemory: mb("memory of all its processes", 300),
  // Each of the 220 rules looks at each file; git only prints it.
  largeToDiff: times("10,000 files to git diff", 35),
  largeGrowth: times("10,000 files to 1,000 files", 11),
  hugeGrowth: times("50,000 files to 10,000 files", 5.5),
  largeMemory: mb("memory for 10,000 files", 1_000),
  // Of the code index and a pack, to git reading all files.
  codeCold: times("to the floor", 15),
  codeWarm: times("to the floor", 7),
  codeMemory: mb("memory of all processes", 400),
  indexAfterChange: times("code index after one changed file to an unchanged one", 1.7),
  reviewAgain: times("a review after a fix to one without memory", 1.2),
  reviewWithLinters: times("kodiai review to the slower of rules and linters", 1.3),
  reviewWithLintersMemory: mb("memory of kodiai review", 150),

  // Parts of a review
  classifyHunks: ms("classifying 20,000 hunks", 2_000),
  // Three diffs are compared, and each line is looked at a few times.
  classifyToParse: times("classifying to parsing", 6),
  classifyMemory: mb("memory", 300),
  // Numbering, masking and escaping in addition to joining.
  promptToJoin: times("prompt to its baseline", 20),
  // Instructions, tools, and the functions around each hunk, in addition to the diff itself.
  firstCall: times("tokens of the first call to those of the plain diff", 1.9),
  lockfilePair: times("a pair of 10,000 packages to JSON.parse of npm's", 8),
  lockfileMemory: mb("memory", 300),
  // Both graphs are built, because an added package is judged by who needs it.
  lockfileToParse: times("to parsing the same bytes", 5),
  secondPrompt: percent("prompt of a push of 2 files of 60, to the first", 10),
  lookups: ms("ten packages, a second for each answer", 15_000),

  // The App
  acknowledgements: { what: "acknowledgements to the bare server", least: 0.5, unit: "" },
  acknowledgementP99: ms("p99 at 600 webhooks a second", 50),
  acknowledgementTail: times("p99 at 600 webhooks a second to a bare server on the same database", 2),
  acknowledgementWithReloads: times("p99 at 100 webhooks a second with 50 people who reload, to without", 3),
  // With 100,000 reviews and 1,000,000 findings, in a process that does nothing else.
  dashboardPage: ms("p95 of the slowest page", 100),
  dashboardPageToEmpty: times("slowest page to the overview without a review", 15),
  dashboardReport: ms("a report of 90 days", 1_000),
  dashboardPageSize: { what: "largest page, compressed", most: 60, unit: " KB" },
  dashboardMemory: mb("memory left by 30 rounds of all pages", 10),
  mentionToSearch: times("parsing mentions to a search for a name", 10),
  mentionParsing: ms("10,000 hostile comments of 60 KB", 1_000),
  mentionEyes: ms("p95 to 👀", 1_000),
  mentionAnswer: ms("p95 to an answer", 2_000),
  // Eight turns with tools, in addition to what the same job without a model takes.
  modelJob: times("job of 20 files to the built-in rules' alone", 2.5),
  // The Claude Agent SDK's program needs half a second of CPU to start and 40 ms per turn, which we can't reduce (decision 171).
  claudeJob: times("job of 20 files to the built-in rules' and the SDK's program alone", 1.6),
  // Conversations about different files run at the same time, so a review waits for the slowest, and not for one after the other.
  verification: times("second readings of 12 claims to one", 1.5),
  // On disks that confirm a commit in 50 µs, this is the processor's work.
  commitsToJobs: times("commits to jobs", 4),
  jobInBacklog: times("cost of a job in a backlog to one in a small backlog", 1.5),
  // The queue must reach at least 60 % of the engine's rate.
  engineToQueue: times("engine to queue", 1.67),
  postgresBacklog: times("larger to smallest", 2),
  vectorSearch: ms("95 of 100 within", 50),
  largeVectorSearch: times("95 of 100 searches to a comparison with all vectors, or to 100 ms", 0.5),
  // With 100,000 memories in one repository, while eight reviews run.
  retrieval: times("95 of 100 retrievals to a comparison with all vectors", 0.5),
  loopHold: ms("99 of 100 holds of the event loop within", 20),
  retrievalMisses: number("missed neighbours", 0.01),
  vectorMisses: number("missed neighbours", 0.02),

  // Evaluations
  evaluationScore: ms("scoring 1,000 stored reviews", 10_000),
  // Each finding is compared with each answer of its pull request, and every figure is drawn 1,000 times.
  evaluationToParse: times("scoring to JSON.parse of the same files", 100),

  // What is found, on sets of cases
  missedOfAll: percent("planted defects missed", 25),
  missedOfLanguage: percent("planted defects missed", 40),
  noise: number("findings per 1,000 added lines", 1),
  // The aims. With the look-ups of npm alone, 12.1 and 5.3 were measured, and on a stricter set 32.3 and 8.3 (decision 163).
  falseConfidence: percent("bumps with lowered confidence that are harmless", 10),
  missedBreaking: percent("breaking bumps with high confidence", 5),
  missedHunks: number("changed hunks missed", 0),
  rereadHunks: number("unchanged hunks read again", 0),
  quotesNotRight: percent("quotes not placed right", 1),
  quotesWrong: percent("quotes placed wrong", 0.05),
  quotesStray: percent("quotes placed that aren't in the file's change", 0.5),
  // The aim is 5 and 1. Words don't tell more; both texts of a merged finding are readable.
  repeatsApart: percent("reports of one defect in other words shown as two", 55),
  repeatsMerged: percent("reports of two defects within three lines shown as one", 1.6),
  suggestionsRefused: percent("good suggestions refused", 1),
  suggestionsSpoilt: percent("spoilt suggestions accepted", 3),
  // A line that was cut between two words is often still code.
  suggestionsCut: percent("cut suggestions accepted", 10),
} as const satisfies Readonly<Record<string, Limit>>;
