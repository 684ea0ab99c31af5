/** The version of this program, from its manifest. */
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
