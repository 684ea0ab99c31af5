/** The table of output formats. A new format is one file and one line here. */
import type { OutputFormat } from "./output-format.ts";
import type { Publication } from "./publication.ts";
import { renderJson } from "./render-json.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { renderSarif, type SarifRule } from "./render-sarif.ts";
import { renderTerminal } from "./render-terminal.ts";
import { renderWorkflowCommands } from "./render-workflow-commands.ts";

export type RenderOptions = {
  /** Terminal only. */
  readonly color: boolean;
  /** Columns; terminal only. */
  readonly width: number;
  /** What SARIF tells about rules; the other formats do not look at it. */
  readonly rules: readonly SarifRule[];
};

const RENDERERS: Readonly<
  Record<OutputFormat, (publication: Publication, options: RenderOptions) => string>
> = {
  terminal: renderTerminal,
  markdown: renderMarkdown,
  json: renderJson,
  sarif: (publication, { rules }) => renderSarif(publication, rules),
  github: renderWorkflowCommands,
};

/** Ends with a line feed in every format. */
export function renderPublication(
  publication: Publication,
  format: OutputFormat,
  options: RenderOptions,
): string {
  return RENDERERS[format](publication, options);
}
