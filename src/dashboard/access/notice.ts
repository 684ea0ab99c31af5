/** The message of an action, from the answer to a form to the page after it: in a cookie, which works while the database can't be written. */
import { parseJson } from "../../base/parse-json.ts";
import { type Html, html } from "../components/html.ts";
import { readCookie, setCookie } from "./cookies.ts";
import type { DashboardOrigin } from "./origin.ts";

export type Notice = { readonly isProblem: boolean; readonly text: string };

/** The next page follows at once. */
const NOTICE_SECONDS = 60;

/** A sentence or two. A cookie has room for 4 KB. */
const MAX_CHARS = 600;

export function noticeCookie({ isProblem, text }: Notice, origin: DashboardOrigin): string {
  const value = Buffer.from(JSON.stringify([isProblem, text.slice(0, MAX_CHARS)])).toString("base64url");
  return setCookie("notice", value, { origin, maxAgeSeconds: NOTICE_SECONDS });
}

export function readNotice(header: string | undefined, origin: DashboardOrigin): Notice | null {
  const value = readCookie(header, "notice", origin);
  if (value === null) return null;
  const parsed = parseJson(Buffer.from(value, "base64url").toString("utf8"));
  if (!Array.isArray(parsed)) return null;
  const [isProblem, text] = parsed as readonly unknown[];
  return typeof text === "string" ? { isProblem: isProblem === true, text: text.slice(0, MAX_CHARS) } : null;
}

/** Above the page, and read out when the page opens. */
export function renderNotice({ isProblem, text }: Notice): Html {
  return html`<p class="${isProblem ? "notice problem" : "notice"}" role="${isProblem ? "alert" : "status"}">${text}</p>`;
}
