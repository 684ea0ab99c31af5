/** Creates changed files from texts: a real `git diff` of before and after, parsed by Kodiai. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangedFile } from "../../src/review/change/change.ts";
import { parseDiff } from "../../src/review/change/parse-diff.ts";

export type TextChange = {
  readonly path: string;
  readonly before?: string | null;
  readonly after: string | null;
};

export function diffTexts({ path, before, after }: TextChange): ChangedFile {
  const diff =
    before === undefined || before === null ? newFileDiff(path, after ?? "") : gitDiff(path, before, after);
  const [file] = parseDiff(Buffer.from(diff, "utf8").toString("latin1"));
  if (file === undefined) throw new Error(`no difference between the two texts of ${path}`);
  return file;
}

function newFileDiff(path: string, text: string): string {
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  const header = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n`;
  return `${header}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
}

function gitDiff(path: string, before: string, after: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-diff-"));
  try {
    writeFileSync(join(folder, "before"), before);
    writeFileSync(join(folder, "after"), after ?? "");
    const run = spawnSync("git", ["diff", "--no-index", "--no-color", "--no-ext-diff", "before", "after"], {
      cwd: folder,
      encoding: "utf8",
    });
    const hunks = run.stdout.slice(run.stdout.indexOf("\n@@") + 1);
    const header =
      after === null
        ? `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n`
        : `diff --git a/${path} b/${path}\n${/^index .*$/m.exec(run.stdout)?.[0]}\n--- a/${path}\n+++ b/${path}\n`;
    return header + hunks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
