/** The inputs of the GitHub Action, as the runner passes them: variables such as `INPUT_FAIL-ON`. One error lists every problem. */
import { KodiaiError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { printable } from "../base/printable.ts";
import { SEVERITIES, type Severity } from "../base/severity.ts";

/** All inputs, as in action.yml. */
export const INPUT_NAMES = [
  "github-token",
  "model",
  "fail-on",
  "config",
  "budget-usd",
  "verify",
  "sarif",
  "sarif-in",
  "comments",
  "pull-request",
  "full",
  "persist",
] as const;

type InputName = (typeof INPUT_NAMES)[number];

export const COMMENT_MODES = ["review", "summary", "none"] as const;
export type CommentMode = (typeof COMMENT_MODES)[number];

const VERIFY_MODES = ["off", "doubtful", "all"] as const;

/** Null: not set. */
export type ActionInputs = {
  readonly token: string | null;
  readonly model: string | null;
  readonly failOn: Severity | "none" | null;
  /** Path of a configuration file. */
  readonly config: string | null;
  readonly budgetUsd: number | null;
  readonly verify: (typeof VERIFY_MODES)[number] | null;
  /** Path of the SARIF file to write. */
  readonly sarif: string | null;
  /** Paths of other tools' SARIF files. */
  readonly sarifIn: readonly string[];
  readonly comments: CommentMode;
  readonly pullRequest: number | null;
  readonly isFull: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

export function readInputs(env: Environment): ActionInputs {
  const problems = misspelled(env);
  const text = (name: InputName): string | null => {
    const value = (env[variableOf(name)] ?? "").trim();
    return value === "" ? null : value;
  };
  const choice = <Value extends string>(name: InputName, choices: readonly Value[]): Value | null => {
    const value = text(name);
    const chosen = choices.find((each) => each === value);
    if (value === null || chosen !== undefined) return chosen ?? null;
    const near = nearest(value, choices);
    const advice = near === null ? "" : ` Did you mean ${near}?`;
    problems.push(`${name} is "${printable(value)}", but must be one of ${choices.join(", ")}.${advice}`);
    return null;
  };
  const number = (name: InputName, isValid: (value: number) => boolean, rule: string): number | null => {
    const value = text(name);
    if (value === null) return null;
    const parsed = Number(value);
    if (isValid(parsed)) return parsed;
    problems.push(`${name} is "${printable(value)}", but must be ${rule}.`);
    return null;
  };
  choice("persist", ["true", "false"]);
  const inputs: ActionInputs = {
    token: text("github-token"),
    model: text("model"),
    failOn: choice("fail-on", ["none", ...SEVERITIES]),
    config: text("config"),
    budgetUsd: number("budget-usd", (usd) => Number.isFinite(usd) && usd >= 0, "an amount such as 0.50"),
    verify: choice("verify", VERIFY_MODES),
    sarif: text("sarif"),
    sarifIn: (text("sarif-in") ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    comments: choice("comments", COMMENT_MODES) ?? "review",
    pullRequest: number(
      "pull-request",
      (value) => Number.isSafeInteger(value) && value > 0,
      "the number of a pull request",
    ),
    isFull: choice("full", ["true", "false"]) === "true",
  };
  if (problems.length > 0)
    throw new KodiaiError("usage", `invalid inputs:\n  ${problems.join("\n  ")}`, {
      hint: "Correct them under `with:` in the workflow. docs/github-action.md describes the inputs.",
    });
  return inputs;
}

/** The runner passes inputs that an action doesn't declare, too. A misspelled `fail-on` would otherwise let everything pass. */
function misspelled(env: Environment): string[] {
  const known = new Set(INPUT_NAMES.map(variableOf));
  return Object.keys(env)
    .filter((name) => name.startsWith("INPUT_") && !known.has(name))
    .flatMap((name) => {
      const typed = name.slice("INPUT_".length).toLowerCase();
      const near = nearest(typed, INPUT_NAMES);
      return near === null ? [] : [`there is no input ${printable(typed)}. Did you mean ${near}?`];
    });
}

/** As the runner forms it. */
function variableOf(name: InputName): string {
  return `INPUT_${name.toUpperCase()}`;
}
