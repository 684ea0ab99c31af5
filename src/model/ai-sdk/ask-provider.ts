/** One call to the provider: sent, read to its end or to where it is cut off, and counted either way. */
import type { Exchange } from "../exchange.ts";
import type { ModelTask, ModelTool, Tokens } from "../model.ts";
import { classifyFailure, type Failure, LOST } from "./classify-failure.ts";
import type { AiSdkOptions, ProviderConnection } from "./connect-provider.ts";
import type { ProviderConversation } from "./conversation.ts";
import { countRequestTokens } from "./count-tokens.ts";
import { composeDemands, type Demands } from "./demands.ts";
import type { CallOptions, Fetch, ProviderOptions } from "./language-model.ts";
import { type Answer, type CallTool, createAnswer, readAnswer } from "./read-answer.ts";
import { createWatchedFetch } from "./watched-fetch.ts";
import type { RunWatch } from "./watch.ts";

export type Asking = Demands & {
  readonly model: Pick<AiSdkOptions, "provider" | "name" | "exchange">;
  readonly connection: ProviderConnection;
  readonly stallMs: number;
  readonly tools: readonly ModelTool[];
  readonly callTool: CallTool;
  readonly strayCalls: ModelTask["strayCalls"];
  readonly onPiece: NonNullable<ModelTask["onPiece"]>;
  readonly onArguments: NonNullable<ModelTask["onArguments"]>;
  /** Called after a call that may have cost something. */
  readonly onCalled: (spent: Tokens, isAnswered: boolean) => void;
  /** Called with the content of an answer, even if it was cut off. */
  readonly onSaid: (content: Answer["content"]) => void;
};

export type ProviderAttempt = {
  readonly answer: Answer;
  /** Null: the answer is complete, or a tool has ended the run. */
  readonly failure: Failure | null;
};

function toolsOf(tools: readonly ModelTool[]): NonNullable<CallOptions["tools"]> {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    // Both are JSON Schema; only the SDK's type names the keywords.
    inputSchema: parameters as Extract<
      NonNullable<CallOptions["tools"]>[number],
      { type: "function" }
    >["inputSchema"],
  }));
}

/** An answer without a finish reason was cut off. */
function failureOf({ finish }: Answer): Failure | null {
  return finish === null || finish.finishReason.unified === "interrupted" ? LOST : null;
}

/** Throws only the reason of `watch`. */
export async function askProvider(
  asking: Asking,
  conversation: ProviderConversation,
  watch: RunWatch,
): Promise<ProviderAttempt> {
  const { connection } = asking;
  const demanded = composeDemands(asking.model, asking);
  const answer = createAnswer();
  let isAnswered = false;
  const onAnswer = (): void => {
    isAnswered = true;
    watch.touch();
  };
  const fetch = withExchange(
    createWatchedFetch(connection.origin, {
      stallMs: asking.stallMs,
      onAnswer,
      onBytes: () => watch.touch(),
    }),
    asking.model.exchange,
    onAnswer,
  );
  watch.touch();
  try {
    const call = connection.open(fetch).doStream({
      // A run without tools is one call, which nothing reads from a cache.
      prompt: conversation.messages(asking.tools.length === 0 ? null : connection.cacheMark),
      tools: toolsOf(asking.tools),
      ...demanded,
      providerOptions: mergeOptions(connection.callOptions, demanded.providerOptions ?? {}),
      abortSignal: watch.signal,
    });
    const { stream } = await watch.race(call);
    await readAnswer(stream, answer, { ...asking, watch });
    return { answer, failure: answer.ends === null ? failureOf(answer) : null };
  } catch (error) {
    if (watch.cause() === "aborted") throw error;
    if (answer.ends !== null) return { answer, failure: null };
    if (watch.cause() !== null) throw error;
    return { answer, failure: classifyFailure(error, Date.now()) };
  } finally {
    watch.rest();
    asking.onSaid(answer.content);
    // A rejected call or one that never arrived costs nothing. A call that we aborted may.
    if (isAnswered || watch.cause() !== null) {
      const size = { input: conversation.size(), output: answer.size };
      asking.onCalled(countRequestTokens(answer.finish?.usage ?? null, size), isAnswered);
    }
  }
}

/** A kept answer is an answer too. */
function withExchange(real: Fetch, exchange: Exchange | undefined, onAnswer: () => void): Fetch {
  if (exchange === undefined) return real;
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (typeof init?.body !== "string") throw new TypeError("requests to providers are JSON");
    const request = { path: `${pathname}${search}`, body: init.body };
    const response = await exchange(request, () => real(input, init));
    if (response.ok) onAnswer();
    return response;
  };
}

/** Where both set an option of a provider, the second wins. */
function mergeOptions(one: ProviderOptions, other: ProviderOptions): ProviderOptions {
  const providers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...providers].map((name) => [name, { ...one[name], ...other[name] }]));
}
