/** Writes an answer in its protocol, with the faults of the script. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { yieldToEventLoop } from "../../../src/base/event-loop.ts";
import type { Answer, Problem, Protocol, StreamEvent } from "./protocol.ts";
import type { Fault, ModelTurn } from "./script.ts";

export type Delivery = {
  readonly protocol: Protocol;
  readonly answer: Answer;
  readonly turn: ModelTurn;
  readonly fault: Fault | null;
  readonly isStream: boolean;
  /** Called when a piece of the answer was sent. */
  readonly onPiece: () => void;
};

const OVERFLOW: Problem = { status: 400, about: "overflow" };

function encode({ name, data }: StreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === null ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

function inBytes(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

/** Sends the answer piece by piece; stops when the client disconnects. */
async function writeEvents(
  response: ServerResponse,
  events: readonly StreamEvent[],
  { turn, onPiece }: Delivery,
): Promise<void> {
  const texts = events.map(encode);
  const pieces = turn.splitBytes === undefined ? texts : inBytes(texts.join(""), turn.splitBytes);
  for (const piece of pieces) {
    if (response.destroyed) return;
    response.write(piece);
    onPiece();
    // Waiting for the event loop sends each piece separately. Even the shortest timer takes a millisecond, for every piece.
    await (turn.pauseMs === undefined ? yieldToEventLoop() : sleep(turn.pauseMs));
  }
}

function refuse(
  response: ServerResponse,
  protocol: Protocol,
  problem: Problem,
  retryAfterSeconds?: number,
): void {
  const headers = {
    "content-type": "application/json",
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  };
  response.writeHead(problem.status, headers).end(JSON.stringify(protocol.refusal(problem)));
}

/** Applies a fault in the middle of a stream; returns false if the answer continues. */
async function breakOff(response: ServerResponse, protocol: Protocol, fault: Fault | null): Promise<boolean> {
  switch (fault?.kind) {
    case "stall":
      return true;
    case "reset":
      while (fault.after?.() === false && !response.destroyed) await sleep(5);
      response.socket?.resetAndDestroy();
      return true;
    case "cut":
      response.end();
      return true;
    case "error-event":
      response.end(encode(protocol.errorEvent(fault.isOverloaded ?? false)));
      return true;
    default:
      return false;
  }
}

/** Returns true if the whole answer was sent. */
export async function sendAnswer(response: ServerResponse, delivery: Delivery): Promise<boolean> {
  const { protocol, answer, fault } = delivery;
  if (fault?.kind === "silence") return false;
  if (fault?.kind === "hang-up") {
    response.socket?.resetAndDestroy();
    return false;
  }
  if (fault?.kind === "context-overflow") {
    refuse(response, protocol, OVERFLOW);
    return false;
  }
  if (fault?.kind === "no-credit") {
    refuse(response, protocol, { status: protocol.noCreditStatus, about: "no-credit" });
    return false;
  }
  if (fault?.kind === "status") {
    const { status, words, retryAfterSeconds } = fault;
    refuse(
      response,
      protocol,
      { status, about: "status", ...(words !== undefined && { words }) },
      retryAfterSeconds,
    );
    return false;
  }
  if (!delivery.isStream && protocol.whole !== null && fault === null) {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(protocol.whole(answer)));
    return true;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  const { opening, content, half, closing } = protocol.stream(answer);
  await writeEvents(response, [...opening, ...content, ...(fault === null ? [] : half)], delivery);
  if (await breakOff(response, protocol, fault)) return false;
  await writeEvents(response, closing, delivery);
  response.end();
  return true;
}
