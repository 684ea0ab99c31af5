/**
 * A model provider on this machine. It implements the wire protocols of Anthropic, OpenAI and Google, answers and fails as a script
 * defines, and keeps every request, so that a test sees what a provider would have seen.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Conversation, createConversations, turnsIn } from "./conversations.ts";
import {
  type Answer,
  type AnsweredCall,
  isJson,
  type Json,
  type Protocol,
  type ProtocolName,
  type ReadRequest,
} from "./protocol.ts";
import { anthropic } from "./protocols/anthropic.ts";
import { google } from "./protocols/google.ts";
import { openaiChat } from "./protocols/openai-chat.ts";
import { openaiResponses } from "./protocols/openai-responses.ts";
import {
  DEFAULT_USAGE,
  faultOf,
  LAST_TURN,
  type ModelScript,
  type ModelTurn,
  type ScriptedCall,
  type ScriptedRequest,
  turnOf,
} from "./script.ts";
import { sendAnswer } from "./send-answer.ts";
import { CONFIRMING } from "./verifier-script.ts";

const PROTOCOLS: readonly Protocol[] = [anthropic, openaiResponses, openaiChat, google];

// Longer than any test, because a server that closes idle connections sometimes cuts an arriving request.
const KEEP_ALIVE_MS = 10 * 60_000;

const CHARS_PER_TOKEN = 4;

/** A request for an answer. */
export type ModelRequest = ScriptedRequest & {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The key in any of the headers; null for none. */
  readonly key: string | null;
  readonly body: Json;
  /** The attempt at this turn; the first is 0. */
  readonly attempt: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The outcome; null while it is being answered or stalls. */
  readonly end: () => "answered" | "faulted" | "left" | null;
  /** The number of pieces sent so far. */
  readonly sentPieces: () => number;
};

/** Any other request. */
export type OtherCall = { readonly method: string; readonly path: string; readonly status: number };

export type ModelServer = {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Other calls, such as token counting; unknown ones were answered with 404. */
  readonly otherCalls: readonly OtherCall[];
  /** Requests of models that check findings; they aren't in `requests`. */
  readonly readings: readonly ModelRequest[];
  /** Sets the script for models that check findings. Without one, they confirm everything. */
  verifier(script: ModelScript): void;
  /** Sets the script for conversations without a specific one. */
  script(script: ModelScript): void;
  /** Sets the script for conversations whose first request matches; if several match, the latest is used. */
  onConversation(isMeant: (request: ScriptedRequest) => boolean, script: ModelScript): void;
  /** Called when a request arrives, before it is answered. */
  onRequest(listener: (request: ModelRequest) => void): void;
  close(): Promise<void>;
};

async function readBody(incoming: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  const body: unknown = text === "" ? {} : JSON.parse(text);
  return isJson(body) ? body : {};
}

function keyOf(headers: IncomingHttpHeaders): string | null {
  const key =
    headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization?.replace(/^Bearer /, "");
  return typeof key === "string" ? key : null;
}

/** The offered tool that the script names: programs add a prefix to names. A tool that wasn't offered is called anyway. */
function offeredName(name: string, tools: readonly string[]): string {
  return tools.find((tool) => tool === name || tool.endsWith(`__${name}`)) ?? name;
}

function composeAnswer(turn: ModelTurn, request: ReadRequest, id: string): Answer {
  const compose = ({ name, args }: ScriptedCall, at: number): AnsweredCall => ({
    id: `call_${id}_${at}`,
    name: offeredName(name, request.tools),
    json: typeof args === "string" ? args : JSON.stringify(args),
  });
  const calls = (turn.toolCalls ?? []).map(compose);
  return {
    id,
    model: request.model,
    thinking: turn.thinking ?? "",
    text: turn.text ?? "",
    calls,
    halfCall: turn.halfCall === undefined ? null : compose(turn.halfCall, calls.length),
    usage: turn.usage === "none" ? null : { ...DEFAULT_USAGE, ...turn.usage },
    stop: turn.stop ?? (calls.length > 0 ? "calls" : "end"),
  };
}

type Rule = { readonly isMeant: (request: ScriptedRequest) => boolean; readonly script: ModelScript };

type State = {
  readonly listed: ListedModels | null;
  readonly requests: ModelRequest[];
  readonly otherCalls: OtherCall[];
  readonly rules: Rule[];
  otherwise: ModelScript;
  readonly listeners: ((request: ModelRequest) => void)[];
  readonly conversations: ReturnType<typeof createConversations>;
  readonly second: {
    readonly requests: ModelRequest[];
    readonly conversations: ReturnType<typeof createConversations>;
    script: ModelScript;
  };
};

function seen(read: ReadRequest, conversation: number): ScriptedRequest {
  const { model, system, prompt, tools, toolResults } = read;
  return { turn: turnsIn(read), conversation, model, system, prompt, tools, toolResults };
}

function chooseScript({ rules, otherwise }: State, request: ScriptedRequest): ModelScript {
  return rules.findLast(({ isMeant }) => isMeant(request))?.script ?? otherwise;
}

function countAttempt({ attempts }: Conversation, turn: number): number {
  const attempt = attempts.get(turn) ?? 0;
  attempts.set(turn, attempt + 1);
  return attempt;
}

