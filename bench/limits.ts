/**
 * What each figure of the benches may be. `npm run bench` fails when one is over its limit. A limit is here because a user would notice
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
  reviewAgain: times("a review after a fix to a review of the fix", 1.2),
  reviewWithLinters: times("kodiai review to the slower of rules and linters", 1.3),
  reviewWithLintersMemory: mb("memory of kodiai review", 150),

  // Parts of a review
  classifyHunks: ms("classifying 20,000 hunks", 2_000),
  // Three diffs are compared, and each line is looked at a few times.
  classifyToParse: times("classifying to parsing", 6),
  classifyMemory: mb("memory", 300),
  // Numbering, masking and escaping in addition to joining.
  promptToJoin: times("prompt to its baseline", 20),
  prompt: ms("prompt", 50),
  lookups: ms("ten packages, a second for each answer", 15_000),

  // The App
  mentionToSearch: times("parsing mentions to a search for a name", 10),
  mentionParsing: ms("10,000 hostile comments of 60 KB", 1_000),
  mentionEyes: ms("p95 to 👀", 1_000),
  mentionAnswer: ms("p95 to an answer", 2_000),
  // Everything except the provider's time and the first clone.
  modelJob: ms("job of 20 files", 1_500),
  // The Claude Agent SDK's program needs half a second of CPU to start and 40 ms per turn, which we can't reduce.
  claudeJob: ms("job of 20 files", 1_900),
  commitsToJobs: times("commits to jobs", 3),
  jobInBacklog: times("cost of a job in a backlog to one in a small backlog", 1.5),
  // The queue must reach at least 60 % of the engine's rate.
  engineToQueue: times("engine to queue", 1.67),
  postgresBacklog: times("larger to smallest", 2),
  vectorSearch: ms("95 of 100 within", 50),
  vectorMisses: number("missed neighbours", 0.02),

  // What is found, on sets of cases
  missedOfAll: percent("planted defects missed", 25),
  missedOfLanguage: percent("planted defects missed", 40),
  noise: number("findings per 1,000 added lines", 1),
  missedHunks: number("changed hunks missed", 0),
  rereadHunks: number("unchanged hunks read again", 0),
  quotesNotRight: percent("quotes not placed right", 1),
  quotesWrong: percent("quotes placed wrong", 0.05),
  quotesStray: percent("quotes placed that aren't in the file's change", 0.5),
  suggestionsRefused: percent("good suggestions refused", 1),
  suggestionsSpoilt: percent("spoilt suggestions accepted", 3),
  // A line that was cut between two words is often still code.
  suggestionsCut: percent("cut suggestions accepted", 10),
} as const satisfies Readonly<Record<string, Limit>>;
