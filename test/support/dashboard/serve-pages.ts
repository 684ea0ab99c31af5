/** Serves pages of the dashboard to a browser as one viewer, with the policy of the real server and without sign-in. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { securityHeaders } from "../../../src/dashboard/access/answers.ts";
import { renderDocument } from "../../../src/dashboard/components/document.ts";
import type { PageDeps, Viewer } from "../../../src/dashboard/page.ts";
import { DASHBOARD_PAGES } from "../../../src/dashboard/pages/all-pages.ts";
import { ASSETS } from "../../../src/dashboard/style/assets.ts";

export const ADMIN: Viewer = { name: "ada", isAdmin: true, repositories: "all", csrf: "t" };

export type Answered = {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Of a stream, instead of the body. */
  readonly texts?: AsyncIterable<string>;
};

/** As the server routes them. */
export async function answerPath(path: string, viewer: Viewer, deps: PageDeps): Promise<Answered> {
  const url = new URL(path, "http://dashboard.test");
  const asset = ASSETS.get(url.pathname);
  if (asset !== undefined) return { status: 200, type: asset.contentType, body: asset.body };
  for (const page of DASHBOARD_PAGES.toSorted(
    (a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")),
  )) {
    const groups = new URLPattern({ pathname: page.path }).exec({ pathname: url.pathname })?.pathname.groups;
    if (groups === undefined) continue;
    const params = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text ?? ""]));
    const answer = await page.answer({ params, query: url.searchParams, viewer }, deps);
    if (answer.kind === "data") return { status: 200, type: answer.contentType, body: answer.body };
    if (answer.kind === "events")
      return { status: 200, type: "text/event-stream; charset=utf-8", body: "", texts: answer.texts };
    if (answer.kind === "page") {
      const body = renderDocument(answer, { viewer, path: url.pathname });
      return { status: 200, type: "text/html; charset=utf-8", body };
    }
    break;
  }
  return { status: 404, type: "text/plain", body: "not found" };
}

export async function servePages(
  viewer: Viewer,
  deps: PageDeps,
): Promise<{ readonly url: string; close(): void }> {
  const respond = async (path: string, response: ServerResponse): Promise<void> => {
    try {
      const { status, type, body, texts } = await answerPath(path, viewer, deps);
      response.writeHead(status, { ...securityHeaders(null), "content-type": type });
      if (texts !== undefined)
        for await (const text of texts) {
          if (response.destroyed) break;
          response.write(text);
        }
      response.end(body);
    } catch (error) {
      // A stream goes on for a moment after its test has closed the store.
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    }
  };
  const server = createServer((request, response) => void respond(request.url ?? "/", response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
