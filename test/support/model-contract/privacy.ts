/** An adapter connects only to the given address and sends nothing else. */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { FINISH, record } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";

/** Records where this process connects to while `work` runs. */
async function connectionsDuring(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const hosts = new Set<string>();
  const listener = (message: unknown): void => {
    // Node documents this shape for the channel.
    const { connectParams } = message as { connectParams: { protocol: string; host: string } };
    hosts.add(`${connectParams.protocol}//${connectParams.host}`);
  };
  subscribe("undici:client:beforeConnect", listener);
  try {
    await work();
  } finally {
    unsubscribe("undici:client:beforeConnect", listener);
  }
  return hosts;
}

export const PRIVACY: readonly Behaviour[] = [
  {
    name: "nothing but the given address is contacted",
    isMain: true,
    async check({ server, run }) {
      const hosts = await connectionsDuring(() => run([record("a"), FINISH]).outcome);
      assert.ok(hosts.has(server.url));
      // Other behaviours may run at the same time, each with a provider on this machine.
      assert.deepEqual(
        [...hosts].filter((host) => !host.startsWith("http://127.0.0.1:")),
        [],
      );
      assert.deepEqual(
        server.otherCalls.filter(({ status }) => status === 404),
        [],
      );
    },
  },
];
