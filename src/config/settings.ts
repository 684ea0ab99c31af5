/** Settings from the environment. Only this file reads `process.env`; other files get a Settings value. */
import { delimiter, isAbsolute } from "node:path";

export type Settings = {
  /** Never use color, even on a terminal. */
  readonly noColor: boolean;
  /** Always use color, even without a terminal; `noColor` is then false. */
  readonly forceColor: boolean;
  readonly isCi: boolean;
  readonly githubActions: boolean;
  /** The session has a screen on which a browser can open. */
  readonly hasDisplay: boolean;
  /** The address of this machine in an SSH session; null outside one. */
  readonly sshServer: string | null;
  /** The environment has model settings, which model-settings.ts reads. */
  readonly namesModel: boolean;
  /** The only environment variables that git gets. */
  readonly gitEnvironment: Readonly<Record<string, string>>;
  /** The environment names a proxy, which proxy-settings.ts reads. */
  readonly namesProxy: boolean;
};

/** Variables for finding programs, the user's git settings and the index of a hook. None of them holds a credential. */
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

/** Prefixes of model settings. */
const MODEL_VARIABLE =
  /^(?:KODIAI_(?:MODEL|COMPATIBLE_|BUDGET_|PRICES)|ANTHROPIC_|CLAUDE_CODE_OAUTH_|OPENAI_|GOOGLE_|GEMINI_)/;

/** With or without `_FILE`. */
const PROXY_VARIABLE = /^https?_proxy(?:_file)?$/i;

/** FORCE_COLOR overrides NO_COLOR, as in Node. `FORCE_COLOR=0` turns color off. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const force = env["FORCE_COLOR"];
  const isForceOff = force === "0" || force === "false";
  const forceColor = force !== undefined && !isForceOff;
  return {
    noColor: !forceColor && (isForceOff || (env["NO_COLOR"] ?? "") !== ""),
    forceColor,
    isCi: isOn(env["CI"]),
    hasDisplay: env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined,
    // "CLIENT PORT SERVER PORT".
    sshServer: env["SSH_CONNECTION"]?.split(" ")[2] ?? null,
    namesModel: Object.keys(env).some((name) => MODEL_VARIABLE.test(name)),
    namesProxy: Object.keys(env).some((name) => PROXY_VARIABLE.test(name)),
    githubActions: env["GITHUB_ACTIONS"] === "true",
    gitEnvironment: Object.fromEntries(
      GIT_VARIABLES.flatMap((name) => {
        const value = name === "PATH" ? absolutePath(env[name]) : env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** Drops relative folders such as `.` or `node_modules/.bin`, where a repository could provide its own git. */
function absolutePath(path: string | undefined): string | undefined {
  return path
    ?.split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}

/** All environment variables, for the server settings that are read at startup. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** CI services set CI=1, CI=true or their name. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
