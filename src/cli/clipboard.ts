/** Copies text to the user's clipboard: with a program of the system, or through the terminal. */
import { spawn } from "node:child_process";
import type { TextSink } from "./command.ts";

/** In the order in which they are tried. Each exits with an error where it can't work, such as without a display. */
const PROGRAMS: readonly (readonly [name: string, ...args: readonly string[]])[] = [
  ["pbcopy"],
  ["wl-copy"],
  ["xclip", "-selection", "clipboard"],
];

/** A program that waits for a display must not hold the answer back. */
const MAX_MS = 2_000;

/** Terminals ignore longer sequences. */
const MAX_SEQUENCE_CHARS = 100_000;

/** How the text was copied; null if it wasn't. */
export async function copyText(text: string, terminal: TextSink): Promise<string | null> {
  for (const [name, ...args] of PROGRAMS) if (await pipeTo(name, args, text)) return name;
  const encoded = Buffer.from(text).toString("base64");
  if (!terminal.isTerminal || encoded.length > MAX_SEQUENCE_CHARS) return null;
  terminal.write(`\u001b]52;c;${encoded}\u0007`);
  return "the terminal";
}

function pipeTo(name: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: ["pipe", "ignore", "ignore"], timeout: MAX_MS });
    child.on("error", () => resolve(false));
    // xclip stays in the background with the text; its parent exits at once.
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
