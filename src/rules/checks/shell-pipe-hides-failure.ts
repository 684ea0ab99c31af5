/** A pipe whose first command can fail unseen: a backup that is cut off, or tests whose output goes through `tee`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import {
  commandName,
  commandOf,
  hasPipefail,
  lastOfPipe,
  stopsAtErrors,
} from "../syntax/shell-statements.ts";

const DUMP =
  /^(?:pg_dump|pg_dumpall|pg_basebackup|mysqldump|mariadb-dump|mongodump|innobackupex|xtrabackup)$/;
const KEEPS = /^(?:gzip|pigz|bzip2|xz|zstd|lz4|openssl|gpg|age|split|aws|gsutil|ssh|tee|cat)$/;
/** Commands whose failure must stop a release. */
const TESTS =
  /^(?:(?:npm|yarn|pnpm|bun) (?:test|run|ci|build|publish)|make|pytest|tox|nox|go (?:test|build|vet)|cargo (?:test|build|clippy)|mvn|\.\/mvnw|gradle|\.\/gradlew|dotnet (?:test|build|publish)|bundle exec|rspec|phpunit|vendor\/bin\/phpunit|ctest|cmake|terraform (?:plan|apply)|ansible-playbook|docker (?:build|push)|helm (?:install|upgrade)|kubectl apply|alembic|python -m (?:pytest|unittest)|python3 -m (?:pytest|unittest))\b/;

/** The first command of the pipe, also behind `docker exec … ` or `sudo`. */
function firstCommand(pipeline: SyntaxNode): SyntaxNode | null {
  return commandOf(pipeline.namedChildren()[0] ?? null);
}

function dumpOf(command: SyntaxNode): string | null {
  const words = command.namedChildren().map((word) => word.text());
  const isWrapped = /^(?:sudo|docker|docker-compose|kubectl|podman|nice|ionice|env|time)$/.test(
    words[0] ?? "",
  );
  return (
    (isWrapped ? words : words.filter((word) => !/^\w+=/.test(word)).slice(0, 1)).find((word) =>
      DUMP.test(word),
    ) ?? null
  );
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null || hasPipefail(lines)) return;
  for (const pipeline of root.findAll({ rule: { kind: "pipeline" } })) {
    const first = firstCommand(pipeline);
    const last = commandName(lastOfPipe(pipeline));
    if (first === null || !KEEPS.test(last)) continue;
    const dump = dumpOf(first);
    const { line } = linesOf(pipeline);
    if (dump !== null)
      yield {
        line,
        title: `Hidden failure: if ${nameOr(dump, "the dump")} fails, a broken backup is kept`,
      };
    else if (
      last === "tee" &&
      stopsAtErrors(lines, line) &&
      TESTS.test(first.text().replace(/^(?:sudo|time) /, ""))
    )
      yield { line, title: "Hidden failure: the script goes on when the command before `| tee` fails" };
  }
}

export const shellPipeHidesFailure: TreeRule = {
  kind: "tree",
  id: "shell-pipe-hides-failure",
  title: "Hidden failure of the first command of a pipe",
  severity: "major",
  category: "reliability",
  why: "The status of a pipe is the status of its last command. Without `pipefail`, `set -e` and `$?` don't see that the first one failed.",
  fix: "Add `set -o pipefail` at the start of the script, or write to a file first and check the status.",
  languages: ["bash"],
  inTests: false,
  trigger: /\|/,
  check,
  examples: {
    bad: [
      bad("backup.sh", 3, "#!/bin/bash\nset -e\npg_dump app | gzip > app.sql.gz\n"),
      bad("backup.sh", 2, "#!/bin/bash\ndocker exec db mysqldump shop | gzip > shop.sql.gz\n"),
      bad("release.sh", 3, "#!/bin/bash\nset -e\nnpm test 2>&1 | tee test.log\nnpm publish\n"),
    ],
    good: [
      good("backup.sh", "#!/bin/bash\nset -eo pipefail\npg_dump app | gzip > app.sql.gz\n"),
      good("backup.sh", "#!/bin/bash\nset -e\npg_dump app > app.sql\ngzip app.sql\n"),
      good("release.sh", "#!/bin/bash\nset -e\nnpm run list | grep name\necho x | tee a.txt\n"),
      good("release.sh", "#!/bin/bash\nmake | tee log\n"),
    ],
  },
};
