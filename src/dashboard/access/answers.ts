/** Answers of the dashboard: documents, redirects and assets, each with the headers that keep browsers and proxies from sharing or embedding it. */
import { type Html, html } from "../components/html.ts";
import { renderDocument } from "../components/document.ts";
import type { DashboardAnswer } from "../exchange.ts";
import type { Viewer } from "../page.ts";
import type { Asset } from "../style/assets.ts";

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The policy of every answer. Only signing in leaves this address: its form ends on the host. */
export function securityHeaders(forgeOrigin: string | null): AnswerHeaders {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "script-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${forgeOrigin === null ? "" : ` ${forgeOrigin}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    // Other sites learn nothing. Our own actions learn which page to go back to.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
  };
}

/** Nothing that depends on a person is kept by a cache. */
const PRIVATE: AnswerHeaders = { "cache-control": "no-store, private", vary: "Cookie" };

const FOR_EVER = "public, max-age=31536000, immutable";

export type DocumentAnswer = {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly viewer: Viewer | null;
  readonly path: string;
  readonly headers?: AnswerHeaders;
};

export function documentAnswer(given: DocumentAnswer, common: AnswerHeaders): DashboardAnswer {
  const { status, title, body, viewer, path, headers = {} } = given;
  return {
    status,
    headers: { ...common, ...PRIVATE, "content-type": "text/html; charset=utf-8", ...headers },
    body: renderDocument({ title, body }, { viewer, path }),
  };
}

export type ShownMessage = { readonly status: number; readonly title: string; readonly text: string };

/** A document with one paragraph, and what to do next. */
export function messageAnswer(
  { status, title, text }: ShownMessage,
  next: { readonly path: string; readonly label: string } | null,
  rest: Pick<DocumentAnswer, "viewer" | "path" | "headers">,
  common: AnswerHeaders,
): DashboardAnswer {
  const link = next === null ? null : html`<p><a href="${next.path}">${next.label}</a></p>`;
  return documentAnswer({ status, title, body: html`<p>${text}</p>${link}`, ...rest }, common);
}

/** `location` is made by us, never text from a request. */
export function redirectAnswer(
  location: string,
  common: AnswerHeaders,
  cookies: readonly string[] = [],
): DashboardAnswer {
  return {
    status: 303,
    headers: { ...common, ...PRIVATE, location, ...(cookies.length === 0 ? {} : { "set-cookie": cookies }) },
    body: "",
  };
}

export function dataAnswer(
  data: { readonly contentType: string; readonly body: DashboardAnswer["body"]; readonly fileName?: string },
  common: AnswerHeaders,
): DashboardAnswer {
  const { contentType, body, fileName } = data;
  const download =
    fileName === undefined
      ? {}
      : { "content-disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, "-")}"` };
  return { status: 200, headers: { ...common, ...PRIVATE, "content-type": contentType, ...download }, body };
}

/** Proxies must pass each event on at once. */
export function eventAnswer(body: DashboardAnswer["body"], common: AnswerHeaders): DashboardAnswer {
  const type = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  return { status: 200, headers: { ...common, ...PRIVATE, ...type }, body };
}

export function assetAnswer({ contentType, body }: Asset, common: AnswerHeaders): DashboardAnswer {
  return {
    status: 200,
    headers: { ...common, "cache-control": FOR_EVER, "content-type": contentType },
    body,
  };
}
