/**
 * Lets a model judge which shown findings say which known answers, one request per review. Its prompts and answers are kept in the run's
 * folder, so that no review is judged and paid for twice.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { KodiaiError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import { parseJson } from "../../base/parse-json.ts";
import { printable } from "../../base/printable.ts";
import { RepoConfigSchema } from "../../config/repo-config/schema.ts";
import type { ModelAccess } from "../../jobs/model-review/model-access.ts";
import { runPaidModel } from "../../jobs/model-run/run-paid-model.ts";
import type { Model, ModelPrompt, ModelTool } from "../../model/model.ts";
import type { StopReason } from "../../model/stop-reason.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import { type AnswerJournal, openAnswerJournal } from "../run/answer-journal.ts";
import type { CaseRun, EvaluatedFinding } from "../run/case-run.ts";
import { journaledModels } from "../run/journaled-models.ts";
import type { RunCase } from "../run/run-file.ts";
import { writeDurably } from "../run/run-folder.ts";
import type { KnownAnswer } from "../set/evaluation-set.ts";
import { assign } from "./assign.ts";
import { isShown } from "./compare-case.ts";
import { figuresOf } from "./figures.ts";
import { buildJudgePrompt } from "./judge-prompt.ts";
import { matchFindings } from "./match-findings.ts";
import type { RunResults } from "./score-run.ts";
import type { JudgeScore } from "./score.ts";

/** Raised with every change of what is kept. */
const JUDGE_FORMAT = 1;

const MAX_TURNS = 3;
const DEADLINE_MS = 180_000;
const STALL_MS = 120_000;
const OVERLOAD_MS = 60_000;
const MAX_OUTPUT_TOKENS = 16_000;

/** The secret word of the fences is as long as that of a review. */
const WORD_CHARS = 24;

const Matches = z.object({
  matches: z
    .array(z.object({ answer: z.int().min(1), finding: z.int().min(1) }).readonly())
    .max(1_000)
    .readonly(),
});
type Pairs = z.infer<typeof Matches>["matches"];

const KeptJudgement = z.object({
  format: z.literal(JUDGE_FORMAT),
  model: z.string(),
  prompt: z.object({ system: z.string(), user: z.string() }),
  /** Null: the model's answer couldn't be used, so it is asked again. */
  pairs: Matches.shape.matches.nullable(),
  /** Of all requests so far; null if a price is unknown. */
  costUsd: z.number().nullable(),
});
type KeptJudgement = z.infer<typeof KeptJudgement>;

export type JudgeDeps = {
  readonly folder: string;
  readonly access: ModelAccess;
  /** The requests of `access` go through this journal from now on. */
  readonly useJournal: (journal: AnswerJournal) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, wanted: number) => void;
};

type Judgement = Pick<KeptJudgement, "pairs" | "costUsd">;

type Judged = Judgement & {
  readonly of: RunCase;
  readonly shown: readonly EvaluatedFinding[];
};

/** There is nothing to ask. */
const NOTHING: Judgement = { pairs: [], costUsd: 0 };

export async function judgeReviews(
  { run, runs }: RunResults,
  requested: string,
  deps: JudgeDeps,
): Promise<JudgeScore> {
  const cases = new Map(run.cases.map((each) => [each.id, each]));
  const reviews = runs.flatMap((each): readonly { readonly of: RunCase; readonly review: CaseRun }[] => {
    const of = cases.get(each.case);
    return of === undefined || each.failure !== null ? [] : [{ of, review: each }];
  });
  const asking = {
    ...deps,
    id: (await chooseJudge(deps.access, requested)).id,
    spending: deps.access.money.openSpending(RepoConfigSchema.parse({})),
    word: hashParts([run.salt, "judge"], WORD_CHARS),
  };
  const judged: Judged[] = [];
  for (const [at, { of, review }] of reviews.entries()) {
    deps.onProgress(at, reviews.length);
    const shown = review.findings.filter(isShown);
    const isEmpty = shown.length === 0 || of.answers.length === 0;
    const judgement = isEmpty ? NOTHING : await judgeReview(of.answers, shown, asking);
    judged.push({ of, shown, ...judgement });
  }
  return scoreJudged(judged, asking.id);
}

