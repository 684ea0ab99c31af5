/** Asks a provider whether it accepts the key and has the model, without using the model: it costs nothing. */
import * as z from "zod";
import { messageOf } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { ModelProbe } from "../model-probe.ts";
import { createWatchedFetch } from "./watched-fetch.ts";
import { addressOf, type AiSdkOptions, type AiSdkProvider } from "./connect-provider.ts";

export type ProbeOptions = Pick<AiSdkOptions, "provider" | "apiKey" | "baseUrl"> & {
  /** Null for a name that isn't the provider's own: then only the key is checked. */
  readonly name: string | null;
};

/** The caller's signal limits the time. */
const NO_WATCH = { stallMs: 0, onAnswer: () => {}, onBytes: () => {} };

const ANTHROPIC_VERSION = "2023-06-01";

/** Never rejects, except with the signal's reason. */
export async function probeModel(options: ProbeOptions, signal: AbortSignal): Promise<ModelProbe> {
  const { provider, name, apiKey } = options;
  const address = addressOf(provider, options.baseUrl);
  const list = `${address}/models`;
  // It follows no redirect, which would send the key to another host.
  const watched = createWatchedFetch(new URL(address).origin, NO_WATCH);
  const ask = (url: string): Promise<Response> =>
    watched(url, { headers: headersOf(provider, apiKey), signal });
  try {
    if (name !== null && provider !== "compatible") {
      const status = await statusOf(await ask(`${list}/${encodeURIComponent(name)}`));
      if (status !== 404) return ofStatus(status, provider);
    }
    // A gateway may have the model and no page about it.
    const answer = await ask(list);
    if (!answer.ok) return ofListStatus(await statusOf(answer), provider);
    const isListed = name === null || listsModel(await answer.text(), name);
    return { kind: isListed ? "found" : "not-found" };
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error ? error.cause : undefined;
    return { kind: "no-answer", words: messageOf(cause ?? error) };
  }
}

async function statusOf(answer: Response): Promise<number> {
  await answer.body?.cancel();
  return answer.status;
}

function ofStatus(status: number, provider: AiSdkProvider): ModelProbe {
  // Google answers a wrong key with the status of an invalid request.
  const isRefused = status === 401 || status === 403 || (status === 400 && provider === "google");
  if (isRefused) return { kind: "key-refused", status };
  return status >= 200 && status < 300 ? { kind: "found" } : { kind: "failed", status };
}

function ofListStatus(status: number, provider: AiSdkProvider): ModelProbe {
  return [404, 405, 501].includes(status) ? { kind: "no-list" } : ofStatus(status, provider);
}

/** Providers write `{ "data": [{ "id" }] }`; Google writes `{ "models": [{ "name": "models/…" }] }`. */
const ModelList = z.object({
  data: z.array(z.object({ id: z.string() })).optional(),
  models: z.array(z.object({ name: z.string() })).optional(),
});

function listsModel(text: string, name: string): boolean {
  const { data: list } = ModelList.safeParse(parseJson(text));
  return (
    list?.data?.some(({ id }) => id === name) === true ||
    list?.models?.some((model) => model.name === `models/${name}`) === true
  );
}

function headersOf(provider: AiSdkProvider, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  switch (provider) {
    case "anthropic":
      return { "x-api-key": apiKey, "anthropic-version": ANTHROPIC_VERSION };
    case "google":
      return { "x-goog-api-key": apiKey };
    case "openai":
    case "compatible":
      return { authorization: `Bearer ${apiKey}` };
  }
}
