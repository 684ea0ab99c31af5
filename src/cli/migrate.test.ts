import assert from "node:assert/strict";
import { test } from "node:test";
import type { MoveControls } from "../store/move/move-report.ts";
import type { CliDeps } from "./command.ts";
import { migrate } from "./migrate.ts";

test("on a terminal, migrate shows its current table and then clears the line", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let time = 0;
  let written = "";
  let printed = "";
  const sink = (isTerminal: boolean, write: (text: string) => void) => ({ isTerminal, columns: 80, write });
  const moveStore = async (_: string, { onProgress }: MoveControls) => {
    time = 4_000;
    onProgress("copying", "jobs", 1_000, 2_500);
    t.mock.timers.tick(200);
    return { outcome: "moved", movedAt: 1, tables: [] } as const;
  };
  const deps = {
    settings: {
      noColor: true,
      forceColor: false,
      isCi: false,
      githubActions: false,
      namesModel: false,
      gitEnvironment: {},
    },
    stdout: sink(false, (text) => void (printed += text)),
    stderr: sink(true, (text) => void (written += text)),
    signal: new AbortController().signal,
    now: () => time,
    installation: { moveStore },
  };
  // The command uses no others.
  const code = await migrate.run(
    { options: { from: "sqlite:a.db" }, lists: {}, positionals: [] },
    deps as unknown as CliDeps,
  );
  assert.equal(code, 0);
  assert.equal(written, "\r\u001b[Kcopying jobs, 1,000 of 2,500 rows, 4 s\r\u001b[K");
  assert.match(printed, /^moved 0 rows/);
});
