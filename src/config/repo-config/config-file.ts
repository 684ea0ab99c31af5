/** What a configuration file is called and how large it may be. */

export const CONFIG_NAME = ".kodiai.yml";

/** A longer file is not a configuration. The parser refuses it and says so. */
export const MAX_CONFIG_BYTES = 64 * 1024;

/** What is read at most: far more than is taken, so that a file that is too large is told and not just missing. */
export const CONFIG_READ_BYTES = 16 * 1024 * 1024;

/** The schema for editors, which `kodiai init` writes beside the configuration: it works for everyone who has the repository. */
export const SCHEMA_NAME = ".kodiai.schema.json";
