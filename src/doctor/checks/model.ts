/** The model that reviews by default: whether it can be loaded, its key, its name and its price. Only a call proves that it answers. */
import type { Model, ModelLimits, ModelTask, Outcome } from "../../model/model.ts";
import type { ModelProbe } from "../../model/model-probe.ts";
import type { NoModelReason } from "../../model/no-model-reason.ts";
import { grouped } from "../../base/count.ts";
import { describeStopReason } from "../../review/publication/compose/describe-stop-reason.ts";
import {
  adviceOf,
  type CheckFinding,
  type DoctorCheck,
  failure,
  fine,
  notChecked,
  unknown,
  warning,
} from "../check.ts";

/** The model that the settings choose for a review. */
export type ChosenModel =
  | { readonly kind: "none"; readonly reason: NoModelReason; readonly problems: readonly string[] }
  /** The settings of models are invalid, which their own check reports. */
  | { readonly kind: "invalid-settings" }
  | {
      readonly kind: "model";
      readonly id: string;
      /** Why other models that were named can't be used. */
      readonly problems: readonly string[];
      readonly price: "known" | "unknown" | "unknown-with-budget";
      /** Throws a KodiaiError if the model can't be loaded. */
      readonly load: () => Promise<Model>;
      /** Null if the credentials can't be checked without a call. */
      readonly probe: ((signal: AbortSignal) => Promise<ModelProbe>) | null;
    };

export type ModelCheckOptions = {
  /** `--call-model`. */
  readonly mayCall: boolean;
};

export function createModelCheck(
  choose: () => Promise<ChosenModel>,
  { mayCall }: ModelCheckOptions,
): DoctorCheck {
  return {
    name: "model",
    async run(signal) {
      const chosen = await choose();
      if (chosen.kind === "invalid-settings")
        return [
          unknown("setting-invalid", {
            what: "The model couldn't be checked, because settings of models are invalid.",
            remedy: "Correct the settings that this report lists.",
          }),
        ];
      const problems = chosen.problems.map((problem) =>
        failure("model-unusable", {
          what: `A model can't be used: ${problem}.`,
          remedy: "Correct KODIAI_MODEL or set the key. See docs/models.md.",
        }),
      );
      if (chosen.kind === "none") return problems.length > 0 ? problems : [describeNone(chosen.reason)];
      return [...problems, ...(await judgeModel(chosen, { mayCall, signal }))];
    },
  };
}

function describeNone(reason: NoModelReason): CheckFinding {
  return notChecked(
    reason === "switched-off"
      ? "Models are switched off. The built-in rules and linters review."
      : "No model is configured. The built-in rules and linters review. See docs/models.md.",
  );
}

type Chosen = Extract<ChosenModel, { readonly kind: "model" }>;
type Running = ModelCheckOptions & { readonly signal: AbortSignal };

async function judgeModel(chosen: Chosen, { mayCall, signal }: Running): Promise<readonly CheckFinding[]> {
  let model: Model;
  try {
    model = await chosen.load();
  } catch (error) {
    return [failure("model-unusable", adviceOf(error))];
  }
  const price = judgePrice(chosen);
  if (mayCall) return [...price, await callModel(model, signal)];
  const { id, probe } = chosen;
  if (probe === null)
    return [...price, notChecked(`Whether the key for ${id} is accepted: only --call-model can check it.`)];
  return [...price, judgeProbe(id, await probe(signal))];
}

function judgePrice({ id, price }: Chosen): readonly CheckFinding[] {
  if (price === "known") return [];
  const remedy = "Set its price in KODIAI_PRICES. See docs/models.md.";
  return price === "unknown-with-budget"
    ? [
        failure("model-price-unknown", {
          what: `A budget is set, but the price of ${id} is unknown, so it isn't used.`,
          remedy,
        }),
      ]
    : [
        warning("model-price-unknown", {
          what: `The price of ${id} is unknown, so its tokens are limited instead of its cost.`,
          remedy,
        }),
      ];
}

function judgeProbe(id: string, probe: ModelProbe): CheckFinding {
  switch (probe.kind) {
    case "found":
      return fine(`The provider accepts the key and has ${id}. --call-model also lets it answer.`);
    case "not-found":
      return failure("model-not-found", {
        what: `The provider accepts the key but has no model ${id}.`,
        remedy: "Correct KODIAI_MODEL. docs/models.md lists models with known prices.",
      });
    case "key-refused":
      return failure("model-key-refused", {
        what: `The provider of ${id} refused the key with HTTP ${probe.status}.`,
        remedy: "Set a valid key. The names of the variables are in docs/models.md.",
      });
    case "no-list":
      return notChecked(`Whether the server has ${id}: it doesn't list its models. Use --call-model.`);
    case "failed":
      return unknown("host-unreachable", {
        what: `The provider of ${id} answered with HTTP ${probe.status}, so the key couldn't be checked.`,
        remedy: "Try again later, or use --call-model.",
      });
    case "no-answer":
      return unknown("host-unreachable", {
        what: `The provider of ${id} didn't answer: ${probe.words}.`,
        remedy: "Check the network, the proxy and the URL of the provider.",
      });
  }
}

/** A model that thinks first uses a few hundred tokens to say one word. */
const CALL_LIMITS: ModelLimits = {
  deadlineMs: 25_000,
  stallMs: 25_000,
  overloadMs: 5_000,
  maxTurns: 1,
  maxOutputTokens: 512,
};

async function callModel(model: Model, signal: AbortSignal): Promise<CheckFinding> {
  const task: ModelTask = {
    prompt: { system: "Answer with one word.", user: "Say: ready" },
    tools: [],
    strayCalls: () => ({ text: "There are no tools.", isError: true, ends: NO_TOOLS }),
    limits: CALL_LIMITS,
    meter: { admit: async ({ outputTokens }) => outputTokens, add: () => {} },
    onEvent: () => {},
  };
  const outcome = await model.run(task, signal);
  const { input, output } = outcome.tokens;
  if (hasAnswered(outcome))
    return fine(`${model.id} answered, with ${grouped(input)} input and ${grouped(output)} output tokens.`);
  const { stopReason } = outcome;
  const isRefused = stopReason.kind === "http-error" && [401, 403].includes(stopReason.status);
  const isMissing = stopReason.kind === "http-error" && stopReason.status === 404;
  const trouble = isRefused ? "model-key-refused" : isMissing ? "model-not-found" : "model-call-failed";
  return failure(trouble, {
    what: `The call of ${model.id} failed: ${describeStopReason(stopReason)}.`,
    remedy: "Check the key, the name of the model and the account at the provider. See docs/models.md.",
  });
}

const NO_TOOLS = { kind: "failed", stopReason: { kind: "malformed-tool-calls" } } as const;

/** A model that spent all its tokens on thinking has answered too. */
function hasAnswered({ kind, stopReason }: Outcome): boolean {
  return kind === "completed" || stopReason.kind === "output-limit" || stopReason.kind === "empty-answer";
}
