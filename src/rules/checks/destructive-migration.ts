/**
 * Reports new migrations that lose data or break running code. One finding per file, on its most severe step, and one for the same
 * migration in several dialects. Tables that the change itself creates are ignored.
 */
import { count } from "../../base/count.ts";
import type { Severity } from "../../base/severity.ts";
import type { Change } from "../../review/change/change.ts";
import { createdTables, migrationSteps, type MigrationStep } from "../lines/migration-steps.ts";
import { isSample } from "../../base/path-kinds.ts";
import type { ChangeRule, FileView } from "../rule.ts";
import { visibleLines } from "../lines/visible-lines.ts";

const MIGRATION_FOLDER = /(?:^|\/)(?:db\/migrate|migrations?|alembic\/versions|flyway|liquibase)\//i;
const FLYWAY_NAME = /(?:^|\/)V\d[\d._]{0,30}__[\w.-]{1,200}\.sql$/;
const UNDOES = /(?:^|[/._-])(?:down|rollback|undo|revert)(?:[/._-])|(?:^|\/)U\d[\d._]*__/i;
const LANGUAGES: ReadonlySet<string> = new Set([
  "sql",
  "ruby",
  "python",
  "php",
  "javascript",
  "typescript",
  "csharp",
]);
/** Operations that change only the framework's state, or steps that the author marked as safe the framework's way. */
const HARMLESS = /SeparateDatabaseAndState|state_operations|\bsafety_assured\b/;

const STEPS: Readonly<
  Record<
    MigrationStep["kind"],
    { readonly does: string; readonly severity: Severity; readonly title: string }
  >
> = {
  "drop-database": {
    does: "drops the schema",
    severity: "major",
    title: "Migration drops a schema or database",
  },
  "drop-table": { does: "drops the table", severity: "medium", title: "Migration drops a table" },
  "drop-column": { does: "drops the column", severity: "medium", title: "Migration drops a column" },
  "empty-table": {
    does: "empties the table",
    severity: "major",
    title: "Migration deletes all rows of a table",
  },
  rename: {
    does: "renames",
    severity: "medium",
    title: "Migration renames a column or table that running code uses",
  },
  "required-column": {
    does: "adds the NOT NULL column",
    severity: "major",
    title: "Migration adds a NOT NULL column without a default",
  },
  "type-change": {
    does: "changes the type of",
    severity: "medium",
    title: "Migration changes a column's type, which rewrites the table",
  },
};

export const destructiveMigration: ChangeRule = {
  kind: "change",
  id: "destructive-migration",
  title: "Migration deletes data or breaks running code",
  severity: "major",
  category: "reliability",
  why: "During the rollout, the version that's still running fails on the missing or changed part. Rolling back the code doesn't restore deleted data.",
  fix: "First release code that doesn't depend on it and back up the data, then run this step in a later migration.",
  *check({ change, files }) {
    const stated = statedRemovals(change);
    const migrations = files.filter(isNewMigration);
    const created = new Set(migrations.flatMap(({ file }) => [...createdTables(visibleLines(file))]));
    const seen = new Set<string>();
    for (const view of migrations) {
      const steps = migrationSteps(visibleLines(view.file), view.language, created).filter(
        (step) => !isStated(step, stated),
      );
      const worst = steps.find(({ kind }) => STEPS[kind].severity === "major") ?? steps[0];
      // The same migration for another database adds nothing.
      const signature = steps.map(({ kind, target }) => `${kind} ${target}`.toLowerCase()).join("\n");
      if (seen.has(signature)) continue;
      seen.add(signature);
      if (worst === undefined) continue;
      const { does, severity, title } = STEPS[worst.kind];
      const target = worst.target === "" ? "" : ` \`${worst.target}\``;
      const more = steps.length === 1 ? "" : `; the file has ${count(steps.length - 1, "more such step")}`;
      yield {
        path: view.path,
        line: worst.line,
        title,
        severity,
        ...(target + more === "" ? {} : { detail: `It ${does}${target}${more}.` }),
      };
    }
  },
};

const REMOVAL =
  /\b(?:remov|drop|delet|purg|clean(?:s|ed|ing)? ?up|rid\b|retir|renam|unus|obsolet|truncat|clear)\w*/i;

/** The sentences of the title and the commits' subjects that say that something goes. */
function statedRemovals({ title, commits }: Change): readonly string[] {
  return [title, ...commits.map(({ subject }) => subject)].filter((text) => REMOVAL.test(text));
}

/** Words of a name: "userSettings" and "user_settings" both are "user" and "setting". */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z\d]{3,}/g) ?? [];
  return words.map((word) => word.replace(/(?<=.{2})e?s?$/, ""));
}

/** Whether the author says that this step's column or table goes. A step that breaks running code otherwise isn't one. */
function isStated({ kind, target }: MigrationStep, stated: readonly string[]): boolean {
  if (kind === "required-column" || kind === "type-change") return false;
  const named = wordsOf(target.slice(target.lastIndexOf(".") + 1));
  return (
    named.length > 0 &&
    stated.some((text) => {
      const said = new Set(wordsOf(text));
      return named.every((word) => said.has(word));
    })
  );
}

/** Only a new file is shown completely, with its rollback and the tables that it creates itself. */
function isNewMigration({ path, file, category, language }: FileView): boolean {
  if (file.status !== "added" || category === "test" || !LANGUAGES.has(language)) return false;
  if (!MIGRATION_FOLDER.test(path) && !FLYWAY_NAME.test(path)) return false;
  if (UNDOES.test(path) || isSample(path)) return false;
  return !visibleLines(file).some(({ text }) => HARMLESS.test(text));
}
