/**
 * Reports new migrations that lose data or break running code. One finding per file, on its most severe step, and one for the same
 * migration in several dialects. Tables that the change itself creates are ignored.
 */
import { count } from "../../base/count.ts";
import type { Severity } from "../../base/severity.ts";
import { createdTables, migrationSteps, type MigrationStep } from "../lines/migration-steps.ts";
import { isSample } from "../../base/path-kinds.ts";
import { bad, good, type ChangeRule, type FileView } from "../rule.ts";
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
  *check({ files }) {
    const migrations = files.filter(isNewMigration);
    const created = new Set(migrations.flatMap(({ file }) => [...createdTables(visibleLines(file))]));
    const seen = new Set<string>();
    for (const view of migrations) {
      const steps = migrationSteps(visibleLines(view.file), view.language, created);
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
  examples: {
    bad: [
      bad("migrations/004_drop.sql", 1, "DROP TABLE invoices;\n"),
      bad("db/migrations/V7__trim.sql", 2, "-- no longer used\nALTER TABLE users\n  DROP COLUMN nickname;\n"),
      bad(
        "prisma/migrations/2026_x/migration.sql",
        1,
        'ALTER TABLE "User" ADD COLUMN "team" TEXT NOT NULL;\n',
      ),
      bad("migrations/005_clear.sql", 1, "DELETE FROM sessions;\n"),
      bad(
        "db/migrate/2026_remove_nick.rb",
        3,
        "class RemoveNick < ActiveRecord::Migration[8.0]\n  def change\n    remove_column :users, :nickname, :string\n  end\nend\n",
      ),
      bad(
        "shop/migrations/0009_x.py",
        3,
        "class Migration(migrations.Migration):\n    operations = [\n        migrations.RemoveField(\n            model_name='order', name='note'),\n    ]\n",
      ),
      bad(
        "migrations/versions/ab12_x.py",
        2,
        "def upgrade():\n    op.drop_column('users', 'nickname')\n\n\ndef downgrade():\n    pass\n",
      ),
      bad(
        "database/migrations/2026_x.php",
        4,
        "<?php\nreturn new class extends Migration {\n    public function up(): void {\n        Schema::dropIfExists('invoices');\n    }\n};\n",
      ),
      bad(
        "src/migrations/17-x.ts",
        3,
        'export class X17 {\n  public async up(queryRunner: QueryRunner) {\n    await queryRunner.query(`ALTER TABLE "user" DROP COLUMN "nick"`);\n  }\n}\n',
      ),
      bad(
        "db/migrate/2026_team.rb",
        3,
        "class AddTeam < ActiveRecord::Migration[8.0]\n  def change\n    add_column :users, :team, :string, null: false\n  end\nend\n",
      ),
      bad("migrations/012_type.sql", 1, "ALTER TABLE orders ALTER COLUMN total TYPE numeric(10, 2);\n"),
    ],
    good: [
      {
        files: [
          { path: "migrations/010_a.sql", after: "CREATE TABLE scratch (id int);\n" },
          { path: "migrations/011_b.sql", after: "DROP TABLE scratch;\n" },
        ],
      },
      good(
        "migrations/001_init.sql",
        "DROP TABLE IF EXISTS users;\nCREATE TABLE users (id int);\nCREATE INDEX a ON users (id);\n",
      ),
      good("migrations/002_x.down.sql", "DROP TABLE invoices;\n"),
      good("migrations/003_x.sql", "-- +goose Up\nCREATE TABLE a (id int);\n-- +goose Down\nDROP TABLE a;\n"),
      good(
        "db/migrate/2026_x.rb",
        "class X < ActiveRecord::Migration[8.0]\n  def up\n    create_table :a\n  end\n\n  def down\n    drop_table :b\n  end\nend\n",
      ),
      good(
        "migrations/versions/cd34_x.py",
        "def upgrade():\n    op.add_column('users', sa.Column('nick'))\n\n\ndef downgrade():\n    op.drop_column('users', 'nick')\n",
      ),
      good(
        "prisma/migrations/2026_y/migration.sql",
        'CREATE TABLE "new_User" ("id" INTEGER);\nINSERT INTO "new_User" SELECT "id" FROM "User";\nDROP TABLE "User";\nALTER TABLE "new_User" RENAME TO "User";\n',
      ),
      good(
        "migrations/006_x.sql",
        "ALTER TABLE users ADD COLUMN team text NOT NULL DEFAULT '';\nDELETE FROM sessions WHERE expired;\nDELETE FROM a USING b WHERE a.id = b.id;\n",
      ),
      good(
        "db/migrate/2026_y.rb",
        "class Y < ActiveRecord::Migration[8.0]\n  def change\n    safety_assured do\n      add_column :users, :name, :string\n      remove_column :users, :nick\n    end\n  end\nend\n",
      ),
      good("sql/report.sql", "DROP TABLE scratch;\n"),
      good("test/migrations/001.sql", "DROP TABLE a;\n"),
    ],
  },
};

/** Only a new file is shown completely, with its rollback and the tables that it creates itself. */
function isNewMigration({ path, file, category, language }: FileView): boolean {
  if (file.status !== "added" || category === "test" || !LANGUAGES.has(language)) return false;
  if (!MIGRATION_FOLDER.test(path) && !FLYWAY_NAME.test(path)) return false;
  if (UNDOES.test(path) || isSample(path)) return false;
  return !visibleLines(file).some(({ text }) => HARMLESS.test(text));
}
