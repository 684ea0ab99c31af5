/** Asks a model what one reply says about its finding: one short conversation, within the budgets. */
import * as z from "zod";
import { stripControls } from "../../base/hidden-characters.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { REPLY_SCOPES, type ReplyReading } from "../../memory/feedback.ts";
import { quotable } from "../../memory/quotable.ts";
import type { Model, ModelTool } from "../../model/model.ts";
import { stopCode } from "../../model/stop-code.ts";
import {
  buildReplyPrompt,
  MAX_REPLY_REASON_CHARS,
  type ReplyFacts,
} from "../../review/prompt/reply-prompt.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import { toStorableText } from "../../store/database.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { runPaidModel } from "../model-run/run-paid-model.ts";

/** One call, and one correction of it. */
const MAX_TURNS = 2;

/** A sentence, and the thinking before it. */
const MAX_OUTPUT_TOKENS = 2_000;

const LIMITS = { deadlineMs: 60_000, stallMs: 30_000, overloadMs: 20_000 };

/** Models count badly, so a longer sentence is cut, not refused. */
const MAX_TAKEN_CHARS = 4_000;

const Recorded = z.object({
  verdict: z.enum(["disagrees", "agrees", "neither"]),
  reason: z.string().max(MAX_TAKEN_CHARS).default(""),
  scope: z.enum(REPLY_SCOPES).default("finding"),
});

type Understood = Pick<ReplyReading, "reason" | "scope"> & {
  readonly verdict: NonNullable<ReplyReading["verdict"]>;
};

export type AskedAboutReply =
  | { readonly kind: "understood"; readonly reading: Understood }
  /** The budgets didn't allow it, so nothing was sent. */
  | { readonly kind: "unaffordable" }
  | { readonly kind: "no-answer"; readonly reason: string };

export type ReplyQuestion = {
  readonly facts: ReplyFacts;
  readonly model: Model;
  readonly access: Pick<ModelAccess, "money" | "randomWord">;
  readonly config: RepoConfig;
};

export async function askAboutReply(
  { facts, model, access, config }: ReplyQuestion,
  deps: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<AskedAboutReply> {
  const guard = createGuard(access.randomWord());
  let reading: Understood | null = null;
  const tool: ModelTool = {
    name: "record_reply",
    description: "Records what the reply says about the finding. Call it once.",
    parameters: z.toJSONSchema(Recorded, { io: "input" }),
    async call(args) {
      const { data } = Recorded.safeParse(args);
      if (data === undefined)
        return {
          text: 'Nothing was recorded. Call it with {"verdict": "neither"}, or with a verdict, a reason and a scope.',
          isError: true,
          ends: null,
        };
      reading = {
        ...data,
        reason: data.verdict === "disagrees" ? cleanReason(guard.unfence(data.reason)) : "",
      };
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
        prompt: buildReplyPrompt(facts, guard),
        tools: [tool],
        strayCalls: () => ({ text: "Only record_reply exists.", isError: true, ends: null }),
        limits: { ...LIMITS, maxTurns: MAX_TURNS, maxOutputTokens: MAX_OUTPUT_TOKENS },
        onEvent: () => {},
      },
      spending: access.money.openSpending(config),
      prices: config.prices,
      operatorPrices: access.money.operatorPrices,
    },
    deps,
  );
  if (!isSent) return { kind: "unaffordable" };
  return reading === null
    ? { kind: "no-answer", reason: stopCode(outcome.stopReason) }
    : { kind: "understood", reading };
}

/** One line without quotes and credentials: it goes into a learning. */
function cleanReason(given: string): string {
  return toStorableText(quotable(maskCredentials(stripControls(given)), MAX_REPLY_REASON_CHARS));
}
