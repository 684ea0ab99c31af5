/** The page on which people sign in. It sets no cookie; the form begins the sign-in. A notice says why a person has to sign in again. */
import { html, NO_HTML } from "../components/html.ts";
import type { DashboardAnswer, DashboardRequest } from "../exchange.ts";
import { type AnswerHeaders, documentAnswer } from "./answers.ts";
import { clearCookie } from "./cookies.ts";
import { readNotice, renderNotice } from "./notice.ts";
import type { DashboardOrigin } from "./origin.ts";

export function signInPage(
  returnPath: string,
  request: Pick<DashboardRequest, "headers">,
  {
    people,
    link,
    origin,
    headers,
  }: {
    readonly people: object | null;
    readonly link: object | null;
    readonly origin: DashboardOrigin;
    readonly headers: AnswerHeaders;
  },
): DashboardAnswer {
  const notice = readNotice(request.headers["cookie"], origin);
  const form = html`<form method="post" action="/sign-in"><input type="hidden" name="return" value="${returnPath}">
<button>Sign in with GitHub</button></form>
<p>You see the repositories that Kodiai reviews and that GitHub lets you read. Kodiai sets a cookie when you sign in.</p>`;
  const local = html`<p>On this machine you can also use the link that Kodiai printed when it started. It counts once, within 15 minutes; <code>kodiai dashboard</code> prints a new one.</p>`;
  const unset = html`<p>Signing in with GitHub isn't set up: set <code>GITHUB_CLIENT_ID</code> and <code>GITHUB_CLIENT_SECRET</code>. The documentation of the dashboard says where to find them.</p>`;
  const body = html`${notice === null ? NO_HTML : renderNotice(notice)}${people === null ? unset : form}${link === null ? NO_HTML : local}`;
  const cookies = notice === null ? {} : { "set-cookie": [clearCookie("notice", origin)] };
  const page = { status: 200, title: "Sign in", body, viewer: null, path: "/sign-in", headers: cookies };
  return documentAnswer(page, headers);
}
