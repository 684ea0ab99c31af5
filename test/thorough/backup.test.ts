/** Backups that can't be made, going back after an upgrade, and an installation that has lost its secret. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { startApp } from "../support/app/running-app.ts";
import { AFTER, createScenario, FINDINGS } from "../support/app/scenario.ts";
import { backUp, deliveriesIn, installationOf, restore, reviewed } from "../support/backup-fixtures.ts";
import { CONFIG, FIXED_SQL, summary } from "../support/second-push-fixtures.ts";

test("an older program refuses a newer schema; a backup of before the upgrade brings it back", async (t) => {
  const scenario = await createScenario(t);
  const { folder } = scenario;
  const { path, url } = installationOf(scenario);
  const app = await scenario.start(["serve"], { DATABASE_URL: url });
  await app.stop();
  assert.equal((await backUp(scenario, url, "before.db")).code, 0);
  const database = new DatabaseSync(path);
  database.exec("insert into schema_migrations (number, name, applied_at) values (9999, 'later', 0)");
  database.close();
  await assert.rejects(
    startApp(["serve"], folder, { DATABASE_URL: url }),
    /ended with 4[\s\S]*migrated by a newer version of Kodiai[\s\S]*restore a backup from before the upgrade/,
  );
  assert.equal((await backUp(scenario, url, "newer.db")).code, 0, "a backup needs no schema");
  restore(join(folder.path, "before.db"), path);
  await scenario.start(["serve"], { DATABASE_URL: url });
});

test("a lost webhook secret repeats nothing as long as the database is there", async (t) => {
  const scenario = await createScenario(t, { config: CONFIG });
  const { fake, pullRequest } = scenario;
  const { url } = installationOf(scenario);
  // The first secret signs what is published. The fake GitHub only knows the one that comes after it.
  const app = await scenario.start(["serve"], {
    DATABASE_URL: url,
    GITHUB_WEBHOOK_SECRET: "a secret that will be lost",
    GITHUB_WEBHOOK_SECRET_PREVIOUS: fake.webhookSecret,
  });
  assert.equal(await scenario.send("opened"), 202);
  await reviewed(scenario);
  await app.stop();
  await scenario.start(["serve"], { DATABASE_URL: url });
  await fake.push(pullRequest, { ...AFTER, "src/users.ts": FIXED_SQL });
  assert.equal(await scenario.send("synchronize"), 202);
  await reviewed(scenario);
  const { comments, summaries } = scenario.published();
  assert.deepEqual([comments.length, summaries], [FINDINGS.length, 1]);
  assert.match(summary(scenario), /No new findings.*1 still open; 1 resolved/);
});

test("a backup that can't be made leaves nothing behind, and says what to do", async (t) => {
  const scenario = await createScenario(t);
  const { folder } = scenario;
  const { path, url } = installationOf(scenario);
  const app = await scenario.start(["serve"], { DATABASE_URL: url });
  await app.stop();
  writeFileSync(join(folder.path, "taken.db"), "precious");
  const refused = async (address: string, args: readonly string[], says: RegExp, code = 2): Promise<void> => {
    const names = readdirSync(folder.path);
    const result = await backUp(scenario, address, ...args);
    assert.deepEqual([result.code, result.stdout], [code, ""], result.stderr);
    assert.match(result.stderr, says);
    assert.deepEqual(readdirSync(folder.path), names);
  };
  await refused(url, [], /backup/);
  await refused(url, ["taken.db"], /taken\.db already exists\n.*--force/);
  await refused(url, ["kodiai.db", "--force"], /kodiai\.db is the database itself/);
  await refused(url, ["."], /is a folder/);
  await refused(url, ["none/backup.db"], /could not write none\/backup\.db.*\n.*folder exists/, 4);
  await refused("sqlite:none.db", ["backup.db"], /there is no database at none\.db/);
  await refused(
    "postgres://kodiai:secret@db/kodiai",
    ["kodiai.dump"],
    /PostgreSQL.*\n.*pg_dump --format=custom --file='kodiai\.dump' "\$DATABASE_URL"\n$/,
  );
  assert.equal((await backUp(scenario, url, "taken.db", "--force")).code, 0);
  assert.ok(deliveriesIn(join(folder.path, "taken.db")).size === 0);

  // A page in the middle of the file is lost.
  const whole = statSync(path).size;
  const damaged = new DatabaseSync(path);
  damaged.exec("pragma journal_mode = delete");
  damaged.close();
  truncateSync(path, whole - 8 * 4_096);
  assert.equal(existsSync(`${path}-wal`), false);
  await refused(url, ["damaged.db"], /kodiai\.db (?:is damaged|is corrupt)/, 4);
});
