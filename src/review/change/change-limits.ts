/** Limits of a change, separate from its schemas so that parsing a diff doesn't load zod. */

/** A longer line is data, not code: it's counted, but only its beginning is kept. */
export const MAX_LINE_CHARS = 4_000;

/** A file with a longer diff isn't read: no reviewer reads 20,000 lines. */
export const MAX_FILE_DIFF_LINES = 20_000;
