/** The forge that prints: renders the publication in one format and writes it where it was told to. */
import type { Publication } from "../../review/publication/publication.ts";
import type { OutputFormat } from "../../review/publication/output-format.ts";
import { renderPublication, type RenderOptions } from "../../review/publication/render.ts";
import type { Forge } from "../forge.ts";

export type TerminalForgeOptions = RenderOptions & {
  readonly format: OutputFormat;
  readonly write: (text: string) => Promise<void>;
};

export function createTerminalForge({ format, write, ...options }: TerminalForgeOptions): Forge {
  return {
    publish: (publication: Publication) => write(renderPublication(publication, format, options)),
  } satisfies Forge;
}
