// Runs a script of this project on a suitable Node: `node scripts/with-node.js scripts/test.ts [ARGUMENTS]`.
import { isNodeNewEnough, startOnOwnNode } from "../bin/own-node.js";

const [script, ...args] = process.argv.slice(2);
const { href } = new URL(`../${script}`, import.meta.url);
if (!isNodeNewEnough()) await startOnOwnNode(href, args);
process.argv.splice(1, 1);
await import(href);
