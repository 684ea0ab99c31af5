/** The one address under which people open the dashboard, and whether a request was made to it and by it. */
import type { DashboardRequest } from "../exchange.ts";

export type DashboardOrigin = {
  /** `https://kodiai.example.org`, without a slash at the end. */
  readonly origin: string;
  readonly host: string;
  readonly isSecure: boolean;
  /** The address is this machine's own, which no other machine reaches. */
  readonly isLoopback: boolean;
};

/** As a URL names them. */
const LOOPBACK_NAME = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

/** Headers that proxies add. A request with one of them comes from elsewhere, although its connection is from this machine. */
const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

export function parseOrigin(address: string): DashboardOrigin {
  const { origin, host, hostname, protocol } = new URL(address);
  return { origin, host, isSecure: protocol === "https:", isLoopback: LOOPBACK_NAME.test(hostname) };
}

/** The address of a server that listens on this machine's own address; null for one that others reach, whose name only the operator knows. */
export function originOfListener(host: string, port: number): string | null {
  const name = host === "::1" ? "[::1]" : host;
  return LOOPBACK_NAME.test(name) ? `http://${name}:${port}` : null;
}

/**
 * `elsewhere`: this machine's address under another of its names. `foreign`: a name that someone else may have pointed at this machine,
 * to read it with a browser that is allowed to (DNS rebinding).
 */
export function judgeHost(
  { headers }: Pick<DashboardRequest, "headers">,
  own: DashboardOrigin,
): "own" | "elsewhere" | "foreign" {
  const given = headers["host"]?.toLowerCase() ?? "";
  if (given === own.host) return "own";
  const url = URL.parse(`http://${given}`);
  const isAlias = own.isLoopback && url !== null && url.host === given && LOOPBACK_NAME.test(url.hostname);
  return isAlias ? "elsewhere" : "foreign";
}

/** Whether a page of this address sent the form. Browsers say so in one of two headers, which no page can change. */
export function isSentByOwnPage(
  { headers }: Pick<DashboardRequest, "headers">,
  own: DashboardOrigin,
): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined ? site === "same-origin" : origin === own.origin;
}

/** Whether the other end is a program on this machine, and no proxy of others. */
export function isFromThisMachine(request: DashboardRequest, own: DashboardOrigin): boolean {
  const { headers, remoteAddress } = request;
  const isLocal =
    remoteAddress.startsWith("127.") || remoteAddress === "::1" || remoteAddress.startsWith("::ffff:127.");
  return own.isLoopback && isLocal && PROXY_HEADERS.every((name) => headers[name] === undefined);
}
