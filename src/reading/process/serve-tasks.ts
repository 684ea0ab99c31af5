/** The reader process's side: performs what the parent sends, one task after the other, and ends with the parent. */
import { messageOf } from "../../base/errors.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { performTask, type TaskTools } from "../perform-task.ts";
import type { AnswerMessage, TaskMessage } from "./messages.ts";

export function serveTasks(tools: TaskTools): void {
  let last: Promise<void> = Promise.resolve();
  // A terminal or a supervisor signals every process it knows. The parent decides when this one ends.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => {
    // Only the parent can send, and it sends nothing else.
    last = last.then(() => perform(message as TaskMessage, tools));
  });
  send({ kind: "ready" });
}

async function perform({ task, takes }: TaskMessage, tools: TaskTools): Promise<void> {
  try {
    send({ kind: "read", value: await performTask(task, takes, tools) });
  } catch (error) {
    // The memory is still taken, and the next task would fail for it. The parent starts another process.
    if (isOutOfMemory(error)) process.abort();
    send({ kind: "failed", message: messageOf(error) });
  }
  // Trees are freed only when the event loop turns.
  await yieldToEventLoop();
}

/** What Node throws when the system refuses memory; V8's own heap ends the process by itself. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocat/i.test(error.message);
}

function send(message: AnswerMessage): void {
  process.send?.(message);
}
