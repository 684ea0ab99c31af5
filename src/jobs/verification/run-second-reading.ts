/** One conversation in which a model tries to refute claims about one file. Each verdict is kept in the notebook as it is given. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Model, Outcome } from "../../model/model.ts";
import type { ContextSources } from "../../review/context/context.ts";
import { buildVerificationPrompt } from "../../review/prompt/verification-prompt.ts";
import { describeStopReason } from "../../review/publication/compose/describe-stop-reason.ts";
import { judgedIn, type VerifyContext } from "../../tools/give-verdict.ts";
import { createShown, type Shown } from "../../tools/shown.ts";
import type { ToolboxWords } from "../../tools/toolbox.ts";
import { VERIFY_TOOLS } from "../../tools/tools.ts";
import { talkWith } from "../conversation/talk-to-model.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ModelDeps } from "../model-review/model-review-task.ts";
import type { ModelSession } from "../model-review/model-session.ts";
import type { CheckedClaim } from "./choose-claims.ts";
import { type GatheredClaimCode, gatherClaimCode } from "./gather-claim-code.ts";

/** Reading a function, its callers and the base takes three or four. */
const MAX_TURNS = 6;

/** The review waits for it. Most verdicts take a few seconds. */
const TIMEOUT_MS = 60_000;

/** Thinking and a few calls. More would only be reserved, and keep other conversations from the budget. */
const MAX_OUTPUT_TOKENS = 8_000;

/** The name in reports and progress. */
const PASS = "second reading";

const WORDS: ToolboxWords = {
  work: "conversation",
  kept: "Verdicts that were given are kept.",
  hurry: "Time is nearly up. Call give_verdict now for each claim that is left, as unsure if you don't know.",
};

const REMINDER =
  "Not all claims have a verdict. Call give_verdict for each claim that is left, as unsure if you don't know.";

export type SecondReading = {
  readonly prepared: PreparedReview;
  readonly sources: ContextSources;
  readonly session: Omit<ModelSession, "models">;
  /** The verifiers, in the order in which they are tried. */
  readonly models: readonly [Model, ...Model[]];
  /** No other conversation is waiting for the budget's room. */
  readonly isLastTry: boolean;
  readonly deps: ModelDeps;
};

/**
 * Claims of one file. However it ends, each claim has an entry in the notebook afterwards, unless the result is "unaffordable": then the
 * other conversations had reserved the budget.
 */
export async function runSecondReading(
  claims: readonly CheckedClaim[],
  reading: SecondReading,
): Promise<"ended" | "unaffordable"> {
  const { prepared, sources, session, models, deps } = reading;
  const { notebook, guard, spending, access } = session;
  const { change, config } = prepared;
  const path = claims[0]?.judged.finding.path ?? "";
  const file = change.files.find((each) => each.path === path || each.oldPath === path) ?? null;
  const anchors = claims.map(({ judged }) => judged.anchor);
  const gathered = await gatherClaimCode(file, anchors, prepared, deps);
  const keys = claims.map(({ key }) => key);
  let turn = 0;
  const open = (model: string): VerifyContext => {
    turn = 0;
    return {
      change,
      repository: deps.repository,
      head: headOf(change),
      base: change.base,
      reader: deps.reader,
      readChecks: null,
      code: sources.codeLookup,
      guard,
      signal: deps.signal,
      notebook,
      pass: PASS,
      model,
      claims: keys,
      shown: shownInPrompt(gathered, { path, oldPath: file?.oldPath ?? path }, () => turn),
      warned: new Set(),
    };
  };
  const values: RepoConfig = config.tree.root.values;
  const ended = await talkWith(
    {
      prompt: buildVerificationPrompt({ change, path, claims: claims.map(claimOf), ...gathered }, guard),
      tools: VERIFY_TOOLS,
      open,
      config: values,
      timeoutMs: TIMEOUT_MS,
      maxTurns: MAX_TURNS,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      remind: (context) => (judgedIn(context).size < keys.length ? REMINDER : null),
      words: WORDS,
    },
    models,
    {
      now: deps.now,
      signal: deps.signal,
      spending,
      operatorPrices: access.money.operatorPrices,
      onEvent(event, { model, spentUsd: costUsd }) {
        if (event.kind === "turn") ({ turn } = event);
        const tool = event.kind === "tool" ? event.name : null;
        deps.onProgress({ kind: "model", pass: PASS, model, turn, tool, costUsd });
      },
    },
  );
  const { outcome, costUsd } = ended;
  if (outcome.stopReason.kind === "over-budget" && outcome.turns === 0 && !reading.isLastTry)
    return "unaffordable";
  await keepEnd(outcome, costUsd, { keys, reading });
  return "ended";
}

async function keepEnd(
  outcome: Outcome,
  costUsd: number | null,
  { keys, reading }: { readonly keys: readonly string[]; readonly reading: SecondReading },
): Promise<void> {
  const { session, prepared } = reading;
  const { notebook } = session;
  const judged = judgedIn({ claims: keys, notebook });
  const left = keys.filter((key) => !judged.has(key));
  await keepFailed(left, outcome.model, session);
  await notebook.append({
    kind: "outcome",
    pass: PASS,
    step: "verify",
    outcome,
    costUsd,
    files: 1,
    shownPaths: [],
    isLast: true,
  });
  for (const _ of left)
    prepared.degradations.note("second reading", `a finding is shown as found: ${whyFailed(outcome)}`);
}

/** These claims get no verdict: their findings are shown as found. */
export async function keepFailed(
  keys: readonly string[],
  model: string,
  { notebook }: Pick<ModelSession, "notebook">,
): Promise<void> {
  for (const claim of keys)
    await notebook.append({ kind: "verdict", pass: PASS, claim, verification: { verdict: "failed", model } });
}

function whyFailed({ model, kind, stopReason }: Outcome): string {
  return kind === "completed" ? `${model} gave no verdict` : `${model}, ${describeStopReason(stopReason)}`;
}

/** A verdict is about all reports of a defect, so a verifier reads what each of them says. */
function claimOf({ judged: { finding, anchor, sources = [] } }: CheckedClaim) {
  const lines = anchor === null ? null : { side: anchor.side, from: anchor.startLine, to: anchor.endLine };
  const own = new Set([finding.title, finding.body]);
  const others = sources.filter(
    ({ rule, title, body }) => rule === null && !own.has(title) && !own.has(body),
  );
  const also = others.map(
    ({ title, body }) => `Also reported here, and to be refuted only if this is wrong too: ${title}. ${body}`,
  );
  return { title: finding.title, body: [finding.body, ...also].join("\n\n"), lines };
}

/** The lines of the prompt count as read. */
function shownInPrompt(
  { code, diff }: GatheredClaimCode,
  { path, oldPath }: { readonly path: string; readonly oldPath: string },
  turn: () => number,
): Shown {
  const shown = createShown({ shownPaths: [], shownParts: [] }, turn);
  for (const { startLine, lines } of code)
    shown.noteLines(`head:${path}`, { from: startLine, to: startLine + lines.length - 1 });
  for (const { oldLine, newLine } of diff) {
    if (newLine !== null) shown.noteLines(`head:${path}`, { from: newLine, to: newLine });
    if (oldLine !== null) shown.noteLines(`base:${oldPath}`, { from: oldLine, to: oldLine });
  }
  return shown;
}
