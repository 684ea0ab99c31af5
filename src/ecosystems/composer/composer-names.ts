/** Names and versions as Composer compares them. */

/** PHP itself, its extensions and Composer's own interfaces: no package of a registry. */
export function isPlatform(name: string): boolean {
  return !name.includes("/");
}

/** Composer ignores a `v` before a number. */
export function normalizeVersion(version: string): string {
  return /^v\d/i.test(version) ? version.slice(1) : version;
}

/** The version of a requirement that allows only that one. */
export function pinnedComposerVersion(requirement: string): string | null {
  const text = requirement.trim();
  if (/^dev-[^\s|,]+$/.test(text)) return text;
  const [, version] = /^(?:==?\s*)?v?(\d+(?:\.\d+){1,3}(?:-[\w.]+)?)$/i.exec(text) ?? [];
  return version ?? null;
}
