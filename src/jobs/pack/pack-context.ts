/** The recipe of a context pack: the change and the code around it, in a budget of tokens. */
import { compileGlobs } from "../../base/glob.ts";
import { VERSION } from "../../version.ts";
import { comparePaths } from "../../review/analysis/triage.ts";
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type { Change } from "../../review/change/change.ts";
import { composeArtifacts } from "../../review/pack/compose-artifacts.ts";
import type { PackTarget } from "../../review/pack/context-pack.ts";
import { type AssembledPack, assembleOverBudget, assemblePack } from "../../review/pack/fit/assemble-pack.ts";
import { composeCore } from "../../review/pack/fit/compose-core.ts";
import { createLedger } from "../../review/pack/fit/create-ledger.ts";
import { rankCandidates } from "../../review/pack/rank/rank-candidates.ts";
import { namesInQuestion } from "../../review/pack/rank/rank-question.ts";
import { weighWords } from "../../review/pack/rank/rank-words.ts";
import { wordsOfChange } from "../../review/pack/rank/words-of-change.ts";
import type { CountTokens } from "../../tokenizer/tokenizer.ts";
import { createPackMask } from "../../review/pack/render/create-pack-mask.ts";
import { createDegradations, type Degradations } from "../gathering/optional.ts";
import { fitChanged } from "./fit-changed.ts";
import { type Candidate, filterCandidates, fitRelated, omitAll } from "./fit-related.ts";
import { gatherPackCode, type GatheredPackCode } from "./gather-pack-code.ts";
import { gatherPackPlaces } from "./gather-pack-places.ts";
import type { PackDeps, PackRequest, PackResult } from "./pack-request.ts";
import { createTextSource } from "./packed-texts.ts";
import { createStopwatch } from "./stage-times.ts";

/** As often as the change would have to name it to count as much. */
const NAMED_IN_QUESTION = { count: 9, files: 0 };

/** Counts are of this vocabulary. */
const TOKENIZER = "o200k_base";

export async function packContext(request: PackRequest, given: PackDeps): Promise<PackResult> {
  const stopwatch = createStopwatch(given);
  const deps = { ...given, onStage: stopwatch.onStage };
  const degradations = createDegradations(deps.signal);
  const { change } = request;
  // The places around changed code are read with a parser, which loads while git and the index are read.
  if (change.files.some(({ path, hunks }) => hunks.length > 0 && isProgramming(languageOf(path))))
    deps.reader.warm();
  // Loading the vocabulary takes about as long as git takes to list the files.
  const [code, countTokens] = await Promise.all([
    gatherPackCode(change, deps, degradations),
    deps.openTokenizer(),
  ]);
  deps.signal.throwIfAborted();
  deps.onStage({ kind: "ranking" });
  const candidates = rankFiles(request, code, degradations);
  const { pack, masked } = await fitPack(request, { code, candidates, degradations, countTokens }, deps);
  // Sorted, because parallel steps fail in any order.
  const warnings = degradations
    .list()
    .map(({ what, message }) => `${what}: ${message}`)
    .toSorted(comparePaths);
  const timings = stopwatch.stop();
  const artifacts = composeArtifacts(pack, {
    versions: { kodiai: VERSION, tokenizer: TOKENIZER },
    base: change.base,
    head: change.head,
    timings,
    warnings,
    masked,
  });
  const slow =
    code.cacheProblem === null ? [] : [`the cache of the code index couldn't be used: ${code.cacheProblem}`];
  return { pack, artifacts, timings, warnings: [...warnings, ...slow] };
}

function rankFiles(
  { change, question }: PackRequest,
  code: GatheredPackCode,
  degradations: Degradations,
): readonly Candidate[] {
  const { files, facts, graph, coChanges } = code;
  if (graph === null) degradations.note("code index", "files are ranked without imports and words");
  const ranked = rankCandidates({
    changed: change.files,
    words: wordsOfChange(change.files),
    question,
    candidates: files,
    facts,
    graph: graph ?? { dependencies: new Map(), dependents: new Map() },
    coChanges,
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  return ranked.flatMap((each) => {
    const file = byPath.get(each.path);
    return file === undefined ? [] : [{ ...file, ...each }];
  });
}

type Ranked = {
  readonly code: GatheredPackCode;
  readonly candidates: readonly Candidate[];
  readonly degradations: Degradations;
  readonly countTokens: CountTokens;
};

async function fitPack(
  { change, question, budgetTokens, include, exclude, isFilled }: PackRequest,
  { code, candidates, degradations, countTokens }: Ranked,
  deps: PackDeps,
): Promise<AssembledPack> {
  const { signal, onStage } = deps;
  const onFitted = (): void =>
    onStage({ kind: "fitting", tokens: budgetTokens - ledger.left(), budget: budgetTokens });
  const filters = { include, isExcluded: compileGlobs(exclude), attributes: code.attributes };
  const mask = createPackMask(change);
  const core = composeCore(change, filters, { mask, countTokens });
  const reasons = filterCandidates(
    candidates,
    change.files.map(({ path }) => path),
    filters,
  );
  const targets = targetsOf(change, code);
  const ledger = createLedger(budgetTokens - core.tokens, countTokens);
  onFitted();
  if (core.tokens > budgetTokens)
    return assembleOverBudget({ core, related: omitAll(candidates, reasons), targets }, budgetTokens);
  const asked = namesInQuestion(question).map((name) => [name, NAMED_IN_QUESTION] as const);
  const words = weighWords({
    words: new Map([...wordsOfChange(change.files), ...asked]),
    facts: code.facts,
    paths: code.files.map(({ path }) => path),
  });
  const { planned } = core;
  const places = await gatherPackPlaces({ change, exclude, planned }, code, deps, degradations);
  const texts = createTextSource(change, deps);
  const fitting = { ledger, mask, texts, isFilled, words, places, signal, onFitted };
  const changed = await fitChanged(core, new Map(code.files.map((file) => [file.path, file])), fitting);
  const related = await fitRelated(candidates, reasons, fitting);
  return assemblePack({ core, changed, related, targets }, { budgetTokens, countTokens });
}

function targetsOf({ files }: Change, { graph, noFacts }: GatheredPackCode): readonly PackTarget[] {
  return files.map(({ path }) => {
    const reason = noFacts.get(path);
    const isLimited = reason === "over-limit" || reason === "too-large";
    const isFailed = graph === null || reason === "failed" || reason === "unreadable";
    return {
      path,
      dependencies: graph?.dependencies.get(path)?.size ?? 0,
      dependents: graph?.dependents.get(path)?.size ?? 0,
      state: isFailed ? "index-failed" : isLimited ? "index-limits-reached" : "ok",
    };
  });
}
