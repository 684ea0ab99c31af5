/** Parts that pages are made of: titled sections, figures, lists of facts, and what to do when there is nothing. */
import { type Html, html, type HtmlValue, NO_HTML } from "./html.ts";

export function section(title: string, body: HtmlValue, note: HtmlValue = null): Html {
  return html`<section>
    <h2>${title}</h2>
    ${note === null ? NO_HTML : html`<p class="note">${note}</p>`} ${body}
  </section> `;
}

/** Says what is missing and what to do next. */
export function emptyState(what: string, next: HtmlValue): Html {
  return html`<div class="empty">
    <p><strong>${what}</strong></p>
    <p>${next}</p>
  </div>`;
}

export type Tile = { readonly label: string; readonly value: HtmlValue; readonly more?: HtmlValue };

export function tiles(all: readonly Tile[]): Html {
  return html`<dl class="tiles">
    ${all.map(
      ({ label, value, more }) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}${more === undefined ? NO_HTML : html`<small>${more}</small>`}</dd>
        </div>`,
    )}
  </dl>`;
}

export type Fact = readonly [name: string, value: HtmlValue];

export function facts(all: readonly Fact[]): Html {
  return html`<dl class="facts">
    ${all.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export type Choice = { readonly label: string; readonly href: string; readonly isChosen: boolean };

/** Links of which one is where the reader is. */
export function choices(label: string, all: readonly Choice[]): Html {
  return html`<nav class="choices" aria-label="${label}">
    ${all.map(
      ({ label: text, href, isChosen }) =>
        html`<a href="${href}" ${isChosen ? html` aria-current="true"` : NO_HTML}>${text}</a>`,
    )}
  </nav>`;
}

export function selectField(
  { name, label, chosen }: { readonly name: string; readonly label: string; readonly chosen: string },
  options: readonly (readonly [value: string, text: string])[],
): Html {
  return html`<label
    >${label}
    <select name="${name}">
      ${options.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen ? html` selected` : NO_HTML}>${text}</option>`,
      )}
    </select></label
  >`;
}
