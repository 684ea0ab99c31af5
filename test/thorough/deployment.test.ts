/** The image is built from the files that reach it, and its health check runs. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { server, unpacked, kodiai } from "../support/deployment-files.ts";

test("the server's port is open to this machine only, and its health check says what it sees", async (t) => {
  assert.deepEqual(server.ports, ["127.0.0.1:3000:3000"]);
  const [kind, program, ...args] = server.healthcheck?.test ?? [];
  assert.deepEqual([kind, program], ["CMD", "node"]);
  assert.match(args.at(-1) ?? "", /http:\/\/127\.0\.0\.1:3000\/healthz/);
  let status = 200;
  const asked: (string | undefined)[] = [];
  const stand = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end();
  });
  stand.listen(0, "127.0.0.1");
  await once(stand, "listening");
  t.after(() => stand.close());
  const address = stand.address();
  assert.ok(typeof address === "object" && address !== null);
  const check = async (): Promise<unknown> => {
    const here = args.map((arg) => arg.replace(":3000/", `:${address.port}/`));
    const [code] = await once(spawn(process.execPath, here, { stdio: "ignore" }), "close");
    return code;
  };
  assert.equal(await check(), 0);
  status = 503;
  assert.equal(await check(), 1);
  assert.deepEqual(asked, ["/healthz", "/healthz"]);
  stand.close();
  stand.closeAllConnections();
  assert.equal(await check(), 1, "no answer");
});

test("the files that reach the image are enough to build the package, and it runs from there", () => {
  const run = kodiai("--version");
  assert.deepEqual([run.status, run.stderr], [0, ""]);
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.ok(!existsSync(join(unpacked, "src")));
});
