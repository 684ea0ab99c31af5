/** Reads settings from the environment and a `.env` file. One error lists every problem. */
import { KodiaiError } from "../base/errors.ts";

export type SettingsSource = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of `.env`; null if there is no such file. */
  readonly dotEnv: string | null;
  /** Reads the file that a setting names; null if it can't be read. */
  readonly readText: (path: string) => string | null;
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

/** `howToGet` has an instruction for each setting that may be missing. */
export function createSettingsReader(
  { environment, dotEnv, onProblem }: SettingsSource,
  howToGet: Readonly<Record<string, string>> = {},
): SettingsReader {
  // Most runs have no such file and don't need to load its parser.
  const file = dotEnv === null ? {} : process.getBuiltinModule("node:util").parseEnv(dotEnv);
  const problems: string[] = [];
  const text = (name: string): string | null => {
    const value = environment[name] ?? file[name];
    return value === undefined || value.trim() === "" ? null : value.trim();
  };
  const addProblem = (name: string, message: string): void => {
    const how = howToGet[name];
    onProblem?.({ name, message, howToGet: how ?? null });
    problems.push(`${name} ${message}${how === undefined ? "" : `\n    ${how}`}`);
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
      const url = URL.parse(value);
      const isUsable =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        [url.username, url.password, url.search, url.hash].every((part) => part === "");
      if (!isUsable) addProblem(name, message);
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
