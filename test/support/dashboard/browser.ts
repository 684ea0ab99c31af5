/** A browser for tests of the dashboard: it keeps cookies, sends forms as its pages do, and says everything about each answer. */
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { Dashboard } from "../../../src/dashboard/exchange.ts";

export type SentRequest = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Received = {
  readonly status: number;
  /** By lower-case name; several values of one header are joined by a line feed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

export type Transport = (request: SentRequest) => Promise<Received>;

/** Without a server in between. */
export function transportTo(dashboard: Dashboard, remoteAddress = "127.0.0.1"): Transport {
  return async ({ method, url, headers, body }) => {
    const answer = await dashboard({ method, url, headers, body, remoteAddress });
    if (answer === null) return { status: 404, headers: {}, text: "not one of the dashboard's paths" };
    const flat = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join("\n")]);
    let text = "";
    if (typeof answer.body === "string" || answer.body instanceof Uint8Array) text = answer.body.toString();
    else
      for await (const part of answer.body) {
        text += part;
        // A stream goes on for minutes.
        if (answer.headers["content-type"]?.includes("event-stream") === true) break;
      }
    return { status: answer.status, headers: Object.fromEntries(flat), text };
  };
}

/** Over HTTP, with every header as it was given. */
export function transportOver(port: number): Transport {
  return ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = httpRequest({ host: "127.0.0.1", port, method, path: url, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("error", reject);
        response.on("end", () => {
          const flat = Object.entries(response.headers).map(([name, value]) => [
            name,
            [value ?? ""].flat().join("\n"),
          ]);
          resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(flat), text });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
}

export type Browser = ReturnType<typeof createBrowser>;

export function createBrowser(origin: string, transport: Transport) {
  const cookies = new Map<string, string>();
  const send = async (
    method: string,
    url: string,
    {
      headers = {},
      body = "",
    }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
  ): Promise<Received> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const received = await transport({
      method,
      url,
      headers: { host: new URL(origin).host, ...(cookie === "" ? {} : { cookie }), ...headers },
      body,
    });
    for (const line of received.headers["set-cookie"]?.split("\n") ?? []) {
      const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return received;
  };
  const get = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Received> =>
    send("GET", url, { headers });
  /** As a form of a page at `from` is sent. Headers that are undefined are left out. */
  const post = (
    url: string,
    fields: Readonly<Record<string, string>>,
    {
      from = "/",
      headers = {},
    }: { readonly from?: string; readonly headers?: Readonly<Record<string, string | undefined>> } = {},
  ): Promise<Received> => {
    const body = new URLSearchParams(fields).toString();
    const all: Readonly<Record<string, string | undefined>> = {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(Buffer.byteLength(body)),
      origin,
      "sec-fetch-site": "same-origin",
      referer: `${origin}${from}`,
      ...headers,
    };
    const given = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    return send("POST", url, { headers: Object.fromEntries(given) as Record<string, string>, body });
  };
  /** Until GitHub sends the browser back; returns the path and query of the callback. */
  const consent = async (returnPath = "/"): Promise<string> => {
    const begun = await post("/sign-in", { return: returnPath }, { from: "/sign-in" });
    assert.equal(begun.status, 303, begun.text);
    const consented = await fetch(begun.headers["location"] ?? "", { redirect: "manual" });
    const back = new URL(consented.headers.get("location") ?? "");
    assert.equal(back.origin, origin);
    return `${back.pathname}${back.search}`;
  };
  return {
    cookies,
    send,
    get,
    post,
    consent,
    signIn: async (returnPath = "/"): Promise<Received> => get(await consent(returnPath)),
    /** The token in the forms of a page. */
    formToken: async (path: string): Promise<string> => {
      const page = await get(path);
      const token = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
      assert.ok(token !== undefined, `${path} has no form: ${page.status}\n${page.text}`);
      return token;
    },
  };
}

/** The link of this machine in what a process printed. */
export function linkIn(output: string): URL {
  return new URL(/sign in once within 15 minutes: (\S+)/.exec(output)?.[1] ?? "");
}
