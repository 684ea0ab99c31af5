/** The folders of one run of the agent program: new, empty, its own, and gone afterwards. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Workplace = {
  readonly home: string;
  readonly temporary: string;
  /** Where it works, and where it looks for programs: nothing is ever in it. */
  readonly empty: string;
  readonly remove: () => Promise<void>;
};

// A program that was just killed may have left a write in flight.
const REMOVE_TRIES = 5;

export async function createWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), "kodiai-agent-"));
  const workplace = {
    home: join(folder, "home"),
    temporary: join(folder, "tmp"),
    empty: join(folder, "empty"),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES }),
  };
  for (const path of [workplace.home, workplace.temporary, workplace.empty]) await mkdir(path);
  return workplace;
}
