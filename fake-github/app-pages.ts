/** The pages on which a person creates an app from a manifest and installs it. Each form is one button, as on GitHub. */
import { installApp, parseManifest, registerApp } from "./app-manifest.ts";
import { escapeHtml, htmlPage } from "./page/html.ts";
import { type Exchange, readBody, type ServerParts } from "./server-parts.ts";
import { fullName } from "./world.ts";

/** The person who uses the pages. */
const PERSON = "ada";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

type Page = { readonly status: number; readonly title: string; readonly body: string };

/** Serves the page, or returns false if this isn't one of them. */
export async function serveAppPage(parts: ServerParts, exchange: Exchange, url: URL): Promise<boolean> {
  const answered = await answerAppPage(parts, exchange, url);
  if (answered === null) return false;
  const { response } = exchange;
  if ("location" in answered) response.writeHead(302, { location: answered.location }).end();
  else {
    const { status, title, body } = answered;
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    });
    response.end(htmlPage(title, `<h1>${escapeHtml(title)}</h1>${body}`));
  }
  return true;
}

async function answerAppPage(
  parts: ServerParts,
  exchange: Exchange,
  url: URL,
): Promise<Page | { readonly location: string } | null> {
  const { method } = exchange.incoming;
  const [, organization] =
    /^(?:\/organizations\/([\w-]+))?\/settings\/apps\/(?:new|confirm)$/.exec(url.pathname) ?? [];
  const isNew = url.pathname.endsWith("/settings/apps/new");
  const isConfirmed = url.pathname.endsWith("/settings/apps/confirm");
  const account = organization ?? PERSON;
  if (method === "POST" && (isNew || isConfirmed)) {
    const form = new URLSearchParams((await readBody(exchange)).toString());
    const state = isNew ? url.searchParams.get("state") : form.get("state");
    return isNew
      ? confirmationPage(form.get("manifest") ?? "", state ?? "", account)
      : createApp(parts, form, account);
  }
  if (url.pathname !== `/apps/${parts.world.app.slug}/installations/new`) return null;
  return method === "POST" ? install(parts) : installationPage(parts);
}

function invalidPage(problems: readonly string[]): Page {
  const list = problems.map((problem) => `<li>Error ${escapeHtml(problem)}</li>`).join("");
  const intro = "<p>The configuration does not appear to be a valid GitHub App manifest.</p>";
  return { status: 422, title: "Invalid GitHub App configuration", body: `${intro}<ul>${list}</ul>` };
}

function confirmationPage(text: string, state: string, account: string): Page {
  const manifest = parseManifest(text);
  if ("length" in manifest) return invalidPage(manifest);
  const hidden = (name: string, value: string): string =>
    `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  const body = `<form method="post" action="confirm">${hidden("manifest", text)}${hidden("state", state)}
<p><label>GitHub App name <input name="name" value="${escapeHtml(manifest.name)}"></label></p>
<button>Create GitHub App for ${escapeHtml(account)}</button></form>`;
  return { status: 200, title: "Create GitHub App", body };
}

function createApp(
  { world }: ServerParts,
  form: URLSearchParams,
  account: string,
): Page | { readonly location: string } {
  const manifest = parseManifest(form.get("manifest") ?? "");
  if ("length" in manifest) return invalidPage(manifest);
  const name = form.get("name") ?? manifest.name;
  const registration = registerApp(world, { ...manifest, name }, account);
  if (registration === null) return invalidPage(["Name is already taken"]);
  const location = new URL(registration.redirectUrl);
  location.searchParams.set("code", registration.code);
  location.searchParams.set("state", form.get("state") ?? "");
  return { location: location.href };
}

function installationPage({ world }: ServerParts): Page {
  const owner = world.app.owner;
  const names = world.repositories.filter((each) => each.owner === owner).map(fullName);
  const items = names.map((name) => `<li>${escapeHtml(name)}</li>`).join("");
  return {
    status: 200,
    title: `Install ${world.app.slug}`,
    body: `<ul>${items}</ul><form method="post"><button>Install</button></form>`,
  };
}

function install({ world }: ServerParts): { readonly location: string } {
  const { id } = installApp(world, world.app.owner.login);
  return { location: `/settings/installations/${id}` };
}
