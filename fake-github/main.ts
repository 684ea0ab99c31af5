/**
 * Runs a GitHub on this machine, to see the whole app work without an account: `npm run fake-github [ENV_FILE]`.
 *
 * Writes its app's settings to ENV_FILE (`.env`), opens a pull request with a few mistakes, sends the app a webhook as soon as it
 * listens, and prints what the app publishes. PORT is the port of the fake, WEBHOOK_URL the address of the app.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { Files } from "./git.ts";
import { printNews } from "./news.ts";
import type { Webhook } from "./payloads.ts";
import { openSamplePullRequest } from "./sample-pull-request.ts";
import type { PullRequest } from "./world.ts";

const DEFAULT_PORT = 8787;
const DEFAULT_WEBHOOK_URL = "http://127.0.0.1:3000/webhooks/github";
const RETRY_MS = 500;

/** First line of a file that this script wrote and may overwrite. */
const SIGNATURE = "# Written by `npm run fake-github` for trying the app; it is overwritten by the next run.";

const HELP = `Type a command:
  push                  push another commit with other mistakes
  say @kodiai review    comment on the pull request
  close                 close the pull request
  quit                  stop the fake GitHub`;

function furtherMistakes(count: number): Files {
  return {
    [`src/report-${count}.ts`]: `export function report${count}(request: { body: { formula: string } }) {
  debugger;
  return eval(request.body.formula);
}
`,
  };
}

function writeSettings(fake: FakeGithub, path: string): void {
  if (existsSync(path) && !readFileSync(path, "utf8").startsWith(SIGNATURE))
    throw new Error(
      `${path} exists and wasn't written by this script. Name another file, for example: npm run fake-github -- .env.fake`,
    );
  const lines = [
    SIGNATURE,
    `GITHUB_APP_ID=${fake.appId}`,
    `GITHUB_PRIVATE_KEY=${Buffer.from(fake.privateKeyPem).toString("base64")}`,
    `GITHUB_WEBHOOK_SECRET=${fake.webhookSecret}`,
    `GITHUB_API_URL=${fake.url}`,
  ];
  // The file contains a private key, although only the fake's.
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
}

function isListening(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) || 80 });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/** Delivers an event as soon as the app accepts it; prints each refusal once. */
async function deliverWhenAccepted(fake: FakeGithub, url: URL, webhook: Webhook): Promise<void> {
  let lastStatus = 0;
  for (;;) {
    if (await isListening(url)) {
      const { statusCode } = await fake.send(webhook);
      const name = `${webhook.event}.${String(webhook.payload["action"])}`;
      if (statusCode < 300) return console.log(`delivered ${name}: the app answered ${statusCode}`);
      if (statusCode !== lastStatus) console.log(`the app refused ${name} with ${statusCode}; retrying`);
      lastStatus = statusCode;
    }
    await pause();
  }
}

/** The commands, each as a function that returns its result. */
function createCommands(fake: FakeGithub, pullRequest: PullRequest) {
  let pushes = 0;
  const send = async (what: string, webhook: Webhook): Promise<string> => {
    const { statusCode, status } = await fake.send(webhook);
    return `${what}; webhook delivery: ${statusCode} ${status}`;
  };
  return {
    async push(): Promise<string> {
      if (!pullRequest.isOpen) return "the pull request is closed";
      const before = pullRequest.head;
      const after = await fake.push(pullRequest, furtherMistakes(++pushes));
      const extra = { before, after };
      return send(
        `pushed ${after.slice(0, 8)}`,
        await fake.events.pullRequest("synchronize", pullRequest, { extra }),
      );
    },
    async close(): Promise<string> {
      await fake.closePullRequest(pullRequest);
      return send("closed", await fake.events.pullRequest("closed", pullRequest));
    },
    say: (body: string): Promise<string> =>
      send("commented", fake.events.comment(fake.comment(pullRequest, { author: "ada", body }))),
  };
}

async function runCommand(commands: ReturnType<typeof createCommands>, line: string): Promise<string> {
  const [name = "", ...words] = line.split(" ");
  if (name === "push") return commands.push();
  if (name === "close") return commands.close();
  return name === "say" && words.length > 0 ? commands.say(words.join(" ")) : HELP;
}

async function main(): Promise<void> {
  const envFile = process.argv[2] ?? ".env";
  const webhookUrl = new URL(process.env["WEBHOOK_URL"] ?? DEFAULT_WEBHOOK_URL);
  const fake = await startFakeGithub({
    port: Number(process.env["PORT"] ?? DEFAULT_PORT),
    webhookSecret: "the-secret-of-the-fake-github",
    webhookUrl: webhookUrl.href,
    // Every start has new ids, so that Kodiai doesn't recognize an earlier pull request.
    firstId: Date.now(),
  });
  try {
    writeSettings(fake, envFile);
  } catch (error) {
    await fake.close();
    throw error;
  }
  const quit = async (): Promise<void> => {
    await fake.close();
    process.exit(0);
  };
  process.once("SIGINT", () => void quit());
  process.once("SIGTERM", () => void quit());
  const pullRequest = await openSamplePullRequest(fake);
  printNews(fake, console.log);
  console.log(`The fake GitHub is at ${fake.gitUrl}/ with one pull request: ${fake.gitUrl}/acme/shop/pull/1`);
  console.log(
    `The app's settings are in ${envFile}. Start the app now; it should listen at ${webhookUrl.href}`,
  );
  console.log(HELP);
  const commands = createCommands(fake, pullRequest);
  createInterface({ input: process.stdin }).on("line", (typed) => {
    const line = typed.trim();
    if (line === "quit") return void quit();
    if (line !== "") void runCommand(commands, line).then(console.log, console.error);
  });
  await deliverWhenAccepted(fake, webhookUrl, await fake.events.pullRequest("opened", pullRequest));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
