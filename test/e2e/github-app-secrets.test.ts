/** Where credentials are while a review runs and after it: nowhere but in memory and on the way to GitHub. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import type { Database } from "../../src/store/database.ts";

/** Which of these texts are in the files below a folder. */
function foundIn(folder: string, secrets: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return [];
    const text = readFileSync(path, "latin1");
    return secrets
      .filter((secret) => text.includes(secret))
      .map((secret) => `${name}: ${secret.slice(0, 8)}`);
  });
}

/** Which of these texts are in a database that isn't a file. */
async function foundInTables(database: Database, secrets: readonly string[]): Promise<readonly string[]> {
  if (database.dialect.name === "sqlite") return [];
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  assert.ok(tables.some(({ name }) => name === "public.deliveries"));
  const leaks: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`select held::text as text from ${name} as held`);
    const text = rows.map((row) => row.text).join("\n");
    for (const secret of secrets) if (text.includes(secret)) leaks.push(`${name}: ${secret.slice(0, 8)}`);
  }
  return leaks;
}

/** Arguments and environment of every process but this one, as the system shows them to anybody who may look. */
function processTexts(): readonly {
  readonly pid: string;
  readonly args: string;
  readonly environment: string;
}[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.flatMap((pid) => {
    try {
      const [args, environment] = ["cmdline", "environ"].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, "latin1"),
      );
      return [{ pid, args: args ?? "", environment: environment ?? "" }];
    } catch {
      // The process has exited, or belongs to another user.
      return [];
    }
  });
}

test("[P2] [P5] no token in arguments, environments, git configuration, logs, database or files", async (openScenario) => {
  const scenario = await openScenario({ isPrivate: true });
  const { fake, folder } = scenario;
  const leaks: string[] = [];
  let looks = 0;
  const look = (): void => {
    looks++;
    const tokens = fake.tokens.map(({ value }) => value);
    assert.ok(tokens.length > 0);
    for (const { pid, args, environment } of processTexts()) {
      for (const token of tokens) {
        if (args.includes(token)) leaks.push(`arguments of ${pid}: ${args}`);
        if (environment.includes(token)) leaks.push(`environment of ${pid}`);
      }
      // Git reads what the repository holds: it must not even see the key that tokens are minted with.
      const isGit = /(?:^|\/)git/.test(args.split("\0")[0] ?? "");
      if (isGit && args.includes(folder.path) && /GITHUB_(?:PRIVATE_KEY|WEBHOOK_SECRET)/.test(environment))
        leaks.push(`key in the environment of ${args}`);
    }
    leaks.push(...foundIn(folder.path, tokens));
  };
  fake.onRequest("git/upload-pack", look);
  fake.onRequest("pulls/create-review", look);
  const app = await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  await app.stop();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  assert.ok(looks >= 2, "the fetch and the review were looked at");
  const secrets = [
    ...fake.tokens.map(({ value }) => value),
    fake.webhookSecret,
    fake.privateKeyPem.slice(40, 100),
  ];
  leaks.push(...foundIn(folder.path, secrets), ...(await foundInTables(scenario.database, secrets)));
  for (const secret of secrets) if (app.output().includes(secret)) leaks.push(`logs: ${secret.slice(0, 8)}`);
  assert.deepEqual(leaks, []);
  // One repository each, never more than was needed, and none that still works.
  const minted = fake.tokens.map(({ permissions, repositoryIds }) => ({ permissions, repositoryIds }));
  const forReview = minted.filter(({ repositoryIds }) => repositoryIds !== null);
  assert.deepEqual(forReview, [
    {
      permissions: { contents: "read", pull_requests: "read", metadata: "read" },
      repositoryIds: [scenario.repository.id],
    },
    {
      permissions: { checks: "write", pull_requests: "write", metadata: "read" },
      repositoryIds: [scenario.repository.id],
    },
  ]);
  scenario.check({ tokensRevoked: true });
});
