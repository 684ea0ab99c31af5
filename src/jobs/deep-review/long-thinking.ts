/** Limits for models that think for long. */

/** A provider may send nothing while its model thinks, least of all without summaries. */
export const LONG_STALL_MS = 600_000;

/** Long thinking, and an answer of some pages. Unused tokens cost nothing. */
export const LONG_OUTPUT_TOKENS = 64_000;
