/** The one limit that rules share when each place they look at costs more than a glance. */

/** A file with more such places is generated or made to be slow; the first ones say all there is to say. */
export const MAX_CANDIDATES = 100;
