/** The names of the output formats, in their own file so that using a name doesn't load the renderers. */
export const OUTPUT_FORMATS = ["terminal", "markdown", "json", "sarif", "github", "html"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
