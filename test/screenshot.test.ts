/** `npm run screenshot` on a machine without a browser. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";

test("without Chromium, the screenshot says what it needs", () => {
  const script = join(dirname(import.meta.dirname), "scripts/screenshot.ts");
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH: "", CHROMIUM: "/nowhere/chromium" },
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /^The screenshot needs Chromium\. Install it .*, or set CHROMIUM to its path\.\n$/);
});
