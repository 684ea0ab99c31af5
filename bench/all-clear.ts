/**
 * The law of test/no-false-all-clear.test.ts on thousands of random histories, through the command line's memory and the App's database.
 *
 *     node bench/all-clear.ts [--histories N] [--seed N]
 */
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { appDoor, commandLineDoor } from "../test/support/all-clear/doors.ts";
import { checkHistory } from "../test/support/all-clear/law.ts";
import { histories } from "../test/support/all-clear/world.ts";
import { engineNamed, withStore } from "../test/support/queue-contract/engines.ts";

const DEFAULTS = { histories: 2_000, seed: 20_261_118 };

/** On request: it takes about half a second for each history. */
export async function allClear({ histories: number, seed } = DEFAULTS): Promise<void> {
  await withStore(engineNamed("sqlite"), async ({ database }) => {
    let checked = 0;
    const property = fc.asyncProperty(histories, fc.boolean(), async (history, isApp) => {
      await checkHistory(history, isApp ? appDoor("sqlite", database) : await commandLineDoor());
      if (++checked % 100 === 0) console.log(`${checked} of ${number} histories`);
    });
    await fc.assert(property, { numRuns: number, seed });
    console.log(`all-clear: ${number} histories, 0 broke the law (seed ${seed})`);
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { histories: { type: "string" }, seed: { type: "string" } } });
  await allClear({
    histories: Number(values.histories ?? DEFAULTS.histories),
    seed: Number(values.seed ?? DEFAULTS.seed),
  });
}
