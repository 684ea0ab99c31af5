/** The words that end a review in pi: the message in the session, and what went wrong. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunEnd } from "./run-kodiai.ts";

/** kodiai's own exit code for a change that is larger than the budget, or an answer that was cut off. */
const INCOMPLETE = 3;

const FINDINGS = 1;

/** The last messages say why it ended. Progress comes before. */
const PROBLEM_LINES = 6;

/** kodiai's messages and their hints. Other lines on standard error are the model's reasoning. */
const MESSAGE = /^(?:kodiai: | {2}\S)/;

type EndedRun = Exclude<RunEnd, { readonly kind: "not-started" }>;

/** Null when the review is complete. */
export function describeEnd(end: EndedRun, folder: string): string | null {
  if (end.kind === "stopped") return "The deep review was stopped.";
  if (end.code === 0 || end.code === FINDINGS) return null;
  const what = end.code === INCOMPLETE ? "The deep review is incomplete." : "The deep review failed.";
  const files = new Set(readdirSync(folder));
  const messages = end.problem.split("\n").filter((line) => MESSAGE.test(line) && !files.has(line.trim()));
  return [what, ...messages.slice(-PROBLEM_LINES)].join("\n");
}

export function describeMissing(command: string, { code, message }: NodeJS.ErrnoException): string {
  return code === "ENOENT"
    ? `kodiai isn't installed: "${command}" wasn't found. docs/installing.md says how to install it; or set KODIAI_COMMAND to its path.`
    : `kodiai couldn't be started: ${message}`;
}

/** Null when there is neither an answer nor a file. */
export function composeMessage(
  { answer }: EndedRun,
  outcome: string | null,
  { question, folder }: { readonly question: string; readonly folder: string },
): string | null {
  const links = linkFiles(folder);
  if (answer.trim() === "" && links === "") return null;
  return [`**Deep review:** ${question}`, outcome, answer.trim(), links]
    .filter((part) => part !== null && part !== "")
    .join("\n\n");
}

function linkFiles(folder: string): string {
  const names = readdirSync(folder).sort();
  const links = names.map((name) => `[${name}](${pathToFileURL(join(folder, name)).href})`);
  return links.length === 0 ? "" : `Files: ${links.join(" · ")}`;
}
