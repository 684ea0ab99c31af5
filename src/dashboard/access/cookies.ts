/**
 * The dashboard's cookies. With https they are `Secure` and have the prefix `__Host-`, so that no other host can set them. Browsers refuse
 * both on plain http, which only this machine's own address has; there the name has the port instead, because all ports of a host share
 * their cookies.
 */
import type { DashboardOrigin } from "./origin.ts";

export type CookieName = "session" | "sign-in" | "notice";

/** More than a browser sends for this. */
const MAX_HEADER_CHARS = 16_384;

/** Characters of base64url: nothing else is ever set, and nothing else can leave a header. */
const VALUE = /^[\w-]{1,4096}$/;

function nameOf(name: CookieName, { host, isSecure }: DashboardOrigin): string {
  return isSecure ? `__Host-kodiai-${name}` : `kodiai-${name}-${/\d+$/.exec(host)?.[0] ?? "80"}`;
}

/** Null if the browser sent none, or more than one, of which one is not ours. */
export function readCookie(
  header: string | undefined,
  name: CookieName,
  origin: DashboardOrigin,
): string | null {
  if (header === undefined || header.length > MAX_HEADER_CHARS) return null;
  const prefix = `${nameOf(name, origin)}=`;
  const values = header
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 && VALUE.test(value) ? value : null;
}

/** The value of a `Set-Cookie` header. */
export function setCookie(
  name: CookieName,
  value: string,
  { origin, maxAgeSeconds }: { readonly origin: DashboardOrigin; readonly maxAgeSeconds: number },
): string {
  if (value !== "" && !VALUE.test(value)) throw new TypeError("A cookie has only characters of base64url.");
  const secure = origin.isSecure ? "; Secure" : "";
  return `${nameOf(name, origin)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

export function clearCookie(name: CookieName, origin: DashboardOrigin): string {
  return setCookie(name, "", { origin, maxAgeSeconds: 0 });
}
