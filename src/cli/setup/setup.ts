/** `kodiai setup`: creates a GitHub App in the browser, stores its settings, and waits until it is installed. */
import { userInfo } from "node:os";
import { parseEnv } from "node:util";
import { KodiaiError } from "../../base/errors.ts";
import { SIGN_IN_CALLBACK } from "../../config/dashboard-settings.ts";
import { printable } from "../../base/printable.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type CallbackServer, startCallbackServer } from "./callback-server.ts";
import { findExistingApp } from "./existing-app.ts";
import type { AppCredentials, CliSetup, EnvFile, CreatedApp, Registrar } from "./registrar.ts";
import { type CallbackResult, createRegistration } from "./registration.ts";
import { readSetupOptions, type SetupOptions } from "./setup-options.ts";
import { setVariables } from "./set-variables.ts";
import { waitForInstallation } from "./wait-for-installation.ts";

export const setup: Command = {
  name: "setup",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Creates a GitHub App for Kodiai: opens a page on which you confirm the app on GitHub, stores its id, private key and webhook\nsecret in .env, and waits until you have installed it. Run it again if it was interrupted. See docs/github-app.md.",
  options: {
    url: { type: "string", value: "URL", help: "the GitHub to use (default: https://github.com)" },
    organization: {
      type: "string",
      value: "NAME",
      help: "create the app for this organization (default: your account)",
    },
    name: {
      type: "string",
      value: "NAME",
      help: "propose this name; it is how people address Kodiai in comments",
    },
    "public-url": {
      type: "string",
      value: "URL",
      help: "where GitHub reaches `kodiai serve`; /webhooks/github is added if there is no path",
    },
    relay: {
      type: "string",
      value: "URL",
      help: "receive webhooks through this relay, for a trial without a public address",
    },
    // Node itself reads `--env-file`, wherever it is, and refuses a file that doesn't exist yet.
    settings: { type: "string", value: "FILE", help: "store the settings in this file (default: .env)" },
    replace: { type: "boolean", help: "create a new app even if the file has one" },
    "all-permissions": {
      type: "boolean",
      help: "also request what is optional: resolve threads, edit files, answer on issues",
    },
    "no-browser": { type: "boolean", help: "only print the link" },
    port: { type: "string", value: "PORT", help: "port of the page (default: any free one)" },
    host: { type: "string", value: "HOST", help: "address that the page listens on (default: 127.0.0.1)" },
    "callback-url": {
      type: "string",
      value: "URL",
      help: "where your browser reaches the page (default: http://127.0.0.1 and the port)",
    },
  },
  examples: [
    { line: "kodiai setup --public-url https://kodiai.example.org", comment: "create an app for a server" },
    {
      line: "kodiai setup --relay https://smee.io/new",
      comment: "try it on a laptop, without a public address",
    },
    {
      line: "kodiai setup --url https://ghe.example.org --organization acme --public-url https://kodiai.example.org",
      comment: "on an Enterprise Server, for an organization",
    },
  ],
  run,
};

type Context = {
  readonly options: SetupOptions;
  readonly tools: CliSetup;
  readonly file: EnvFile;
  readonly deps: CliDeps;
};

async function run({ options: given }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const options = readSetupOptions(setup, given);
  const tools = await deps.openSetup();
  const context = { options, tools, file: await tools.openEnvFile(options.envFile), deps };
  const registrar = await tools.openRegistrar(options.webUrl);
  const existing = options.isReplacing ? null : await findExistingApp(context.file, registrar);
  if (existing === null || existing.kind === "unusable") {
    if (existing !== null) await requireConsent(existing.reason, context);
    const app = await register(registrar, context);
    return finish(app, registrar, context);
  }
  say(deps, `${options.envFile} has the settings of the app ${printable(existing.app.slug)}, which work`);
  const { missing } = existing.app;
  if (missing.length > 0)
    say(deps, `the app lacks ${missing.join(", ")}; add them on its page, ${existing.app.pageUrl}`);
  return finish(existing.app, registrar, context);
}

function say({ stderr }: Pick<CliDeps, "stderr">, text: string): void {
  stderr.write(`kodiai: ${text}\n`);
}

