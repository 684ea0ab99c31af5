import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import { loadAppIdentity } from "./load-app-identity.ts";

test("GitHub is asked until it has told the app's name", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "text", write: (line) => lines.push(line), now: () => 0 });
  let asked = 0;
  const forge = {
    async checkCredentials() {
      if (++asked < 3) throw new KodiaiError("network", "no answer", { hint: "Wait." });
      return { slug: "reviewer" };
    },
  };
  const introduction = loadAppIdentity({ forge, log });
  t.after(() => introduction.stop());
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  for (const expected of [1, 2]) {
    await settle();
    assert.deepEqual([asked, introduction.isNameKnown(), lines.length], [expected, false, expected]);
    t.mock.timers.tick(60_000);
  }
  await settle();
  assert.deepEqual([asked, introduction.isNameKnown(), lines.length], [3, true, 2]);
  assert.match(lines[0] ?? "", /GitHub refused error="no answer\. Wait\."/);
});
