/** The names of the output formats. Apart from their renderers, so that knowing the names does not load them. */
export const OUTPUT_FORMATS = ["terminal", "markdown", "json", "sarif", "github"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
