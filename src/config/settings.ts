/** What the environment says. The only reader of `process.env`; everybody else gets a Settings value. */
import { delimiter, isAbsolute } from "node:path";

export type Settings = {
  /** Colour is unwanted, also on a terminal. */
  readonly noColor: boolean;
  /** Colour is wanted, also without a terminal; `noColor` is then false. */
  readonly forceColor: boolean;
  readonly isCi: boolean;
  readonly githubActions: boolean;
  /** Something in the environment names a model or says what one may cost; model-settings.ts reads it. */
  readonly namesModel: boolean;
  /** All that git may see of the environment. */
  readonly gitEnvironment: Readonly<Record<string, string>>;
};

/** Where programs and the person's own git settings are; and which index a hook runs with. Nothing that names a credential. */
const GIT_VARIABLES = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "SYSTEMROOT",
  "USERPROFILE",
  "TMPDIR",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_SSL_CAINFO",
];

/** Settings of models begin like this. */
const MODEL_VARIABLE =
  /^(?:KODIAI_(?:MODEL|COMPATIBLE_|BUDGET_|PRICES)|ANTHROPIC_|CLAUDE_CODE_OAUTH_|OPENAI_|GOOGLE_|GEMINI_)/;

/** FORCE_COLOR beats NO_COLOR, as it does for Node itself; `FORCE_COLOR=0` is another way to say no. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const force = env["FORCE_COLOR"];
  const isForceOff = force === "0" || force === "false";
  const forceColor = force !== undefined && !isForceOff;
  return {
    noColor: !forceColor && (isForceOff || (env["NO_COLOR"] ?? "") !== ""),
    forceColor,
    isCi: isOn(env["CI"]),
    namesModel: Object.keys(env).some((name) => MODEL_VARIABLE.test(name)),
    githubActions: env["GITHUB_ACTIONS"] === "true",
    gitEnvironment: Object.fromEntries(
      GIT_VARIABLES.flatMap((name) => {
        const value = name === "PATH" ? absolutePath(env[name]) : env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** Without the relative folders, such as `.` or `node_modules/.bin`: a repository could keep a git of its own there. */
function absolutePath(path: string | undefined): string | undefined {
  return path
    ?.split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}

/** Everything that is set, for settings of the server, which are read when one is started. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Some services set CI=1, some CI=true, some their own name. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
