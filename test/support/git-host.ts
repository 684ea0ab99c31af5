/** A host of repositories over smart HTTP, with failures on request. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { TestRepository } from "./test-repository.ts";

const PATH = process.env["PATH"] ?? "";

export type GitHost = {
  readonly url: string;
  /** Requested paths, each with the password of the request. */
  readonly requests: { readonly path: string; readonly password: string | null }[];
  /** The required password. Null allows anonymous access. */
  password: string | null;
  /** Handles the request instead of git if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Handles the request with git. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Packs pause after this many bytes, and continue once this is null again and `resume` was called. */
  stallAfterBytes: number | null;
  onStall: () => void;
  resume(): void;
};

/** Serves the repository as `/acme/shop.git`, and others by their names, through git's own http-backend. Pushes need `http.receivepack` in its settings. */
export async function gitHost(
  t: TestContext,
  made: TestRepository,
  others: Readonly<Record<string, TestRepository>> = {},
): Promise<GitHost> {
  const repositories = Object.entries({ "acme/shop": made, ...others });
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const given = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const password =
      given === undefined ? null : (Buffer.from(given, "base64").toString().split(":")[1] ?? "");
    host.requests.push({ path: request.url ?? "", password });
    if (host.intercept(request, response)) return;
    if (host.password !== null && password !== host.password) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end("no\n");
      return;
    }
    serve(request, response);
  });
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, search } = new URL(request.url ?? "", "http://host");
    const found = repositories.find(([name]) => pathname.startsWith(`/${name}.git/`));
    if (found === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [name, served] = found;
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH,
        HOME: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_PROJECT_ROOT: served.path,
        GIT_HTTP_EXPORT_ALL: "1",
        REQUEST_METHOD: request.method ?? "",
        PATH_INFO: pathname.replace(`/${name}.git`, "/.git"),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.stdin.on("error", () => {});
    request.pipe(child.stdin);
    let head: Buffer | null = Buffer.alloc(0);
    let sent = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      let body = chunk;
      if (head !== null) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        const headers = head
          .subarray(0, end)
          .toString()
          .split("\r\n")
          .map((line) => line.split(": "));
        const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
        for (const [name = "", value = ""] of headers) if (name !== "Status") response.setHeader(name, value);
        response.writeHead(Number.parseInt(status, 10));
        body = head.subarray(end + 4);
        head = null;
      }
      response.write(body);
      sent += body.length;
      if (host.stallAfterBytes !== null && sent > host.stallAfterBytes) {
        child.stdout.pause();
        waiting.push(() => child.stdout.resume());
        host.onStall();
      }
    });
    child.stdout.on("end", () => response.end());
    response.on("close", () => child.kill());
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const host: GitHost = {
    url: `http://127.0.0.1:${port}/acme/shop.git`,
    requests: [],
    password: null,
    intercept: () => false,
    serve,
    stallAfterBytes: null,
    onStall: () => {},
    resume() {
      for (const goOn of waiting.splice(0)) goOn();
    },
  };
  return host;
}