async function ask(question: string, { tools, deps }: Context): Promise<string | null> {
  deps.stderr.write(`${question} `);
  const answer = await untilAborted(tools.readLine(), deps.signal);
  if (answer === null) deps.stderr.write("\n");
  return answer?.trim() ?? null;
}

/** Throws unless the person agrees to a new app. */
async function requireConsent(reason: string, context: Context): Promise<void> {
  say(context.deps, reason);
  const answer = await ask("Create a new app and replace these settings? [y/N]", context);
  if (/^y(?:es)?$/i.test(answer ?? "")) return;
  throw new KodiaiError("config", `${context.file.path} is unchanged, and no app was created`, {
    hint: "Use --replace to create a new app, or --settings to store its settings elsewhere.",
  });
}

type WebhookAddress = { readonly webhookUrl: string; readonly relayUrl: string | null };

/** The dashboard of a laptop. GitHub ignores the port of this address. */
const LOOPBACK = "http://127.0.0.1";

const DEFAULT_RELAY = "https://smee.io/new";

async function chooseWebhookAddress(context: Context): Promise<WebhookAddress> {
  const { options, tools } = context;
  if (options.webhookUrl !== null) return { webhookUrl: options.webhookUrl, relayUrl: null };
  let relay = options.relay;
  if (relay === null) {
    const question =
      "Where can GitHub reach this server? Enter its address (https://…), or press Enter to try Kodiai with a relay\n(smee.io: a public service that sees the webhooks, with titles, comments and names of repositories):";
    const answer = await ask(question, context);
    if (answer === null)
      throw new KodiaiError("usage", "setup needs the address that GitHub sends webhooks to", {
        hint: "Pass --public-url https://your-host, or --relay https://smee.io/new for a trial.",
      });
    if (answer !== "")
      return {
        webhookUrl: readSetupOptions(setup, { "public-url": answer }).webhookUrl ?? "",
        relayUrl: null,
      };
    relay = DEFAULT_RELAY;
  }
  const relayUrl = relay.endsWith("/new") ? await tools.createRelayChannel(relay) : relay;
  return { webhookUrl: relayUrl, relayUrl };
}

/** Runs the page until the app exists and its settings are stored. */
async function register(registrar: Registrar, context: Context): Promise<CreatedApp> {
  const { options, deps, file } = context;
  await file.requireWritable();
  // A file that can't be changed must not cost an app.
  const before = await file.read();
  setVariables(before, settingsOf(null, registrar, { relayUrl: null, dashboardUrl: null }));
  const { webhookUrl, relayUrl } = await chooseWebhookAddress(context);
  const dashboardUrl = relayUrl === null ? new URL(webhookUrl).origin : null;
  const callbackUrls = [dashboardUrl, LOOPBACK]
    .filter((origin) => origin !== null)
    .map((origin) => `${origin}${SIGN_IN_CALLBACK}`);
  const created = Promise.withResolvers<CreatedApp>();
  const registration = createRegistration({
    convertCode: (code) => registrar.convertCode(code),
    store: async (app) => {
      const text = await file.read();
      requireSameApp(text, before);
      await file.write(setVariables(text, settingsOf(app, registrar, { relayUrl, dashboardUrl })));
    },
    onResult: (result) => {
      reportResult(result, server.startUrl, context);
      if (result.kind === "created") created.resolve(result.app);
    },
  });
  const { name, organization, isComplete } = options;
  const server = await startCallbackServer(options.callback, {
    registration,
    composeForm: (redirectUrl) =>
      registrar.composeForm({ name, organization, isComplete, webhookUrl, redirectUrl, callbackUrls }),
    installUrlOf,
  });
  try {
    await showPage(server, context);
    return await untilAborted(created.promise, deps.signal);
  } finally {
    await server.stop();
  }
}

/** Another setup may have written the file in the meantime. */
function requireSameApp(text: string, before: string): void {
  if (parseEnv(text)["GITHUB_APP_ID"] === parseEnv(before)["GITHUB_APP_ID"]) return;
  throw new KodiaiError("config", "the file has the settings of another app by now", {
    hint: "Move the file elsewhere.",
  });
}

