/** Facts that another version extracted aren't used. Raise it with every change of the lexers or of `encodeFacts`. */
export const EXTRACTOR_VERSION = 2;
