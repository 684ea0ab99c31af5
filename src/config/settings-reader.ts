/** Reads settings from the environment and a `.env` file. Everything that is wrong is said in one message. */
import { KodiaiError } from "../base/errors.ts";

export type SettingsSource = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of `.env`; null when there is none. */
  readonly dotEnv: string | null;
  /** Reads a file that a setting names; null when it cannot be read. */
  readonly readText: (path: string) => string | null;
};

export type SettingsReader = {
  text(name: string): string | null;
  /** Whether the value comes from `.env` and not from the environment. */
  isFromFile(name: string): boolean;
  number(
    name: string,
    fallback: number | null,
    limits: { readonly min: number; readonly max: number },
  ): number;
  /** An amount in US dollars; null when it is not set. */
  usd(name: string): number | null;
  /** Address of a service, without a slash at its end; null when it is not set. */
  url(name: string, says?: string): string | null;
  choice<Value extends string>(name: string, choices: readonly Value[]): Value | null;
  wrong(name: string, message: string): void;
  /** Throws when something was wrong. */
  refuse(): void;
};

/** `howToGet` says for each setting that may be missing where it comes from. */
export function createSettingsReader(
  { environment, dotEnv }: SettingsSource,
  howToGet: Readonly<Record<string, string>> = {},
): SettingsReader {
  // Most have no such file, and need not load what reads it.
  const file = dotEnv === null ? {} : process.getBuiltinModule("node:util").parseEnv(dotEnv);
  const problems: string[] = [];
  const text = (name: string): string | null => {
    const value = environment[name] ?? file[name];
    return value === undefined || value.trim() === "" ? null : value.trim();
  };
  const wrong = (name: string, message: string): void => {
    const how = howToGet[name];
    problems.push(`${name} ${message}${how === undefined ? "" : `\n    ${how}`}`);
  };
  return {
    text,
    isFromFile: (name) => environment[name] === undefined && file[name] !== undefined,
    wrong,
    number(name, fallback, { min, max }) {
      const value = text(name);
      if (value === null) {
        if (fallback === null) wrong(name, "is not set");
        return fallback ?? 0;
      }
      const number = Number(value);
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      wrong(name, `must be a whole number from ${min} to ${max}`);
      return min;
    },
    usd(name) {
      const value = text(name);
      if (value === null) return null;
      const amount = Number(value);
      if (Number.isFinite(amount) && amount >= 0) return amount;
      wrong(name, "must be an amount in US dollars, such as 2.50, or none");
      return 0;
    },
    url(name, says = "must be an address such as https://models.example.org/v1") {
      const value = text(name);
      if (value === null) return null;
      const url = URL.parse(value);
      const isUsable =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        [url.username, url.password, url.search, url.hash].every((part) => part === "");
      if (!isUsable) wrong(name, says);
      return value.replace(/\/+$/, "");
    },
    choice(name, choices) {
      const value = text(name);
      const chosen = choices.find((choice) => choice === value);
      if (value !== null && chosen === undefined) wrong(name, `must be one of ${choices.join(", ")}`);
      return chosen ?? null;
    },
    refuse() {
      if (problems.length === 0) return;
      throw new KodiaiError("config", `the settings are not right:\n  ${problems.join("\n  ")}`, {
        hint: "Set them in the environment; a server and a worker also read a file named .env. See docs/github-app.md and docs/models.md.",
      });
    },
  };
}
