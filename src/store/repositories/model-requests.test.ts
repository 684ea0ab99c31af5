import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  deleteModelRequestsBefore,
  type ModelRequest,
  readModelRequests,
  saveModelRequest,
} from "./model-requests.ts";

const REQUEST: ModelRequest = {
  runId: 5_000_000_001,
  repositoryId: 5_000_000_002,
  pullRequest: 7,
  jobId: 5_000_000_003,
  login: "mallory",
  requesterClass: "stranger",
  outcome: "granted",
  at: 100,
};

for (const engine of ENGINES) {
  test(`${engine.name}: a run counts once, a granted request stays granted, and old requests are deleted`, () =>
    withStore(engine, async ({ database }) => {
      const { repositoryId, pullRequest } = REQUEST;
      const since = (sinceMs: number) => readModelRequests({ repositoryId, pullRequest, sinceMs }, database);
      const refused = { ...REQUEST, runId: 2, outcome: "refused" as const, at: 200 };
      await saveModelRequest(refused, database);
      await saveModelRequest(REQUEST, database);
      await saveModelRequest({ ...REQUEST, outcome: "refused", at: 300 }, database);
      await saveModelRequest({ ...REQUEST, runId: 3, pullRequest: 8 }, database);
      assert.deepEqual(await since(0), [REQUEST, refused]);
      assert.deepEqual(await since(100), [refused]);
      const answered = { ...refused, outcome: "answered" as const, at: 250 };
      await saveModelRequest(answered, database);
      assert.deepEqual(await since(100), [answered]);
      await deleteModelRequestsBefore(200, database);
      assert.deepEqual(await since(0), [answered]);
    }));
}
