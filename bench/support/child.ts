/** Starts a script of this folder as a process that answers each message with one. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type Child<Sent, Answer> = {
  /** One message at a time. */
  send(message: Sent): Promise<Answer>;
  stop(): void;
};

export function startChild<Sent extends object, Answer>(script: string): Child<Sent, Answer> {
  // Vectors aren't JSON.
  const child = fork(join(import.meta.dirname, script), { serialization: "advanced" });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${script} has ended`);
  });
  // Nothing waits for it while no message is sent.
  ended.catch(() => {});
  return {
    async send(message) {
      child.send(message);
      const [answer] = await Promise.race([once(child, "message"), ended]);
      // The script sends nothing else.
      return answer as Answer;
    },
    stop: () => void child.kill(),
  };
}
