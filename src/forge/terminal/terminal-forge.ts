/** The publisher of the command line: renders the publication in one format and writes it to an output. */
import type { Publication } from "../../review/publication/publication.ts";
import type { OutputFormat } from "../../review/publication/output-format.ts";
import { loadRenderer, type RenderOptions } from "./load-renderer.ts";
import type { Publisher } from "../forge.ts";

export type TerminalForgeOptions = RenderOptions & {
  readonly format: OutputFormat;
  readonly write: (text: string) => Promise<void>;
};

export function createTerminalForge({ format, write, ...options }: TerminalForgeOptions): Publisher {
  return {
    async publish(publication: Publication) {
      const render = await loadRenderer(format);
      await write(render(publication, options));
    },
  } satisfies Publisher;
}