async function chooseJudge({ choice }: Pick<ModelAccess, "choice">, requested: string): Promise<Model> {
  const { models, problems } = await choice.choose(RepoConfigSchema.parse({}));
  const [model] = models;
  if (model !== undefined) return model;
  const why = problems.length === 0 ? "" : `: ${problems.join("; ")}`;
  throw new KodiaiError("config", `${printable(requested)} can't judge${printable(why)}`, {
    hint: "Name a model, such as --judge anthropic:claude-sonnet-4-5.",
  });
}

type Asking = JudgeDeps & {
  readonly id: string;
  readonly word: string;
  readonly spending: ReturnType<ModelAccess["money"]["openSpending"]>;
};

/** An answer is in the journal as soon as it arrives, and the judgement takes the journal's place when the model has finished. */
async function judgeReview(
  answers: readonly KnownAnswer[],
  shown: readonly EvaluatedFinding[],
  asking: Asking,
): Promise<Judgement> {
  const prompt = buildJudgePrompt(answers, shown, createGuard(asking.word));
  const name = hashParts([String(JUDGE_FORMAT), asking.id, prompt.system, prompt.user], WORD_CHARS);
  const path = join(asking.folder, "judge", `${name}.json`);
  const journalPath = join(asking.folder, "judge", `${name}.journal.jsonl`);
  const kept = existsSync(path)
    ? KeptJudgement.safeParse(parseJson(readFileSync(path, "utf8"))).data
    : undefined;
  if (kept !== undefined && kept.pairs !== null) {
    rmSync(journalPath, { force: true });
    return kept;
  }
  const journal = openAnswerJournal(journalPath, {
    admit: () => {},
    onKept: () => {},
    onChanged: () => {},
    now: asking.now,
  });
  try {
    asking.useJournal(journal);
    const model = await chooseJudge(journaledModels(asking.access, journal, asking.word).access, asking.id);
    const sizes = { answers: answers.length, findings: shown.length };
    const { pairs, hasFinished } = await ask({ prompt, model, sizes }, asking);
    const { usd, isPriced } = journal.costs();
    const earlierUsd = kept === undefined ? 0 : kept.costUsd;
    const costUsd = isPriced && earlierUsd !== null ? usd + earlierUsd : null;
    if (!hasFinished) return { pairs: null, costUsd };
    const judgement: KeptJudgement = { format: JUDGE_FORMAT, model: model.id, prompt, pairs, costUsd };
    writeDurably(path, `${JSON.stringify(judgement, null, 1)}\n`);
    rmSync(journalPath, { force: true });
    return judgement;
  } finally {
    journal.close();
  }
}

type JudgeQuestion = {
  readonly prompt: ModelPrompt;
  readonly model: Model;
  readonly sizes: { readonly answers: number; readonly findings: number };
};

/** The model's last word is what counts: a wrong call after a right one isn't a second opinion. */
async function ask(
  { prompt, model, sizes }: JudgeQuestion,
  { access, spending, now, signal }: Asking,
): Promise<{ readonly pairs: Pairs | null; readonly hasFinished: boolean }> {
  let pairs: Pairs | null = null;
  const tool: ModelTool = {
    name: "record_matches",
    description: "Records every pair of a known problem and a comment that match, by their numbers.",
    parameters: z.toJSONSchema(Matches),
    async call(args) {
      const { data } = Matches.safeParse(args);
      const isUsable =
        data?.matches.every(({ answer, finding }) => answer <= sizes.answers && finding <= sizes.findings) ===
        true;
      if (!isUsable)
        return {
          text: `Nothing was recorded. Call it with {"matches": [{"answer": 1, "finding": 1}]}: a problem from 1 to ${sizes.answers} and a comment from 1 to ${sizes.findings}.`,
          isError: true,
          ends: null,
        };
      pairs = data.matches;
      return {
        text: "Recorded.",
        isError: false,
        ends: { kind: "completed", stopReason: { kind: "finished" } },
      };
    },
  };
  const { outcome, isSent } = await runPaidModel(
    {
      model,
      task: {
        prompt,
        tools: [tool],
        strayCalls: () => ({ text: "Only record_matches exists.", isError: true, ends: null }),
        limits: {
          deadlineMs: DEADLINE_MS,
          stallMs: STALL_MS,
          overloadMs: OVERLOAD_MS,
          maxTurns: MAX_TURNS,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
        },
        onEvent: () => {},
      },
      spending,
      prices: {},
      operatorPrices: access.money.operatorPrices,
    },
    { now, signal },
  );
  const hasSpoken = isSent && outcome.turns > 0 && ITS_OWN_END.has(outcome.stopReason.kind);
  return { pairs, hasFinished: pairs !== null || hasSpoken };
}

