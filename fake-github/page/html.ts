/** The frame of the fake's pages: escaping, GitHub's look, and what a page may load. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Frequent enough to watch a review arrive. */
const POLL_MS = 3_000;

/** Reloads the page only if it has changed, so that what a reader has opened stays open. The only script of a page. */
const RELOAD = `setInterval(async () => {
  const text = await fetch(location.href).then((answer) => answer.text(), () => null);
  if (text !== null && !text.includes(document.body.dataset.state)) location.reload();
}, ${POLL_MS});`;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");

/** Pages show text from anyone, so a browser runs no other script and loads nothing from elsewhere. */
export const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digestOf(RELOAD)}'; connect-src 'self'; base-uri 'none'; form-action 'none'`;

const STYLE = `
body { font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; color: #1f2328; background: #fff }
a { color: #0969da; text-decoration: none } a:hover { text-decoration: underline }
h1 { font-size: 1.8rem; font-weight: 400; margin: .5rem 0 } h1 small { color: #59636e; font-size: inherit; font-weight: 300 }
h2 { font-size: 1.15rem; font-weight: 600; margin: 1.6rem 0 .6rem }
.muted { color: #59636e }
.state { background: #1f883d; border-radius: 2em; color: #fff; font-weight: 500; margin-right: .5rem; padding: .35rem .8rem } .state.closed { background: #cf222e } .state.draft { background: #59636e }
.label { border: 1px solid #d1d9e0; border-radius: 2em; color: #59636e; font-size: 12px; padding: 0 .45rem }
.avatar { background: #57606a; border-radius: 50%; color: #fff; display: inline-block; font-weight: 600; height: 1.5rem; line-height: 1.5rem; margin-right: .4rem; text-align: center; width: 1.5rem } .avatar.bot { background: #0969da; border-radius: 6px }
.box { border: 1px solid #d1d9e0; border-radius: 6px; margin: 1rem 0; overflow: hidden; background: #fff }
.box > header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: .45rem 1rem }
.box > .markdown-body { padding: 1rem }
.check { border-top: 1px solid #d1d9e0; padding: .6rem 1rem } .check:first-child { border-top: 0 }
.check .markdown-body { margin: .6rem 0 0 1.4rem }
.success { color: #1a7f37 } .failure { color: #d1242f } .neutral { color: #59636e }
table.diff { border-collapse: collapse; width: 100% }
table.diff td { font: 12px/20px ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; padding: 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top }
table.diff td.number { color: #59636e; text-align: right; width: 2.2rem; user-select: none }
tr.added td { background: #dafbe1 } tr.added td.number { background: #aceebb } tr.removed td { background: #ffebe9 } tr.removed td.number { background: #ffcecb }
tr.hunk td { background: #ddf4ff; color: #59636e }
table.diff tr.comment > td { background: #fff; border-block: 1px solid #d1d9e0; font: inherit; padding: .5rem 1rem; white-space: normal }
tr.comment .box { margin: 0; max-width: 52rem }
.markdown-body { font-size: 14px } .mention { font-weight: 600 }
.suggestion { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 1rem; overflow: hidden } .suggestion > p { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; margin: 0; padding: .3rem .8rem }
.markdown-body .suggestion pre { border-radius: 0; margin: 0; padding: .2rem .8rem } .markdown-body pre.removed { background: #ffebe9 } .markdown-body pre.added { background: #dafbe1 }
`;

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** GitHub's own style for Markdown. */
function markdownStyle(): string {
  return readFileSync(
    fileURLToPath(import.meta.resolve("github-markdown-css/github-markdown-light.css")),
    "utf8",
  );
}

/** `body` is HTML that its renderers made safe. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${markdownStyle()}${STYLE}</style></head>
<body data-state="${digestOf(body)}">${body}<script>${RELOAD}</script></body></html>`;
}
