/** The size limit of text for a parser, and for everything that needs one. */

/** A larger file is data or generated. Hostile nesting takes about a second to parse at 256 KiB, and five at 1 MiB. */
export const MAX_PARSED_CHARS = 256 * 1024;

/** Bytes to read for parsing: few files have more than two bytes per character. */
export const MAX_PARSED_BYTES = 2 * MAX_PARSED_CHARS;
