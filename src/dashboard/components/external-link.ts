/** A link to an address that is stored. Only web addresses become links. */
import { type Html, html, type HtmlValue } from "./html.ts";

export function externalLink(url: string | null, label: HtmlValue): Html {
  return url !== null && /^https?:\/\//.test(url) ? html`<a href="${url}">${label}</a>` : html`${label}`;
}