/** The settings that this command owns. Null removes one, for a file that an earlier setup has written. */
function settingsOf(
  app: CreatedApp | null,
  { apiUrl }: Registrar,
  { relayUrl, dashboardUrl }: { readonly relayUrl: string | null; readonly dashboardUrl: string | null },
): Readonly<Record<string, string | null>> {
  return {
    GITHUB_APP_ID: String(app?.appId ?? 0),
    // On one line, which every reader of such files understands.
    GITHUB_PRIVATE_KEY: Buffer.from(app?.privateKeyPem ?? "").toString("base64"),
    GITHUB_WEBHOOK_SECRET: app?.webhookSecret ?? "",
    GITHUB_API_URL: apiUrl === "https://api.github.com" ? null : apiUrl,
    GITHUB_CLIENT_ID: app?.clientId ?? "",
    GITHUB_CLIENT_SECRET: app?.clientSecret ?? "",
    KODIAI_WEBHOOK_RELAY: relayUrl,
    // Browsers keep a session's cookie safe only with https.
    KODIAI_DASHBOARD_URL: dashboardUrl?.startsWith("https:") === true ? dashboardUrl : null,
    GITHUB_APP_ID_FILE: null,
    GITHUB_PRIVATE_KEY_FILE: null,
    GITHUB_WEBHOOK_SECRET_FILE: null,
    GITHUB_CLIENT_SECRET_FILE: null,
  };
}

async function showPage(
  { startUrl, port }: CallbackServer,
  { options, tools, deps }: Context,
): Promise<void> {
  const { sshServer, hasDisplay } = deps.settings;
  const isLocal =
    sshServer === null && (hasDisplay || process.platform === "darwin" || process.platform === "win32");
  const isOpened = options.opensBrowser && isLocal && (await tools.openBrowser(startUrl));
  say(deps, `${isOpened ? "your browser shows this page" : "open this page in your browser"}: ${startUrl}`);
  if (sshServer !== null && options.callback.publicUrl === null)
    deps.stderr.write(
      `  Your browser is on another machine? Run there: ssh -L ${port}:127.0.0.1:${port} ${userInfo().username}@${sshServer}\n`,
    );
}

/** One line for each answer of GitHub. */
function reportResult(result: CallbackResult, startUrl: string, { file, deps }: Context): void {
  switch (result.kind) {
    case "created":
      return say(deps, `created the app ${printable(result.app.slug)}; its settings are in ${file.path}`);
    case "wrong-state":
      return say(deps, "ignored an answer that doesn't belong to this setup");
    case "wrong-code":
      return say(
        deps,
        `GitHub refused the code: it was used before, is older than an hour, or isn't GitHub's. Start again: ${startUrl}`,
      );
    case "failed":
      return say(
        deps,
        `${result.isCreated ? "the app exists, but its settings couldn't be stored" : "GitHub couldn't be reached"}: ${printable(result.reason)}. Fix it, and reload the page in your browser; keep this command running`,
      );
  }
}

function installUrlOf({ pageUrl }: Pick<CreatedApp, "pageUrl">): string {
  return `${pageUrl}/installations/new`;
}

async function finish(
  app: AppCredentials & Pick<CreatedApp, "pageUrl">,
  registrar: Registrar,
  { file, deps }: Context,
): Promise<ExitCode> {
  const installUrl = installUrlOf(app);
  say(deps, `install the app on the repositories that it should review: ${installUrl}`);
  const installations = await waitForInstallation({
    list: () => registrar.listInstallations(app),
    onFailure: (reason) => say(deps, `waiting for the installation; GitHub's answer: ${printable(reason)}`),
    signal: deps.signal,
  });
  if (installations === null) {
    deps.stderr.write(
      `\nkodiai: stopped waiting. The settings in ${file.path} are complete; install the app whenever you like: ${installUrl}\n`,
    );
    return EXIT.interrupted;
  }
  for (const { account, repositories } of installations)
    say(
      deps,
      `installed on ${printable(account)}: ${repositories.map(printable).join(", ") || "no repository"}`,
    );
  say(deps, nextSteps(file));
  return EXIT.ok;
}

function nextSteps({ path }: EnvFile): string {
  const run = "run `kodiai serve` to start, and `kodiai doctor` to check everything";
  return path === ".env"
    ? `${run}, in this folder`
    : `${run}, with the variables in ${path} in the environment`;
}
