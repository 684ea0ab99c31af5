import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import { loadAppIdentity } from "./load-app-identity.ts";

test("the app's identity is requested until GitHub answers", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "text", write: (line) => lines.push(line), now: () => 0 });
  let requests = 0;
  const forge = {
    async checkCredentials() {
      if (++requests < 3) throw new KodiaiError("network", "no answer", { hint: "Wait." });
      return { slug: "reviewer" };
    },
  };
  const identity = loadAppIdentity({ forge, log });
  t.after(() => identity.stop());
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  for (const expected of [1, 2]) {
    await settle();
    assert.deepEqual([requests, identity.isNameKnown(), lines.length], [expected, false, expected]);
    t.mock.timers.tick(60_000);
  }
  await settle();
  assert.deepEqual([requests, identity.isNameKnown(), lines.length], [3, true, 2]);
  assert.match(lines[0] ?? "", /could not load the app's identity from GitHub error="no answer\. Wait\."/);
});
