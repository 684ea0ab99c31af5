import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings, type Settings } from "./settings.ts";

const NONE: Settings = {
  noColor: false,
  forceColor: false,
  isCi: false,
  hasDisplay: false,
  sshServer: null,
  githubActions: false,
  namesModel: false,
  gitEnvironment: {},
  namesProxy: false,
};

test("settings follow the environment", () => {
  const cases: readonly (readonly [env: Record<string, string | undefined>, expected: Partial<Settings>])[] =
    [
      [{}, {}],
      [{ NO_COLOR: "1" }, { noColor: true }],
      [{ NO_COLOR: "" }, {}],
      [{ FORCE_COLOR: "1" }, { forceColor: true }],
      [{ FORCE_COLOR: "" }, { forceColor: true }],
      [{ FORCE_COLOR: "0" }, { noColor: true }],
      [{ FORCE_COLOR: "1", NO_COLOR: "1" }, { forceColor: true }],
      ...["KODIAI_MODEL", "KODIAI_COMPATIBLE_URL", "KODIAI_BUDGET_REVIEW_USD", "KODIAI_PRICES"].map(
        (name) => [{ [name]: "x" }, { namesModel: true }] as const,
      ),
      ...["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY"].map(
        (name) => [{ [name]: "x" }, { namesModel: true }] as const,
      ),
      [{ GOOGLE_GENERATIVE_AI_API_KEY: "x" }, { namesModel: true }],
      [{ CI: "true" }, { isCi: true }],
      [{ DISPLAY: ":0" }, { hasDisplay: true }],
      [{ WAYLAND_DISPLAY: "wayland-0" }, { hasDisplay: true }],
      [{ SSH_CONNECTION: "10.0.0.2 5000 10.0.0.1 22" }, { sshServer: "10.0.0.1" }],
      [{ CI: "false" }, {}],
      [
        { CI: "true", GITHUB_ACTIONS: "true" },
        { isCi: true, githubActions: true },
      ],
      ...["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "HTTPS_PROXY_FILE"].map(
        (name) => [{ [name]: "x" }, { namesProxy: true }] as const,
      ),
      [{ NO_PROXY: "*" }, {}],
      [
        { PATH: "/bin", GIT_INDEX_FILE: ".git/index.lock", GITHUB_TOKEN: "t", GIT_SSH_COMMAND: "x" },
        { gitEnvironment: { PATH: "/bin", GIT_INDEX_FILE: ".git/index.lock" } },
      ],
    ];
  for (const [env, expected] of cases) assert.deepEqual(readSettings(env), { ...NONE, ...expected });
});
