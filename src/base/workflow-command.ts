/** Workflow commands of GitHub Actions: lines of a log that the runner obeys. Text of others can neither start one nor end its own. */
import { printable } from "./printable.ts";

/** Later parts of a longer message are cut, because GitHub collapses it. */
const MAX_MESSAGE_CHARS = 4_000;

/** One line, without its line break. Properties are in the given order. */
export function workflowCommand(
  name: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const list = Object.entries(properties)
    .map(([key, value]) => `${key}=${escapeProperty(value)}`)
    .join(",");
  return `::${name} ${list}::${escapeMessage(cutMessage(message))}`;
}

/** The runner hides this text in all later output of the job, and this line too. It must be the exact text. */
export function maskCommand(secret: string): string {
  const escaped = secret.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::add-mask::${escaped}`;
}

/** Text for a log that is no command, whatever it contains: `::` begins one at the start of a line, and `##[` anywhere. */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}

function cutMessage(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS)} …`;
}

/** Percent comes first, because the other escapes contain it. */
function escapeMessage(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => printable(line).replaceAll("%", "%25"))
    .join("%0A");
}

function escapeProperty(text: string): string {
  return printable(text).replaceAll("%", "%25").replaceAll(":", "%3A").replaceAll(",", "%2C");
}
