/** Reviews a change of 60 files again after a fix of one line, compared with a review of a change that is only that one line. */
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
  const [large, small] = [testRepository(), testRepository()];
  try {
    writeSixty(large, 1);
    large.commit("first");
    large.git("checkout", "--quiet", "-b", "feature");
    writeSixty(large, 2);
    large.commit("second");
    writeSixty(small, 2);
    small.commit("first");
    small.git("checkout", "--quiet", "-b", "feature");
    const entry = join(installed, "bin/kodiai.js");
    const subject = ({ path }: TestRepository, name: string): Subject => ({
      name,
      command: process.execPath,
      args: [entry, "review"],
      cwd: path,
    });
    measure([{ ...subject(large, "first review"), expects: /^1 finding \(1 /m }], 0);
    const memory = join(large.path, ".git/kodiai");
    cpSync(memory, `${memory}-first`, { recursive: true });
    for (const made of [large, small]) {
      writeQuery(made, '"select * from users where id = $1", [id]');
      made.commit("fix");
    }
    const measured = measure(
      [
        {
          ...subject(large, "kodiai review, 60 files, after a fix"),
          before: () => cpSync(`${memory}-first`, memory, { recursive: true }),
          // The line above is read again with the fixed one.
          expects: /1,\d{3} added lines: 2 reviewed[^;]*; 1 resolved/,
        },
        {
          ...subject(small, "kodiai review, only the fix"),
          before: () => rmSync(join(small.path, ".git/kodiai"), { recursive: true, force: true }),
          expects: /^No findings in 1 file \(1 added line reviewed/m,
        },
      ],
      ROUNDS,
    );
    report(measured);
    const [after, only] = measured;
    if (after === undefined || only === undefined) return;
    judge(LIMITS.reviewAgain, after.medianMs / only.medianMs);
  } finally {
    large.remove();
    small.remove();
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
