/** `kodiai doctor --repository` when a person or the host holds reviews back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { setPause } from "../../src/store/repositories/pauses.ts";
import { createScenario } from "../support/app/scenario.ts";
import { aboutRepository, diagnoseRepository } from "../support/doctor-fixtures.ts";

test("a person's pause, a missing installation, and one that is suspended", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  const { fake, repository, pullRequest, folder } = scenario;
  const store = await openStore(folder.environment["DATABASE_URL"] ?? "");
  t.after(() => store.close());
  const key = { repositoryId: repository.id, pullRequest: pullRequest.number };
  await setPause(key, { login: "ada", at: Date.now() }, store.database);
  const paused = aboutRepository(await diagnoseRepository(scenario, "--pr", String(pullRequest.number)));
  assert.ok(
    paused.includes("warning review: The pull request wouldn't be reviewed by itself: ada paused reviews."),
    paused.join("\n"),
  );
  fake.suspend(fake.installation);
  assert.deepEqual(aboutRepository(await diagnoseRepository(scenario)), [
    "not-checked budget: The budget of acme/shop: the app has no access to it.",
    "not-checked configuration: The configuration of acme/shop: the app has no access to it.",
    "not-checked jobs: The last job of acme/shop: the app has no access to it.",
    "not-checked review: Reviews of acme/shop: the app has no access to it.",
    "warning repository: The installation on acme is suspended, so nothing there is reviewed.",
  ]);
  fake.uninstall(fake.installation);
  const { troubles } = await diagnoseRepository(scenario);
  assert.ok(troubles.includes("failure repository repository-not-installed"), troubles.join("\n"));
});
