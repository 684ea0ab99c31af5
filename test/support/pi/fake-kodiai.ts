/** A program in place of `kodiai`, for tests of what an agent shows: its question decides what it does. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE = `
const { spawn } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const folder = args[args.indexOf("--out") + 1];
const write = (name, text) => writeFileSync(folder + "/" + name, text);
write("metadata.json", JSON.stringify(args));
const stay = () => setInterval(() => {}, 1000);
process.stderr.write("kodiai: packing: 3 of 7 files\\n");
switch (args.at(-1)) {
  case "fails":
    process.stderr.write("I think that it fails.\\nkodiai: no complete answer\\n  Try again.\\nkodiai: kept\\n  metadata.json\\n");
    process.exit(4);
  case "stops when asked":
    process.stdout.write("The first half");
    process.on("SIGINT", () => { write("answer.md", "The first half"); process.exit(130); });
    stay();
    break;
  case "never stops":
    process.on("SIGINT", () => {});
    write("child.txt", String(spawn(process.execPath, ["-e", "process.on('SIGINT',()=>{});setInterval(()=>{},1e3)"], { stdio: "inherit" }).pid));
    process.stdout.write("Still here");
    stay();
    break;
  default:
    write("answer.md", "# Two callers");
    process.stdout.write("# Two \\u001b[31mcallers\\u001b[0m\\n\\nnaïve");
    write("report.md", "report");
}
`;

export function fakeKodiai(folder: string): string {
  const path = join(folder, "fake-kodiai.cjs");
  writeFileSync(path, `#!${process.execPath}\n${SOURCE}`);
  chmodSync(path, 0o755);
  return path;
}
