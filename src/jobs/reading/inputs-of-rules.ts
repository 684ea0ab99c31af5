/** The rules over the whole change that need more than the change itself. Without it they report nothing, which proves nothing. */

/** They need the list of all files. */
export const LISTING_RULES = ["broken-link", "manifest-without-lock"] as const;

/** They need the files that use what the change exports. */
export const EXPORT_RULES = ["call-not-adapted", "removed-export-used"] as const;

/** They need the files of other languages. */
export const TRANSLATION_RULES = ["locale-placeholder", "locale-script"] as const;

/** They need the compared manifests and lockfiles; some also need one of the look-ups below. */
export const DEPENDENCY_RULES = [
  "dependency-advisory",
  "dependency-call-site",
  "dependency-supply-chain",
  "dependency-tampering",
  "manifest-without-lock",
] as const;

export const ADVISORY_RULES = ["dependency-advisory"] as const;
export const REGISTRY_RULES = ["dependency-supply-chain", "dependency-call-site"] as const;
export const USE_RULES = ["dependency-call-site"] as const;
