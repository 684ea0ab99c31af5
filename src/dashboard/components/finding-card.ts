/** One finding of a review, with its code. */
import type { ViewedFinding } from "../../review/publication/review-view.ts";
import { codeBlock, codeFrame, prose } from "./code-frame.ts";
import { type Html, html, type HtmlValue } from "./html.ts";
import { severityClass, severityMark, stateMark } from "./marks.ts";

/** `more` follows the finding's place: its state and links. */
export function findingCard(finding: ViewedFinding, more: HtmlValue = null): Html {
  const { number, title, body, severity, category, path, startLine, rule, source, frame, suggestion } =
    finding;
  return html`<article class="finding ${severityClass(severity)}" id="finding-${number}">
    <h3>${severityMark(severity)} ${title}</h3>
    <p class="place">
      <code>${path}${startLine === null ? "" : `:${startLine}`}</code>
      <span class="quiet">${category}, ${rule ?? source}, finding ${number}</span>${more}
    </p>
    ${codeFrame(frame, path)}${prose(body)}${
      suggestion === null
        ? null
        : html`<details>
            <summary>Suggested replacement<span class="heard"> for finding ${number}</span></summary>
            ${codeBlock(suggestion, path)}
          </details>`
    }${secondReading(finding)}
  </article> `;
}

function secondReading({ verification }: ViewedFinding): Html | null {
  if (verification === null) return null;
  const { verdict, because, model } = verification;
  return html`<p class="note">
    Second reading: ${stateMark(verdict)} ${because} <span class="quiet">(${model})</span>
  </p>`;
}
