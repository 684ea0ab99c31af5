import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { openStore, telemetryPathOf } from "./store.ts";

test("[P13] knowledge and telemetry are two files, and each commit of knowledge waits for the disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-store-"));
  try {
    const store = await openStore(`sqlite:${join(folder, "data", "kodiai.db")}`);
    const synchronous = async (database: typeof store.database) =>
      (await database.transaction((sql) => sql.query("pragma synchronous")))[0]?.["synchronous"];
    assert.equal(await synchronous(store.database), 2);
    assert.equal(await synchronous(store.telemetry), 1);
    assert.deepEqual(await store.database.query("select id from runs"), []);
    assert.deepEqual(await store.telemetry.query("select id from executions"), []);
    await store.close();
    assert.ok(existsSync(join(folder, "data", "kodiai-telemetry.db")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the telemetry file is in the same folder as the main one", () => {
  const expected = [
    ["data/kodiai.db", "data/kodiai-telemetry.db"],
    ["./data/kodiai.db", "./data/kodiai-telemetry.db"],
    ["/var/lib/kodiai", "/var/lib/kodiai-telemetry"],
    ["a.b/c.d.sqlite", "a.b/c.d-telemetry.sqlite"],
  ] as const;
  for (const [path, telemetry] of expected) assert.equal(telemetryPathOf(path), telemetry);
});

test("an unsupported address is refused with the supported forms and isn't repeated", async () => {
  for (const url of [
    "mysql://user:secret@host/db",
    "postgres:user:secret@host/db",
    "postgres://user:secret@host:port/db",
    "data/kodiai.db",
    "sqlite:",
    "sqlite::memory:",
    "sqlite:file:x.db?mode=memory",
    "",
  ]) {
    await assert.rejects(openStore(url), (error) => {
      assert.ok(error instanceof KodiaiError);
      assert.equal(error.code, "config");
      assert.match(error.hint, /sqlite:PATH|postgres:\/\/USER/);
      assert.doesNotMatch(error.message + error.hint, /secret/);
      return true;
    });
  }
});

test("a command that only reads fails on a missing database and creates nothing", async () => {
  await assert.rejects(
    openStore("sqlite:never-made.db", { mustExist: true }),
    (error) =>
      error instanceof KodiaiError && error.code === "config" && /never-made\.db/.test(error.message),
  );
  assert.ok(!existsSync("never-made.db"));
});
