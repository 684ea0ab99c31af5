/** Reviews a change of 60 files again after a fix of one line, compared with a first review of the same change. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestRepository, testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report, type Subject } from "./measure.ts";
import { installedLayout } from "./support/installed-layout.ts";
import { twentyFiles } from "./support/twenty-files.ts";

const ROUNDS = 15;

const MISTAKEN = "part-0/src/feature-1.ts";

export async function again(): Promise<void> {
  const installed = installedLayout();
  const large = testRepository();
  try {
    writeSixty(large, 1);
    large.commit("first");
    large.git("checkout", "--quiet", "-b", "feature");
    writeSixty(large, 2);
    large.commit("second");
    const entry = join(installed, "bin/kodiai.js");
    const subject = (name: string, ...options: readonly string[]): Subject => ({
      name,
      command: process.execPath,
      args: [entry, "review", ...options],
      cwd: large.path,
    });
    measure([{ ...subject("first review"), expects: /^7 findings \(7 medium\)/m }], 0);
    const memory = join(large.path, ".git/kodiai");
    cpSync(memory, `${memory}-first`, { recursive: true });
    writeQuery(large, '"select * from users where id = $1", [id]');
    large.commit("fix");
    const measured = measure(
      [
        {
          ...subject("kodiai review, 60 files, after a fix"),
          before: () => cpSync(`${memory}-first`, memory, { recursive: true }),
          // Rules read everything every time.
          expects: /60 files \(1,\d{3} added lines reviewed[^;]*;\s6\s+still\s+open;\s1\s+resolved/,
        },
        {
          ...subject("the same change without memory", "--no-memory"),
          expects: /^6 findings \(6 medium\) in 6 of 60 files/m,
        },
      ],
      ROUNDS,
    );
    report(measured);
    const [after, without] = measured;
    if (after === undefined || without === undefined) return;
    judge(LIMITS.reviewAgain, after.medianMs / without.medianMs);
  } finally {
    large.remove();
    rmSync(installed, { recursive: true, force: true });
  }
}

/** The second version has a mistake. */
function writeSixty(made: TestRepository, version: 1 | 2): void {
  for (let part = 0; part < 3; part++)
    for (const [path, text] of twentyFiles(version)) made.write(`part-${part}/${path}`, text);
  if (version === 2) writeQuery(made, "`select * from users where id = ${id}`");
}

function writeQuery(made: TestRepository, query: string): void {
  const [, text = ""] = twentyFiles(2).find(([path]) => MISTAKEN.endsWith(path)) ?? [];
  made.write(MISTAKEN, `${text}export async function find(id: string) { return db.query(${query}); }\n`);
}
