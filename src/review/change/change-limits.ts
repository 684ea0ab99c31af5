/** Limits of a change, apart from its schemas, so that reading a diff loads no zod. */

/** A longer line is data, not code: it is counted but its text is not kept. */
export const MAX_LINE_CHARS = 4_000;

/** A diff of one file beyond this is not read: 20,000 lines is past what any reviewer reads. */
export const MAX_FILE_DIFF_LINES = 20_000;
