/** The frame of every page: head, navigation, and the page's body. It has no inline script and no style attribute. */
import type { Viewer } from "../page.ts";
import { type Html, html, NO_HTML } from "./html.ts";
import { assetPath } from "../style/assets.ts";

export type DocumentFrame = {
  /** Null before sign-in: the frame then has no navigation. */
  readonly viewer: Viewer | null;
  /** The path of this page, without the query. */
  readonly path: string;
};

type Destination = { readonly path: string; readonly label: string; readonly forAdmins?: true };

const DESTINATIONS: readonly Destination[] = [
  { path: "/", label: "Overview" },
  { path: "/reviews", label: "Reviews" },
  { path: "/queue", label: "Queue", forAdmins: true },
  { path: "/memory", label: "Memory" },
  { path: "/repositories", label: "Repositories" },
  { path: "/dependencies", label: "Dependencies" },
  { path: "/health", label: "Health", forAdmins: true },
  { path: "/audit", label: "Audit", forAdmins: true },
];

/** The whole document as text. */
export function renderDocument(page: { title: string; body: Html }, frame: DocumentFrame): string {
  const { viewer, path } = frame;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · Kodiai</title>
        <link rel="stylesheet" href="${assetPath("dashboard.css")}" />
        <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml" />
        <script src="${assetPath("dashboard.js")}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="bar">
          <a class="brand" href="/">Kodiai</a>
          ${viewer === null ? NO_HTML : navigation(viewer, path)}
        </header>
        <main id="content" tabindex="-1">
          <h1>${page.title}</h1>
          ${page.body}
        </main>
      </body>
    </html> `.toString();
}

function navigation(viewer: Viewer, path: string): Html {
  const shown = DESTINATIONS.filter(({ forAdmins }) => viewer.isAdmin || forAdmins !== true);
  return html`<nav aria-label="Pages">
      <ul>
        ${shown.map((each) => {
          const isHere =
            each.path === "/" ? path === "/" : path === each.path || path.startsWith(`${each.path}/`);
          return html`<li>
            <a href="${each.path}" ${isHere ? html` aria-current="page"` : NO_HTML}>${each.label}</a>
          </li>`;
        })}
      </ul>
    </nav>
    <form class="who" method="post" action="/actions/sign-out">
      <input type="hidden" name="csrf" value="${viewer.csrf}" /><span>${viewer.name}</span
      ><button class="plain">Sign out</button>
    </form>`;
}
