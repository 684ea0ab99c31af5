/** Names and size limits of configuration files. */

export const CONFIG_NAME = ".kodiai.yml";

/** Defaults for all repositories of an owner, in the owner's `.github` repository. */
export const ORGANIZATION_CONFIG_PATH = ".github/kodiai.yml";

/** Learnings that a team keeps in its repository. */
export const LEARNINGS_PATH = ".kodiai/learnings.yml";

/** The parser rejects a larger file with a problem. */
export const MAX_CONFIG_BYTES = 64 * 1024;

/** Limit for reading a file. It's far above MAX_CONFIG_BYTES, so that an oversized file is reported instead of missing. */
export const CONFIG_READ_BYTES = 16 * 1024 * 1024;

/** Schema for editors. `kodiai init` writes it next to the configuration, so it works in every checkout. */
export const SCHEMA_NAME = ".kodiai.schema.json";
