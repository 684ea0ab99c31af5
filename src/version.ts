/** The version of this program, from its manifest. */
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** The documentation of the built-in rules on the project's home page, which the manifest may name. */
export const RULES_URL: string | null =
  "homepage" in manifest && typeof manifest.homepage === "string"
    ? `${manifest.homepage.replace(/#readme$/, "")}/blob/v${VERSION}/docs/rules.md`
    : null;
