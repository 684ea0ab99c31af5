/** Names of Terraform providers, without the registry that is the default. */
const DEFAULT_HOSTS: ReadonlySet<string> = new Set(["registry.terraform.io", "registry.opentofu.org"]);

/** The host is part of the name unless it's a default one; null for a text that names no provider or module. */
export function splitSource(
  source: string,
  parts: 2 | 3,
): { readonly name: string; readonly host: string | null } | null {
  const segments = source.split("/");
  if (segments.length < parts || segments.length > parts + 1) return null;
  if (!segments.every((segment) => /^[\w.:-]+$/.test(segment))) return null;
  const host = segments.length > parts ? (segments[0] ?? null) : null;
  const path = segments.slice(-parts).join("/");
  if (host !== null && !host.includes(".") && !host.includes(":")) return null;
  return { name: host === null || DEFAULT_HOSTS.has(host) ? path : `${host}/${path}`, host };
}

/** The version of a constraint that allows only that one. */
export function pinnedProvider(constraint: string): string | null {
  return /^(?:=\s*)?(\d+(?:\.\d+)*(?:[-+][\w.+-]+)?)$/.exec(constraint.trim())?.[1] ?? null;
}
