/** How large a text may be for a parser, and so for everything that needs one. */

/** Past this a file is data or generated; a hostile 256 KiB of nesting takes about a second to parse, 1 MiB five. */
export const MAX_PARSED_CHARS = 256 * 1024;

/** What is read to be parsed: few files have more than two bytes to a character. */
export const MAX_PARSED_BYTES = 2 * MAX_PARSED_CHARS;
