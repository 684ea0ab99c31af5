/** A form that posts to an action. Actions check permissions and the token themselves; a page only shows the form. */
import { type Html, html, NO_HTML } from "./html.ts";

export type ActionFormProps = {
  /** Posts to `/actions/<name>`. */
  readonly name: string;
  readonly csrf: string;
  /** Hidden values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  /** The subject of the button, for a reader who only hears the button: "of job 42". */
  readonly about: string;
  /** Inputs before the button. */
  readonly inputs?: Html;
  readonly isGrave?: boolean;
};

export function actionForm({ name, csrf, fields, label, about, inputs, isGrave }: ActionFormProps): Html {
  const hidden = { ...fields, csrf };
  return html`<form class="action" method="post" action="/actions/${name}">${Object.entries(hidden).map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`,
  )}${inputs ?? NO_HTML}<button${isGrave === true ? html` class="grave"` : NO_HTML}>${label}<span class="heard"> ${about}</span></button></form>`;
}