async function answerModel(
  state: State,
  protocol: Protocol,
  exchange: { readonly incoming: IncomingMessage; readonly response: ServerResponse; readonly path: string },
): Promise<void> {
  const { incoming, response, path } = exchange;
  const body = await readBody(incoming);
  const read = protocol.read(body, path);
  const isSecond = read.tools.some((tool) => tool.endsWith("give_verdict"));
  const { conversations, requests } = isSecond ? state.second : state;
  const choose = (number: number): ModelScript =>
    isSecond ? state.second.script : chooseScript(state, seen(read, number));
  const conversation = conversations.find(read, choose);
  const view = seen(read, conversation.number);
  const attempt = countAttempt(conversation, view.turn);
  let end: ReturnType<ModelRequest["end"]> = null;
  let sentPieces = 0;
  const request: ModelRequest = {
    ...view,
    protocol: protocol.name,
    path,
    headers: incoming.headers,
    key: keyOf(incoming.headers),
    body,
    attempt,
    atMs: Date.now(),
    end: () => end,
    sentPieces: () => sentPieces,
  };
  requests.push(request);
  response.once("close", () => {
    end ??= "left";
  });
  if (!isSecond) for (const listener of state.listeners) listener(request);
  const turn = turnOf(conversation.script, view);
  const fault = faultOf(turn, attempt);
  const answer = composeAnswer(
    turn,
    read,
    `${isSecond ? "v" : ""}${conversation.number}_${view.turn}_${attempt}`,
  );
  for (const { id } of answer.calls) conversations.remember(id, conversation);
  const onPiece = (): void => void sentPieces++;
  const isWhole = await sendAnswer(response, {
    protocol,
    answer,
    turn,
    fault,
    isStream: read.isStream,
    onPiece,
  });
  if (isWhole) conversation.isBegun = true;
  // A stalled answer ends only when a side disconnects.
  if (response.writableEnded || fault?.kind === "reset" || fault?.kind === "hang-up")
    end ??= isWhole ? "answered" : "faulted";
}

async function countTokens(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(incoming);
  const tokens = Math.ceil(JSON.stringify(body).length / CHARS_PER_TOKEN);
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ input_tokens: tokens }));
}

/** The models that the provider has, and the only key that it accepts. */
export type ListedModels = { readonly names: readonly string[]; readonly key: string };

/** The list of models and the page of each, as providers have them. */
function answerModels(
  { names, key }: ListedModels,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const path = new URL(incoming.url ?? "/", "http://model").pathname;
  const wanted = /\/models\/(.+)$/.exec(path)?.[1];
  const isGoogle = path.startsWith("/v1beta/");
  const status =
    keyOf(incoming.headers) !== key
      ? isGoogle
        ? 400
        : 401
      : wanted === undefined || names.includes(wanted)
        ? 200
        : 404;
  const list = isGoogle
    ? { models: names.map((name) => ({ name: `models/${name}` })) }
    : { data: names.map((id) => ({ id })) };
  const body = status === 200 ? (wanted === undefined ? list : { id: wanted }) : { error: { message: "no" } };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Other requests of SDKs: health checks and token counting. Everything else gets 404. */
async function answerOther(
  incoming: IncomingMessage,
  response: ServerResponse,
  { path, listed }: { readonly path: string; readonly listed: ListedModels | null },
): Promise<void> {
  if (path === "/v1/messages/count_tokens") return countTokens(incoming, response);
  const isOfModels = incoming.method === "GET" && /^\/v1(?:beta)?\/models(?:\/|$)/.test(path);
  if (isOfModels && listed !== null) return answerModels(listed, incoming, response);
  if (path === "/" && incoming.method === "HEAD") return void response.writeHead(200).end();
  response
    .writeHead(404, { "content-type": "application/json" })
    .end(JSON.stringify(anthropic.refusal({ status: 404, about: "status" })));
}

async function serve(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(incoming.url ?? "/", "http://model").pathname;
  const protocol = incoming.method === "POST" ? PROTOCOLS.find(({ matches }) => matches(path)) : undefined;
  if (protocol !== undefined) return answerModel(state, protocol, { incoming, response, path });
  await answerOther(incoming, response, { path, listed: state.listed });
  state.otherCalls.push({ method: incoming.method ?? "", path, status: response.statusCode });
}

export type ModelServerOptions = {
  readonly port?: number;
  /** Left out: the server has no list of models. */
  readonly listed?: ListedModels;
};

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: State = {
    listed: options.listed ?? null,
    requests: [],
    otherCalls: [],
    rules: [],
    otherwise: [LAST_TURN],
    listeners: [],
    conversations: createConversations(),
    second: { requests: [], conversations: createConversations(), script: CONFIRMING },
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true }, (incoming, response) => {
    serve(state, incoming, response).catch((error: unknown) => {
      // A client that disconnects isn't an error, but a script that throws must be visible.
      if (incoming.socket.destroyed || response.headersSent) return void response.destroy();
      response.writeHead(500, { "content-type": "text/plain" }).end(`the script failed: ${String(error)}`);
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    readings: state.second.requests,
    verifier(script) {
      state.second.script = script;
    },
    otherCalls: state.otherCalls,
    script(script) {
      state.otherwise = script;
    },
    onConversation: (isMeant, script) => void state.rules.push({ isMeant, script }),
    onRequest: (listener) => void state.listeners.push(listener),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
