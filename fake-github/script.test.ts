/** Runs `npm run fake-github` like a new user, with a small server instead of the app. */
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { parseEnv } from "node:util";

const ROOT = join(import.meta.dirname, "..");

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "fake-github-script-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function start(context: TestContext, envFile: string, webhookUrl: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ["fake-github/main.ts", envFile], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", WEBHOOK_URL: webhookUrl },
  });
  context.after(() => child.kill("SIGKILL"));
  return child;
}

test("the script writes its settings, sends the app a webhook, and follows commands", async (context) => {
  const actions: string[] = [];
  const heard = new Map<string, PromiseWithResolvers<void>>();
  const waitFor = (action: string): PromiseWithResolvers<void> => {
    const waiting = heard.get(action) ?? Promise.withResolvers<void>();
    heard.set(action, waiting);
    return waiting;
  };
  const app = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      response.writeHead(202).end();
      const { action } = JSON.parse(body);
      actions.push(action);
      waitFor(action).resolve();
    });
  });
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  context.after(() => {
    app.closeAllConnections();
    app.close();
  });
  // A server that listens on a port has this kind of address.
  const { port } = app.address() as AddressInfo;
  const envFile = join(folder(context), ".env");
  const child = start(context, envFile, `http://127.0.0.1:${port}/`);
  const ended = once(child, "exit");
  await waitFor("opened").promise;
  const settings = parseEnv(readFileSync(envFile, "utf8"));
  assert.match(settings["GITHUB_API_URL"] ?? "", /^http:\/\/127\.0\.0\.1:\d+\/api\/v3$/);
  assert.match(
    Buffer.from(settings["GITHUB_PRIVATE_KEY"] ?? "", "base64").toString(),
    /BEGIN RSA PRIVATE KEY/,
  );
  const page = new URL("/acme/shop/pull/1", settings["GITHUB_API_URL"]);
  assert.match(await (await fetch(page)).text(), /SELECT \* FROM orders/);
  child.stdin.write("push\n");
  await waitFor("synchronize").promise;
  child.stdin.write("say @kodiai review\n");
  await waitFor("created").promise;
  child.stdin.write("close\n");
  await waitFor("closed").promise;
  child.stdin.write("quit\n");
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(actions, ["opened", "synchronize", "created", "closed"]);
});

test("the script doesn't overwrite a file that it didn't write", async (context) => {
  const envFile = join(folder(context), ".env");
  writeFileSync(envFile, "MINE=1\n");
  const child = start(context, envFile, "http://127.0.0.1:9/");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  assert.deepEqual(await once(child, "close"), [1, null]);
  assert.match(errors, /exists and wasn't written by this script/);
  assert.equal(readFileSync(envFile, "utf8"), "MINE=1\n");
});