/** Asking again continues nothing: the conversation ended because of what the model said. */
const ITS_OWN_END: ReadonlySet<StopReason["kind"]> = new Set([
  "end-of-turn",
  "refusal",
  "turn-limit",
  "output-limit",
  "empty-answer",
  "no-tool-calls",
  "not-finished",
  "malformed-tool-calls",
  "repeated-tool-calls",
  "too-many-tool-calls",
] as const);

/** One-to-one like the score by place and words, so that a comment that says two things isn't counted twice. */
function scoreJudged(all: readonly Judged[], model: string): JudgeScore {
  const judged = all.flatMap((each) => (each.pairs === null ? [] : [{ ...each, said: each.pairs }]));
  const pairs = { both: 0, onlyPlaceAndWords: 0, onlyModel: 0, neither: 0 };
  const byCase = new Map<string, { answers: number; found: number; shown: number; right: number }>();
  for (const { of, shown, said: matches } of judged) {
    const said = new Set(matches.map(({ answer, finding }) => `${answer - 1} ${finding - 1}`));
    const weights = of.answers.map((_, answer) =>
      shown.map((__, finding) => (said.has(`${answer} ${finding}`) ? 1 : 0)),
    );
    const assigned = assign(weights);
    const mechanical = new Set(
      matchFindings(of.answers, shown).map(({ answer, finding }) => `${answer} ${finding}`),
    );
    for (const [answer, row] of weights.entries())
      for (const finding of row.keys()) {
        const [byModel, byWords] = [assigned[answer] === finding, mechanical.has(`${answer} ${finding}`)];
        pairs[byModel ? (byWords ? "both" : "onlyModel") : byWords ? "onlyPlaceAndWords" : "neither"]++;
      }
    const found = assigned.filter((finding) => finding !== null).length;
    const tally = byCase.get(of.id) ?? { answers: 0, found: 0, shown: 0, right: 0 };
    byCase.set(of.id, {
      answers: tally.answers + of.answers.length,
      found: tally.found + found,
      shown: tally.shown + shown.length,
      right: tally.right + found,
    });
  }
  const costs = all.map(({ costUsd }) => costUsd);
  return {
    model,
    judged: judged.length,
    failed: all.length - judged.length,
    figures: figuresOf([...byCase.values()]),
    pairs,
    kappa: kappaOf(pairs),
    costUsd: costs.includes(null) ? null : costs.reduce<number>((sum, usd) => sum + (usd ?? 0), 0),
  };
}

/** Cohen's kappa: agreement beyond what chance gives. */
export function kappaOf({ both, onlyPlaceAndWords, onlyModel, neither }: JudgeScore["pairs"]): number | null {
  const all = both + onlyPlaceAndWords + onlyModel + neither;
  if (all === 0) return null;
  const [byWords, byModel] = [both + onlyPlaceAndWords, both + onlyModel];
  const expected = (byWords * byModel + (all - byWords) * (all - byModel)) / all ** 2;
  return expected === 1
    ? null
    : Math.round((((both + neither) / all - expected) / (1 - expected)) * 1e6) / 1e6;
}
