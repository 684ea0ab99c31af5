/** The pages that a person sees in the browser while an app is created. They show no secret. */
import type { NewAppForm } from "./registrar.ts";
import type { CallbackResult } from "./registration.ts";

/**
 * No script, and nothing from elsewhere. The form may go anywhere: GitHub can redirect it to an identity provider, and browsers
 * apply a restriction of forms to redirects too.
 */
export const SETUP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  // The path of the first page is secret.
  "referrer-policy": "origin",
  "x-content-type-options": "nosniff",
};

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1f2328}button,.button{background:#1f883d;border:0;border-radius:6px;color:#fff;cursor:pointer;display:inline-block;font:inherit;padding:.5rem 1rem;text-decoration:none}code{background:#f6f8fa;padding:.1rem .3rem}";

export type SetupPage = { readonly status: number; readonly html: string };

function page(status: number, title: string, body: string): SetupPage {
  const head = `<meta charset="utf-8"><title>${escapeText(title)}</title><style>${STYLE}</style>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><h1>${escapeText(title)}</h1>${body}</body></html>`;
  return { status, html };
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`);
}

export function startPage({ action, manifest, permissions }: NewAppForm, state: string): SetupPage {
  const address = `${action}?state=${encodeURIComponent(state)}`;
  const items = permissions.map((permission) => `<li>${escapeText(permission)}</li>`).join("");
  return page(
    200,
    "Create the GitHub App for Kodiai",
    `<p>GitHub shows you the app before it creates it. Kodiai requests these permissions:</p><ul>${items}</ul>
<form method="post" action="${escapeText(address)}"><input type="hidden" name="manifest" value="${escapeText(manifest)}"><button>Continue on GitHub</button></form>`,
  );
}

export function donePage(slug: string, installUrl: string): SetupPage {
  return page(
    200,
    `The app ${slug} exists`,
    `<p>Kodiai has stored its credentials on the machine where <code>kodiai setup</code> runs. Now choose the repositories that it reviews.</p><p><a class="button" href="${escapeText(installUrl)}">Install the app</a></p>`,
  );
}

/** `startUrl` is where the person can begin again. */
export function resultPage(
  result: Exclude<CallbackResult, { readonly kind: "created" }>,
  startUrl: string,
): SetupPage {
  const again = `<p><a class="button" href="${escapeText(startUrl)}">Start again</a></p>`;
  switch (result.kind) {
    case "wrong-state":
      return page(
        400,
        "This answer doesn't belong to this setup",
        "<p>Open the link that <code>kodiai setup</code> printed last in your terminal.</p>",
      );
    case "wrong-code":
      return page(
        400,
        "GitHub refused the code",
        `<p>It was used before, is older than an hour, or isn't GitHub's. No credentials were stored.</p>${again}`,
      );
    case "failed":
      return page(
        502,
        result.isCreated ? "The credentials couldn't be stored" : "GitHub couldn't be reached",
        `<p>The terminal shows the reason. Fix it, and reload this page within an hour.</p>`,
      );
  }
}

/** `what` is one of our own sentences. */
export function errorPage(status: number, what: string): SetupPage {
  return page(status, "Kodiai setup", `<p>${escapeText(what)}</p>`);
}
