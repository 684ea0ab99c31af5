/**
 * Renders Markdown as GitHub shows it in a conversation: tables, task lists, alerts, mentions, references and suggested changes. The
 * sanitizer comes last and allows what GitHub allows, so that no text of a review can do anything to the page or its reader.
 */
import { Marked, type TokenizerAndRendererExtension } from "marked";
import markedAlert from "marked-alert";
import sanitizeHtml from "sanitize-html";
import { escapeHtml } from "./html.ts";

export type MarkdownPlace = {
  /** The address of the issue or pull request with this number; null if there is none. */
  readonly addressOf: (number: number) => string | null;
  /** The lines that a suggestion replaces; empty where they aren't known. */
  readonly replaced: readonly string[];
};

/** Tags that GitHub keeps, except images: GitHub serves them from its own host, and a page of the fake loads nothing. */
const TAGS =
  "h1 h2 h3 h4 h5 h6 br b i strong em a pre code tt div ins del sup sub p ol ul table thead tbody tfoot blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr bdo cite dfn mark small span time wbr input".split(
    " ",
  );

const SANITIZER: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    a: ["href", "title", "rel"],
    details: ["open"],
    input: ["type", "checked", "disabled"],
    ol: ["start"],
    td: ["align", "colspan", "rowspan"],
    th: ["align", "colspan", "rowspan"],
  },
  allowedClasses: {
    div: ["markdown-alert", "markdown-alert-*", "suggestion"],
    p: ["markdown-alert-title"],
    pre: ["added", "removed"],
    code: ["language-*"],
    span: ["mention"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener noreferrer" }),
    input: (tagName, { type = "", checked }) => ({
      tagName,
      attribs: { type, disabled: "", ...(checked === undefined ? {} : { checked }) },
    }),
  },
  // GitHub has no inputs but the boxes of task lists, which readers can't change.
  exclusiveFilter: ({ tag, attribs }) => tag === "input" && attribs["type"] !== "checkbox",
};

const MENTION = /^@[a-z\d](?:[a-z\d-]{0,37}[a-z\d])?(?:\[bot\])?(?![\w@-])/i;
const REFERENCE = /^#(?<number>\d{1,9})(?!\w)/;

/** The end of a text after which `@b` and `#1` are no mention and no reference. */
const INSIDE_WORD = /[\w@#/.&-]$/;

/** Marks up each word that matches the pattern. Null: it stays as it is. */
function inline(
  name: string,
  pattern: RegExp,
  render: (match: string, number: number) => string | null,
): TokenizerAndRendererExtension {
  return {
    name,
    level: "inline",
    start: (text) => /[@#]/.exec(text)?.index,
    tokenizer(text, before) {
      const match = pattern.exec(text);
      if (match === null || INSIDE_WORD.test(before.at(-1)?.raw ?? "")) return undefined;
      const html = render(escapeHtml(match[0]), Number(match.groups?.["number"]));
      return html === null ? undefined : { type: name, raw: match[0], html };
    },
    renderer: (token) => String(token["html"]),
  };
}

function renderSuggestion(text: string, replaced: readonly string[]): string {
  const code = (kind: string, lines: string): string =>
    lines === "" ? "" : `<pre class="${kind}"><code>${escapeHtml(lines)}</code></pre>`;
  return `<div class="suggestion"><p>Suggested change</p>${code("removed", replaced.join("\n"))}${code("added", text)}</div>`;
}

/** Safe HTML. */
export function renderGithubMarkdown(text: string, { addressOf, replaced }: MarkdownPlace): string {
  const marked = new Marked(
    // GitHub keeps the line breaks of comments.
    { gfm: true, breaks: true },
    markedAlert(),
    {
      extensions: [
        inline("mention", MENTION, (match) => `<span class="mention">${match}</span>`),
        inline("reference", REFERENCE, (match, number) => {
          const address = addressOf(number);
          return address === null ? null : `<a href="${escapeHtml(address)}">${match}</a>`;
        }),
      ],
      renderer: {
        code: ({ lang, text: code }) => (lang === "suggestion" ? renderSuggestion(code, replaced) : false),
        image: ({ href, text: alt }) => `<a href="${escapeHtml(href)}">${escapeHtml(alt || href)}</a>`,
      },
    },
  );
  return `<div class="markdown-body">${sanitizeHtml(marked.parse(text, { async: false }), SANITIZER)}</div>`;
}
