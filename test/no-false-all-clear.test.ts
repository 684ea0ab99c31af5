/** Memory never decides, and a check that couldn't run never passes: the law that spans all of them, on random histories. */
import { test } from "node:test";
import * as fc from "fast-check";
import { appDoor, commandLineDoor, type Door } from "./support/all-clear/doors.ts";
import { checkHistory } from "./support/all-clear/law.ts";
import { isAll } from "./support/extent.ts";
import { histories, type NamedStep } from "./support/all-clear/world.ts";
import { ENGINES, withStore } from "./support/queue-contract/engines.ts";

/** Together with those of both engines, five, and with KODIAI_TEST_ALL a hundred. `node bench/run.ts all-clear` runs thousands. */
const COMMAND_LINE_HISTORIES = isAll ? 50 : 3;
const APP_HISTORIES = isAll ? 25 : 1;

async function holds(openDoor: () => Promise<Door>, numRuns: number): Promise<void> {
  const describe = (history: readonly (readonly NamedStep[])[]): string =>
    history.map((each) => each.map(({ name }) => name).join(" + ")).join(" → ");
  const property = fc.asyncProperty(histories, async (history) => {
    try {
      await checkHistory(history, await openDoor());
    } catch (error) {
      throw new Error(describe(history), { cause: error });
    }
  });
  // `npm run mutate` only wants to know whether it fails, and looking for the shortest history takes minutes.
  await fc.assert(property, { numRuns, endOnFailure: process.env["KODIAI_TEST_IMPATIENT"] === "1" });
}

test("on the command line, the open findings are those of a review without memory", () =>
  holds(commandLineDoor, COMMAND_LINE_HISTORIES));

for (const engine of ENGINES) {
  test(`in the App on ${engine.name}, the open findings are those of a review without memory`, () =>
    withStore(engine, ({ database }) => holds(async () => appDoor(engine.name, database), APP_HISTORIES)));
}
