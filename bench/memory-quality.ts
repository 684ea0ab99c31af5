/**
 * Judges how well earlier findings are found, on labelled texts of public reviews (see support/labelled-findings.ts), in a temporary SQLite
 * store. Each method gets the same texts and queries.
 *
 *     node bench/memory-quality.ts [--held] [--show N] [--embeddings ID] --reviews GIT_DIRECTORY [--comments GIT_DIRECTORY]
 *       [--others GIT_DIRECTORY]
 *
 * `--embeddings lexical` measures the vectors of words and parts of words that earlier versions had. `--show N` prints that many shown results, to read them. With `--embeddings voyage:voyage-code-3` the texts are sent to Voyage; its key is
 * read from the environment, as by the program.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readEmbeddingSettings } from "../src/config/embedding-settings.ts";
import { type Embeddings, MAX_TEXTS } from "../src/embeddings/embeddings.ts";
import { openEmbeddings } from "../src/embeddings/open-embeddings.ts";
import { buildQuery, queryLanguages } from "../src/memory/build-query.ts";
import { fuseRankings } from "../src/memory/fuse-rankings.ts";
import { memoryText, type RememberedText } from "../src/memory/memory-text.ts";
import { rankMemories } from "../src/memory/rank-memories.ts";
import { termsOf } from "../src/memory/terms-of.ts";
import { thresholdOf } from "../src/memory/threshold.ts";
import {
  listUnembedded,
  markEmbedded,
  type MemoryRow,
  memoryScope,
  putMemories,
  readVisible,
  searchText,
} from "../src/store/repositories/memories.ts";
import { openStore } from "../src/store/store.ts";
import { openVectors } from "../src/store/vectors/open-vectors.ts";
import type { Database } from "../src/store/database.ts";
import { writeMemoryRepository } from "../src/store/repositories/memory-repositories.ts";
import { analysisOf } from "../test/support/analysis-fixtures.ts";
import { createChance } from "../test/support/chance.ts";
import { createLexicalEmbeddings } from "./support/lexical-embeddings.ts";
import {
  type LabelledQuery,
  type LabelledSet,
  readComments,
  readDistractors,
  readReviewers,
} from "./support/labelled-findings.ts";

/** As the program does, for results of each kind. */
const MAX_FOUND = 50;
const SHOWN = 5;
const REPOSITORY = 1;
const RESAMPLES = 1_000;

const DATA = {
  reviews: "KODIAI_BENCH_REVIEWS",
  comments: "KODIAI_BENCH_COMMENTS",
  others: "KODIAI_BENCH_OTHERS",
};

type Options = { readonly half: "tuning" | "held"; readonly embeddings: string; readonly show: number };
type Folders = { readonly reviews: string; readonly comments: string | null; readonly others: string | null };

/** The bench: figures of the held half, with words alone, which is the default. */
export async function memoryQuality(): Promise<void> {
  const { reviews, comments, others } = {
    reviews: process.env[DATA.reviews] ?? null,
    comments: process.env[DATA.comments] ?? null,
    others: process.env[DATA.others] ?? null,
  };
  if (reviews === null) {
    console.log(
      `  skipped: clone github.com/withmartian/code-review-benchmark and set ${DATA.reviews} to its git directory;`,
    );
    console.log(
      `  for more, ${DATA.comments} for vharatian/CommentCheck and ${DATA.others} for alibaba/aacr-bench`,
    );
    return;
  }
  await judgeAll({ reviews, comments, others }, { half: "held", embeddings: "local", show: 0 });
}

async function judgeAll({ reviews, comments, others }: Folders, options: Options): Promise<void> {
  const embeddings =
    options.embeddings === "lexical"
      ? createLexicalEmbeddings()
      : await openEmbeddings(
          options.embeddings,
          readEmbeddingSettings({ environment: process.env, dotEnv: null, readText: () => null }),
        );
  const distractors = others === null ? [] : readDistractors(others);
  const reviewers = readReviewers(reviews);
  const sets = [
    ...reviewers,
    ...reviewers.map(withoutNames),
    ...(comments === null
      ? []
      : [...readComments(comments, "diffHunk"), ...readComments(comments, "fileDiff")]),
  ];
  for (const set of sets.filter(({ half }) => half === options.half)) {
    console.log(
      `  ${set.name}, ${set.half} half: ${set.queries.length} queries, ${set.texts.length} + ${distractors.length} texts`,
    );
    await judgeSet(set, distractors, embeddings, options);
  }
}

/** The same queries without names of code: the same problem in other code has other names. */
function withoutNames(set: LabelledSet): LabelledSet {
  const queries = set.queries.map((query) =>
    "text" in query.asks ? { ...query, asks: { text: proseOf(query.asks.text) } } : query,
  );
  return { ...set, name: `${set.name} without names`, queries };
}

