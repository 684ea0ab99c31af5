/**
 * Reads settings from the environment and a `.env` file. A secret can also be in a file that `NAME_FILE` names. One error lists every
 * problem, and never shows a value.
 */
import { KodiaiError } from "../base/errors.ts";
import { parsePlainAddress } from "../base/plain-address.ts";
import { printable } from "../base/printable.ts";

export type SettingsSource = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of `.env`; null if there is no such file. */
  readonly dotEnv: string | null;
  /** Reads the file that a setting names; null if it can't be read. Of a larger file, some bytes more than the limit. */
  readonly readText: (path: string, maxBytes: number) => string | null;
  /** Called for each problem, before the error that lists them all. Left out: only the error reports them. */
  readonly onProblem?: (problem: SettingProblem) => void;
};

export type SettingProblem = {
  readonly name: string;
  /** Follows the name: "is not set". */
  readonly message: string;
  /** How to get a value; null for settings that need no instruction. */
  readonly howToGet: string | null;
};

export type SettingsReader = {
  text(name: string): string | null;
  /** Whether the value comes from `.env` instead of the environment. */
  isFromFile(name: string): boolean;
  number(
    name: string,
    fallback: number | null,
    limits: { readonly min: number; readonly max: number },
  ): number;
  /** An amount in US dollars; null if not set. */
  usd(name: string): number | null;
  /** URL of a service, without a trailing slash; null if not set. `message` follows the name if it's invalid. */
  url(name: string, message?: string): string | null;
  choice<Value extends string>(name: string, choices: readonly Value[]): Value | null;
  addProblem(name: string, message: string): void;
  /** Throws if there is a problem. */
  throwIfInvalid(): void;
};

/** Settings that hold a credential, by the end of their names, so that a new one has a `_FILE` form too. URLs can contain a password. */
const SECRET = /_(?:KEY|TOKEN|SECRET|SECRET_PREVIOUS)$|^DATABASE_URL$|^HTTPS?_PROXY$/;

/** The longest secret is a private key, of a few KiB. A larger file is a wrong path. */
export const MAX_SECRET_BYTES = 64 * 1024;

/** `howToGet` has an instruction for each setting that may be missing. */
export function createSettingsReader(
  { environment, dotEnv, readText, onProblem }: SettingsSource,
  howToGet: Readonly<Record<string, string>> = {},
): SettingsReader {
  // Most runs have no such file and don't need to load its parser.
  const file = dotEnv === null ? {} : process.getBuiltinModule("node:util").parseEnv(dotEnv);
  const problems: string[] = [];
  const addProblem = (name: string, message: string): void => {
    const how = howToGet[name];
    onProblem?.({ name, message, howToGet: how ?? null });
    problems.push(`${name} ${message}${how === undefined ? "" : `\n    ${how}`}`);
  };
  const readSecretFile = (name: string, value: string | null): string | null => {
    const fileName = `${name}_FILE`;
    // The file of a checkout must not decide which files of the machine Kodiai reads.
    if (environment[fileName] === undefined && file[fileName] !== undefined)
      addProblem(fileName, "is set in .env; set it in the environment, or set the value itself in .env");
    const path = environment[fileName]?.trim() ?? "";
    if (path === "") return value;
    const secret = value === null ? readText(path, MAX_SECRET_BYTES) : null;
    const problem =
      value !== null
        ? `and ${name} are both set; remove one`
        : secret === null
          ? "can't be read; check that the file exists and that Kodiai may read it"
          : Buffer.byteLength(secret) > MAX_SECRET_BYTES
            ? `is larger than ${MAX_SECRET_BYTES / 1024} KiB, so it isn't a secret`
            : secret.trim() === ""
              ? "is empty"
              : null;
    if (problem === null) return secret?.trim() ?? null;
    addProblem(fileName, value === null ? `(${printable(path)}) ${problem}` : problem);
    return null;
  };
  const read = new Map<string, string | null>();
  const text = (name: string): string | null => {
    const known = read.get(name);
    if (known !== undefined) return known;
    const said = (environment[name] ?? file[name])?.trim() ?? "";
    const given = said === "" ? null : said;
    const value = SECRET.test(name) ? readSecretFile(name, given) : given;
    read.set(name, value);
    return value;
  };
  return {
    text,
    isFromFile: (name) => environment[name] === undefined && file[name] !== undefined,
    addProblem,
    number(name, fallback, { min, max }) {
      const value = text(name);
      if (value === null) {
        if (fallback === null) addProblem(name, "is not set");
        return fallback ?? 0;
      }
      const number = Number(value);
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      addProblem(name, `must be a whole number from ${min} to ${max}`);
      return min;
    },
    usd(name) {
      const value = text(name);
      if (value === null) return null;
      const amount = Number(value);
      if (Number.isFinite(amount) && amount >= 0) return amount;
      addProblem(name, "must be an amount in US dollars, such as 2.50, or none");
      return 0;
    },
    url(name, message = "must be a URL such as https://models.example.org/v1") {
      const value = text(name);
      if (value === null) return null;
      if (parsePlainAddress(value) === null) addProblem(name, message);
      return value.replace(/\/+$/, "");
    },
    choice(name, choices) {
      const value = text(name);
      const chosen = choices.find((choice) => choice === value);
      if (value !== null && chosen === undefined) addProblem(name, `must be one of ${choices.join(", ")}`);
      return chosen ?? null;
    },
    throwIfInvalid() {
      if (problems.length === 0) return;
      throw new KodiaiError("config", `invalid settings:\n  ${problems.join("\n  ")}`, {
        hint: "Set them in the environment. `kodiai serve` and `kodiai worker` also read a file named .env. See docs/github-app.md and docs/models.md.",
      });
    },
  };
}
