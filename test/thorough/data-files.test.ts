/** Configuration that is too large to be read stops a commit, as source does. */
import { test } from "node:test";
import { JSON_TEXT, stageWithHook } from "../support/data-file-fixtures.ts";

test("the documented hook stops configuration that it couldn't read", async (t) => {
  const { assertStopped } = stageWithHook(t, {});
  for (const path of ["package.json", "config/tsconfig.json", ".github/workflows/ci.yml"])
    assertStopped(path, JSON_TEXT);
});
