/** Sets variables in the text of a `.env` file, and leaves its other lines and comments as they are. */
import { parseEnv } from "node:util";
import { KodiaiError } from "../../base/errors.ts";

/** An assignment with its whole value, which can have several lines if it is quoted. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*(?:\n|$)/gm;

/** Values that need no quotes, neither here nor in other readers of such files, such as Docker and systemd. */
const PLAIN = /^[\w+/=.:@%-]*$/;

/** Null removes a variable. Throws if the text isn't one that it can change without changing something else. */
export function setVariables(text: string, values: Readonly<Record<string, string | null>>): string {
  const isWritten = new Set<string>();
  const changed = text.replaceAll(ASSIGNMENT, (line, name: string) => {
    const value = values[name];
    if (value === undefined) return line;
    if (value === null || isWritten.has(name)) return "";
    isWritten.add(name);
    return lineOf(name, value);
  });
  const added = Object.entries(values).map(([name, value]) =>
    value === null || isWritten.has(name) ? "" : lineOf(name, value),
  );
  const gap = changed === "" || changed.endsWith("\n") ? "" : "\n";
  const result = `${changed}${gap}${added.join("")}`;
  requireSame(parseEnv(result), { ...parseEnv(text), ...values });
  return result;
}

function lineOf(name: string, value: string): string {
  return `${name}=${PLAIN.test(value) ? value : `'${value}'`}\n`;
}

/** Proves with Node's own parser that exactly the given variables have changed. */
function requireSame(
  found: Readonly<Record<string, string | undefined>>,
  wanted: Readonly<Record<string, string | null | undefined>>,
): void {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  for (const name of names) {
    if ((found[name] ?? null) === (wanted[name] ?? null)) continue;
    throw new KodiaiError("config", `${name} can't be set in this file without changing another line`, {
      hint: "Check the quotes in the file, or choose another one with --settings.",
    });
  }
}