function proseOf(text: string): string {
  return text
    .replaceAll(/`[^`]*`|"[^"]*"|'[^' ]*'/g, " ")
    .replaceAll(/[\w$./\\-]*(?:[_$]|[a-z][A-Z]|\.\w|\/|\(\))[\w$./()-]*/g, " ");
}

type Found = {
  readonly query: LabelledQuery;
  readonly text: string;
  readonly languages: readonly string[];
  readonly nearest: readonly { readonly id: number; readonly distance: number }[];
  readonly texts: readonly { readonly id: number; readonly score: number }[];
};

async function judgeSet(
  set: LabelledSet,
  distractors: readonly RememberedText[],
  embeddings: Embeddings | null,
  options: Options,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
  try {
    const memory = await remember([...set.texts, ...distractors], embeddings, store.database);
    const found: Found[] = [];
    for (const query of set.queries) found.push(await memory.search(query));
    const numbers = (list: readonly { readonly id: number }[]): readonly number[] =>
      list.map(({ id }) => memory.numberOf(id));
    const methods = {
      text: found.map(({ texts }) => numbers(texts)),
      vectors: found.map(({ nearest }) => numbers(nearest)),
      hybrid: found.map(({ nearest, texts }) => {
        const shares = fuseRankings({ vectors: numbers(nearest), texts: numbers(texts) });
        return [...shares].sort(([a, x], [b, y]) => y - x || a - b).map(([id]) => id);
      }),
    };
    const recalls = Object.entries(methods).map(([name, lists]) => {
      const values = lists.map((list, at) => recallOf(list, set.queries[at]?.relevant ?? new Set()));
      return { name, values };
    });
    for (const { name, values } of recalls)
      console.log(`    recall@5 ${name}: ${mean(values).toFixed(3)} ± ${errorOf(values).toFixed(3)}`);
    const hybrid = recalls.find(({ name }) => name === "hybrid")?.values ?? [];
    for (const { name, values } of recalls.filter((each) => each.name !== "hybrid"))
      console.log(
        `    hybrid − ${name}: ${intervalOf(hybrid.map((value, at) => value - (values[at] ?? 0)))}`,
      );
    await judgeShown(found, memory, options);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Remembered = Awaited<ReturnType<typeof remember>>;

/** Shown: what passes the threshold. "Silent": nothing is shown to a query whose relevant texts were removed. */
async function judgeShown(found: readonly Found[], memory: Remembered, { show }: Options): Promise<void> {
  const lines: string[] = [];
  const sums = { shown: 0, relevant: 0, recalled: 0, named: 0, silent: 0 };
  for (const each of found) {
    const { relevant } = each.query;
    const shown = await memory.rank(each);
    const isRelevant = ({ identity }: { readonly identity: string }): boolean =>
      relevant.has(Number(identity));
    const hits = shown.filter(isRelevant);
    sums.shown += shown.length;
    sums.relevant += hits.length;
    sums.recalled += Math.min(1, hits.length / Math.min(SHOWN, relevant.size));
    // A case names the places of its repetitions, which aren't shown on their own.
    const named = shown.flatMap((each) => [each, ...each.repeats]).filter(isRelevant);
    sums.named += Math.min(1, named.length / Math.min(SHOWN, relevant.size));
    for (const { identity, title, distance, method } of shown)
      lines.push(
        `${relevant.has(Number(identity)) ? "labelled" : "other"} ${method} ${distance?.toFixed(2) ?? "-"}\n      ? ${each.text.slice(0, 300)}\n      = ${title.slice(0, 300)}`,
      );
    const left = <Item extends { readonly id: number }>(list: readonly Item[]): readonly Item[] =>
      list.filter(({ id }) => !relevant.has(memory.numberOf(id)));
    if ((await memory.rank({ ...each, nearest: left(each.nearest), texts: left(each.texts) })).length === 0)
      sums.silent += 1;
  }
  const share = (part: number, whole: number): string => (part / Math.max(1, whole)).toFixed(2);
  console.log(
    `    shown: ${share(sums.shown, found.length)} a query, ${share(sums.relevant, sums.shown)} of them labelled relevant, ` +
      `recall@5 ${share(sums.recalled, found.length)}, with places ${share(sums.named, found.length)}; nothing shown when nothing is relevant: ${share(sums.silent, found.length)}`,
  );
  const chance = createChance(20_261_117);
  for (let count = 0; count < show && lines.length > 0; count++)
    console.log(`    ${lines.splice(chance.below(lines.length), 1)[0] ?? ""}`);
}

async function remember(texts: readonly RememberedText[], embeddings: Embeddings | null, database: Database) {
  const { signal } = new AbortController();
  const vectors = await openVectors(database);
  const scope = memoryScope(REPOSITORY);
  await database.transaction(async (sql) => {
    await writeMemoryRepository(
      {
        repositoryId: REPOSITORY,
        owner: "acme",
        name: "r",
        isPrivate: true,
        isSharing: false,
        embeddings: embeddings?.id ?? "local",
      },
      1,
      sql,
    );
    await putMemories(
      texts.map((text, number) => ({
        ...text,
        repositoryId: REPOSITORY,
        pullRequest: 1,
        identity: String(number),
        pattern: `title:correctness:${number}`,
        severity: "major",
        url: null,
        terms: termsOf(memoryText(text)),
        at: 1,
      })),
      sql,
    );
  });
  const stored = await database.query<{ id: number; identity: string }>("select id, identity from memories");
  const numbers = new Map(stored.map(({ id, identity }) => [id, Number(identity)]));
  for (;;) {
    if (embeddings === null) break;
    const rows = await listUnembedded(
      { repositoryId: REPOSITORY, space: embeddings.spaceName, limit: MAX_TEXTS },
      database,
    );
    if (rows.length === 0) break;
    const { space, vectors: embedded } = await embeddings.embed(rows.map(memoryText), "document", signal);
    await database.transaction(async (sql) => {
      await markEmbedded(rows, embeddings.spaceName, sql);
      await vectors.put(
        rows.map(({ id }, at) => ({
          id,
          scope,
          space,
          vector: embedded[at] ?? new Float32Array(space.dimensions),
        })),
        sql,
      );
    });
  }
  const threshold = thresholdOf({
    base: 0.3,
    isAdaptive: true,
    memories: texts.length,
    languages: [],
    isShared: false,
  });
  const numberOf = (id: number): number => numbers.get(id) ?? -1;

  return {
    numberOf,
    async search(query: LabelledQuery): Promise<Found> {
      const analysis = "change" in query.asks ? analysisOf(query.asks.change) : null;
      const text =
        "text" in query.asks || analysis === null
          ? textOf(query)
          : buildQuery({ change: query.asks.change, analysis });
      const embedded = await embeddings?.embed([text], "query", signal);
      const [vector] = embedded?.vectors ?? [];
      // Room for the texts that are left out afterwards: the query itself, and the relevant ones.
      const limit = MAX_FOUND + 1 + query.relevant.size;
      const isOther = ({ id }: { readonly id: number }): boolean => numberOf(id) !== query.self;
      const nearest =
        embedded === undefined || vector === undefined
          ? []
          : await vectors.nearest({ scope, space: embedded.space, vector, limit });
      const matches = await searchText(
        { viewer: REPOSITORY, terms: [...termsOf(text).keys()], limit },
        database,
      );
      const languages = analysis === null ? [] : queryLanguages(analysis);
      return { query, text, languages, nearest: nearest.filter(isOther), texts: matches.filter(isOther) };
    },
    /** Distances of texts that only full text found aren't measured: they are farther than all others. */
    async rank({ text, languages, nearest, texts: matches }: Found): Promise<readonly Shown[]> {
      const found = {
        query: text,
        nearest: nearest.slice(0, MAX_FOUND),
        texts: matches.slice(0, MAX_FOUND),
        measured: [],
      };
      const ids = [...new Set([...found.nearest, ...found.texts].map(({ id }) => id))];
      const rows = await readVisible(REPOSITORY, ids, database);
      return rankMemories(rows, found, {
        repositoryId: REPOSITORY,
        threshold: { own: threshold, shared: threshold },
        languages,
        categories: [],
        now: 1,
        topK: SHOWN,
      });
    },
  };
}

type Shown = MemoryRow & {
  readonly distance: number | null;
  readonly method: string;
  readonly repeats: readonly MemoryRow[];
};

function textOf({ asks }: LabelledQuery): string {
  return "text" in asks ? asks.text : "";
}

function recallOf(list: readonly number[], relevant: ReadonlySet<number>): number {
  return list.slice(0, SHOWN).filter((id) => relevant.has(id)).length / Math.min(SHOWN, relevant.size);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)) / Math.max(1, values.length - 1));
}

/** The mean, and where it is in 95 % of samples with replacement. */
function intervalOf(values: readonly number[]): string {
  const chance = createChance(7);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(values.map(() => values[chance.below(values.length)] ?? 0)),
  );
  const sorted = means.toSorted((a, b) => a - b);
  const at = (share: number): string => signed(sorted[Math.floor(share * (RESAMPLES - 1))] ?? 0);
  return `${signed(mean(values))} (95 %: ${at(0.025)} to ${at(0.975)})`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      held: { type: "boolean", default: false },
      show: { type: "string", default: "0" },
      embeddings: { type: "string", default: "local" },
      reviews: { type: "string" },
      comments: { type: "string" },
      others: { type: "string" },
    },
  });
  const { reviews, comments = null, others = null, held, show, embeddings } = values;
  if (reviews === undefined)
    throw new Error("--reviews needs the git directory of withmartian/code-review-benchmark");
  await judgeAll(
    { reviews, comments, others },
    { half: held ? "held" : "tuning", embeddings, show: Number(show) },
  );
}
