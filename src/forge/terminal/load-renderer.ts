/** The table of output formats. A new format is one file and one line here. Renderers are loaded on demand. */
import type { OutputFormat } from "../../review/publication/output-format.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { SarifRule } from "../../review/publication/render/render-sarif.ts";

export type RenderOptions = {
  /** Terminal only. */
  readonly color: boolean;
  /** Columns; terminal only. */
  readonly width: number;
  /** Shows at most this many findings; terminal only. Omitted: all. */
  readonly max?: number;
  /** Shows findings of earlier reviews in full. Omitted: only when nothing is new. */
  readonly isAll?: boolean;
  /** Rule descriptions for SARIF. Other formats ignore them. */
  readonly rules: readonly SarifRule[];
};

/** Ends with a line feed in every format. */
export type Renderer = (publication: Publication, options: RenderOptions) => string;

const RENDERERS: Readonly<Record<OutputFormat, () => Promise<Renderer>>> = {
  terminal: () =>
    import("../../review/publication/render/render-terminal.ts").then(({ renderTerminal }) => renderTerminal),
  markdown: () =>
    import("../../review/publication/render/render-markdown.ts").then(({ renderMarkdown }) => renderMarkdown),
  json: () => import("../../review/publication/render/render-json.ts").then(({ renderJson }) => renderJson),
  sarif: () =>
    import("../../review/publication/render/render-sarif.ts").then(
      ({ renderSarif }) =>
        (publication, { rules }) =>
          renderSarif(publication, rules),
    ),
  github: () =>
    import("../../review/publication/render/render-workflow-commands.ts").then(
      ({ renderWorkflowCommands }) => renderWorkflowCommands,
    ),
  html: () =>
    import("../../dashboard/standalone/render-review-html.ts").then(
      ({ renderReviewHtml }) => renderReviewHtml,
    ),
};

export function loadRenderer(format: OutputFormat): Promise<Renderer> {
  return RENDERERS[format]();
}
