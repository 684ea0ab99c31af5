/** A server on loopback with the API of Voyage and OpenAI: words are hashed to dimensions. It records what it gets and can misbehave. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Cleanup, startServer } from "./local-server.ts";

export type EmbeddingsCall = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
};

/** Writes the answer itself. */
export type Misbehaviour = (response: ServerResponse, call: EmbeddingsCall) => void | Promise<void>;

export type EmbeddingsServer = {
  readonly url: string;
  readonly calls: readonly EmbeddingsCall[];
  /** Null: it works. */
  misbehaves: Misbehaviour | null;
  dimensions: number;
};

export async function startEmbeddingsServer(t: Cleanup): Promise<EmbeddingsServer> {
  const calls: EmbeddingsCall[] = [];
  const { port } = await startServer(t, (request, response) => {
    const answer = async (): Promise<void> => {
      const sent = await text(request);
      const body = JSON.parse(sent) as Readonly<Record<string, unknown>>;
      const texts = body["input"] as readonly string[];
      const call = { path: request.url ?? "", headers: request.headers, body, texts };
      calls.push(call);
      if (server.misbehaves === null) answerJson(response, embeddingsAnswer(texts, server.dimensions));
      else await server.misbehaves(response, call);
    };
    void answer();
  });
  const server: EmbeddingsServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    misbehaves: null,
    dimensions: 64,
  };
  return server;
}

export function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** In reverse: the order of the texts is only in `index`. */
export function embeddingsAnswer(texts: readonly string[], dimensions: number): object {
  const data = texts.map((each, index) => ({
    object: "embedding",
    index,
    embedding: embedByWords(each, dimensions),
  }));
  return { object: "list", data: data.reverse(), model: "m", usage: { total_tokens: 1 } };
}

export function embedByWords(given: string, dimensions: number): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of given.split(/\W+/)) {
    let hash = 7;
    for (const char of word) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  return vector;
}
