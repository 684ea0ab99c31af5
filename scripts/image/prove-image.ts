/**
 * Runs the image as compose.yaml runs it, with a fake GitHub on this machine: a review is published, SIGTERM ends the container in
 * time, and new containers with the same volume continue.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { checkOracle } from "../../fake-github/oracle.ts";
import { startFakeGithub } from "../../fake-github/fake-github.ts";
import { AFTER, BEFORE, FINDINGS } from "../../test/support/app/scenario.ts";
import { appFolder } from "../../test/support/app/running-app.ts";
import { server as composed } from "../../test/support/deployment-files.ts";
import { eventually } from "../../test/support/eventually.ts";
import { podman, readLogs } from "./containers.ts";

/** A review of the second push needs the grammars of three languages and two linters. */
const SECOND_PUSH = {
  "src/basket.py": "def add(item, basket=[]):\n    basket.append(item)\n    return baskett\n",
  "src/files.go":
    'package files\n\nimport "os"\n\nfunc Sum(names []string) error {\n\tfor _, name := range names {\n\t\tfile, err := os.Open(name)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tdefer file.Close()\n\t}\n\treturn nil\n}\n',
  "deploy.sh": '#!/bin/bash\ncount= 5\necho "$count"\n',
};

/** By file, the rule that reports it. */
const SECOND_FINDINGS = [
  ["src/basket.py", "mutable-default-argument"],
  ["src/basket.py", "F821"],
  ["src/files.go", "go-defer-in-loop"],
  ["deploy.sh", "SC1007"],
] as const;

/** The exit code of a container that was killed because it didn't stop in time. */
const KILLED = 137;

const TIME_TO_START_MS = 120_000;

export async function proveImage(image: string, report: (line: string) => void): Promise<void> {
  const fake = await startFakeGithub();
  const port = await freePort();
  const folder = appFolder(fake, "sqlite:/data/kodiai.db", {
    KODIAI_DATA: "/data",
    PORT: String(port),
    LOG_LEVEL: "info",
  });
  const { PATH: _path, HOME: _home, ...settings } = folder.environment;
  const envFile = join(folder.path, "settings");
  writeFileSync(
    envFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
    {
      mode: 0o600,
    },
  );
  const volume = `kodiai-proof-${process.pid}`;
  const started: string[] = [];
  const start = async (...command: readonly string[]): Promise<string> => {
    const id = await podman(
      "run",
      "--detach",
      ...restrictions(),
      "--env-file",
      envFile,
      "--volume",
      `${volume}:/data`,
      image,
      ...command,
    );
    started.push(id);
    return id;
  };
  try {
    fake.setWebhookUrl(`http://127.0.0.1:${port}/webhooks/github`);
    const repository = await fake.createRepository({ files: BEFORE, isPrivate: true });
    const pullRequest = await fake.openPullRequest(repository, { title: "Find users", files: AFTER });
    const sent = async (action: string): Promise<void> => {
      const { statusCode } = await fake.send(await fake.events.pullRequest(action, pullRequest));
      assert.equal(statusCode, 202);
    };
    const reviewed = (reviews: number): Promise<unknown> =>
      eventually(`review ${reviews}`, () => {
        const checks = fake.checksOf(pullRequest);
        return (
          checks.length >= 1 &&
          checks.every(({ conclusion }) => conclusion !== null) &&
          fake.reviewsOf(pullRequest).length >= reviews
        );
      });

    const first = await start();
    await healthy(first, port);
    await assertRestricted(first);
    report(
      "starts with a read-only root, as user 1000, without capabilities, with seccomp; its health check passes",
    );
    await sent("opened");
    await reviewed(1);
    assert.deepEqual(
      fake.reviewCommentsOf(pullRequest).map(({ path, line }) => `${path}:${line}`),
      FINDINGS.map(({ path, line }) => `${path}:${line}`),
    );
    report("publishes a review");
    await stopped(first);
    report("SIGTERM ends it in time with exit code 0");

    const server = await start("serve", "--no-worker");
    const worker = await start("worker");
    await healthy(server, port);
    await fake.push(pullRequest, { ...AFTER, ...SECOND_PUSH });
    await sent("synchronize");
    await reviewed(2);
    const bodies = fake.reviewCommentsOf(pullRequest).slice(FINDINGS.length);
    for (const [path, rule] of SECOND_FINDINGS) {
      assert.ok(
        bodies.some((each) => each.path === path && each.body.includes(rule)),
        `${rule} in ${path}`,
      );
    }
    checkOracle(fake);
    report(
      "server and worker in two containers continue with the same volume; grammars and linters work; nothing is published twice",
    );
    await podman("exec", server, "kodiai", "backup", "/data/backup.db");
    await stopped(server);
    await stopped(worker);
    report("backs up its database while it runs; SIGTERM ends both in time");
  } catch (error) {
    for (const id of started) report(await readLogs(id));
    throw error;
  } finally {
    for (const id of started) await podman("rm", "--force", id);
    await podman("volume", "rm", "--force", volume);
    await fake.close();
    folder.remove();
  }
}

/** The service's restrictions in compose.yaml. The network is the machine's own, because the fake GitHub is there. */
function restrictions(): readonly string[] {
  assert.equal(composed.read_only, true);
  return [
    "--pull=never",
    "--network=host",
    "--read-only",
    "--read-only-tmpfs=false",
    ...composed.tmpfs.map((path) => `--tmpfs=${path}`),
    ...composed.cap_drop.map((name) => `--cap-drop=${name}`),
    ...composed.security_opt.map((option) => `--security-opt=${option.replace(":true", "")}`),
    // Podman's defaults are higher than some machines allow.
    "--ulimit=nofile=4096:4096",
    "--ulimit=nproc=4096:4096",
  ];
}

async function healthy(container: string, port: number): Promise<void> {
  await eventually("the server", async () => {
    assert.equal(await podman("inspect", "--format", "{{.State.Running}}", container), "true");
    return fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(TIME_TO_START_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  // Fails unless the check of the Dockerfile passes.
  await podman("healthcheck", "run", container);
}

/** As the kernel sees the first process. */
async function assertRestricted(container: string): Promise<void> {
  const status = await podman("exec", container, "cat", "/proc/1/status");
  for (const line of [
    /^Uid:\t1000\t1000\t/m,
    /^CapEff:\t0{16}$/m,
    /^CapBnd:\t0{16}$/m,
    /^NoNewPrivs:\t1$/m,
    /^Seccomp:\t2$/m,
  ])
    assert.match(status, line);
  await assert.rejects(podman("exec", container, "touch", "/opt/kodiai/changed"), /Read-only file system/);
}

async function stopped(container: string): Promise<void> {
  await podman("stop", "--time", String(Number.parseInt(composed.stop_grace_period, 10)), container);
  const code = Number(await podman("inspect", "--format", "{{.State.ExitCode}}", container));
  assert.notEqual(code, KILLED, "killed after its grace period");
  assert.equal(code, 0);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  assert.ok(typeof address === "object" && address !== null);
  probe.close();
  await once(probe, "close");
  return address.port;
}
