/** Code around a finding: numbered lines, its own lines marked, with the colours of the language. */
import type { FrameLine } from "../../review/publication/publication.ts";
import { highlight } from "./highlight.ts";
import { type Html, html, NO_HTML } from "./html.ts";

const SIGNS: Readonly<Record<FrameLine["kind"], string>> = { added: "+", removed: "−", context: " " };

export function codeFrame(frame: readonly FrameLine[], path: string): Html {
  if (frame.length === 0) return NO_HTML;
  const rows = frame.map(({ kind, line, text, isAnchor }) => {
    const mark = isAnchor ? " anchor" : "";
    return html`<span class="row ${kind}${mark}"><span class="no">${line ?? ""}</span><span class="sign">${SIGNS[kind]}</span>${highlight(text, path)}${"\n"}</span>`;
  });
  return html`<pre class="code" tabindex="0" role="region" aria-label="Code of ${path}"><code>${rows}</code></pre>`;
}

/** Plain code without numbers. */
export function codeBlock(text: string, path: string): Html {
  const rows = text.split("\n").map((line) => html`<span class="row">${highlight(line, path)}${"\n"}</span>`);
  return html`<pre class="code plain" tabindex="0" role="region" aria-label="Code for ${path}"><code>${rows}</code></pre>`;
}

/** A paragraph of a finding: only code between backticks is formatted. */
export function prose(text: string): Html {
  const parts = text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`<p class="prose">${parts}</p>`;
}
