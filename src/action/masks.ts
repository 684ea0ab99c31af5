/** Commands that make the runner hide secrets in everything that the job prints from now on. */
import { maskCommand } from "../base/workflow-command.ts";

/** Names of variables that hold a secret: `ANTHROPIC_API_KEY`, `KODIAI_MARKER_SECRET`, `GITHUB_TOKEN`. */
const SECRET_NAME = /(?:^|[_-])(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)(?:$|_)/i;

/** Hiding a shorter text would hide parts of words. */
const MIN_SECRET_CHARS = 8;

/** One line each. Values of several lines are hidden as a whole and line by line, because a log shows single lines. */
export function maskCommandsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) => {
    if (name.endsWith("_URL") || name.endsWith("_PROXY")) return passwordOf(value);
    return SECRET_NAME.test(name) && !name.endsWith("_FILE") ? [value, ...value.split(/\r?\n/)] : [];
  });
  const long = secrets.map((secret) => secret.trim()).filter((secret) => secret.length >= MIN_SECRET_CHARS);
  return [...new Set(long)].map(maskCommand);
}

/** An address may contain a password, as it was typed and as it is meant. */
function passwordOf(address: string): readonly string[] {
  const password = URL.parse(address)?.password ?? "";
  if (password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
