/** Backing up an installation on SQLite under load, and restoring it as docs/deployment.md describes it. */
import assert from "node:assert/strict";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AFTER, createScenario, FINDINGS } from "../support/app/scenario.ts";
import { backUp, deliveriesIn, installationOf, restore, reviewed } from "../support/backup-fixtures.ts";
import { eventually } from "../support/eventually.ts";
import { CONFIG, FIXED_SQL, summary } from "../support/second-push-fixtures.ts";

const UNDER_WAY = 20;

test("a backup under load has every acknowledged delivery, and what is restored from it repeats nothing", async (t) => {
  const scenario = await createScenario(t, { config: CONFIG });
  const { fake, pullRequest, folder } = scenario;
  const { path, url } = installationOf(scenario);
  const app = await scenario.start(["serve"], { DATABASE_URL: url });
  assert.equal(await scenario.send("opened"), 202);
  await reviewed(scenario);

  const load = { isOver: false, acknowledged: 0 };
  const loaded = (async () => {
    while (!load.isOver) if ((await scenario.send("labeled")) === 202) load.acknowledged += 1;
  })();
  await eventually("load", () => load.acknowledged > UNDER_WAY);
  const before = deliveriesIn(path);
  const backup = join(folder.path, "backup.db");
  const { code, stdout, stderr } = await backUp(scenario, url, "backup.db");
  load.isOver = true;
  await loaded;
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^wrote backup\.db, \d+\.\d MB, checked\nwrote backup-telemetry\.db, .* checked\n$/);
  const kept = deliveriesIn(backup);
  assert.deepEqual(
    [...before].filter((id) => !kept.has(id)),
    [],
  );
  assert.ok(
    before.size > UNDER_WAY && deliveriesIn(path).size > before.size,
    "it was written during the backup",
  );
  assert.equal(statSync(backup).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.startsWith("backup")),
    ["backup-telemetry.db", "backup.db"],
  );

  // A crash takes the database with it.
  app.kill("SIGKILL");
  await app.ended;
  truncateSync(path, 100);
  restore(backup, path);
  await scenario.start(["serve"], { DATABASE_URL: url });
  await fake.push(pullRequest, { ...AFTER, "src/users.ts": FIXED_SQL });
  assert.equal(await scenario.send("synchronize"), 202);
  await reviewed(scenario);
  assert.deepEqual(
    scenario.published().comments.map((each) => each.split(":")[0]),
    FINDINGS.map((each) => each.path),
  );
  assert.match(summary(scenario), /No new findings.*1 still open; 1 resolved/);
  scenario.check();
});
