/** Node's version. The program refuses an older one at its start, but other programs may load it in another way. */
import { type DoctorCheck, failure, fine } from "../check.ts";
import { isOlder } from "../versions.ts";

/** The first whose SQLite waits for a lock. As in bin/own-node.js, which an older Node must be able to run. */
export const OLDEST_NODE = "22.16";

export function createNodeCheck(version: string): DoctorCheck {
  return {
    name: "node",
    run: async () => [
      isOlder(version, OLDEST_NODE)
        ? failure("node-too-old", {
            what: `This is Node ${version}; Kodiai needs ${OLDEST_NODE} or newer.`,
            remedy: "Install Node 24.",
          })
        : fine(`Node ${version}.`),
    ],
  };
}
