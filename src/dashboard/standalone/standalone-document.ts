/** A page that is one file: its stylesheet is inside, and it loads and runs nothing. */
import { type Html, html, trusted } from "../components/html.ts";
import { STYLESHEET } from "../style/stylesheet.ts";

/** Ends with a line feed. */
export function standaloneDocument({ title, body }: { readonly title: string; readonly body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Kodiai</title>
<style>${trusted(STYLESHEET)}</style>
</head>
<body class="alone">
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString();
}
