/**
 * Which proxy a connection to the outside goes through. Everything that connects asks here: requests, git, and the Claude Agent SDK's
 * program. Nothing uses a proxy unless the composition root has set one.
 */

export type Proxy = {
  /** Without credentials, for connections and messages: `http://proxy.example.org:3128`. */
  readonly url: URL;
  /** The value of the Proxy-Authorization header; null without credentials. */
  readonly authorization: string | null;
  /** With credentials, for the environment of other programs. Never shown. */
  readonly secretUrl: string;
};

/** Null if the connection is a direct one. */
export type ChooseProxy = (url: URL) => Proxy | null;

let read: () => ChooseProxy = () => () => null;
let choose: ChooseProxy | null = null;

/** The settings are read for the first connection, because most commands open none. */
export function useProxies(readSettings: () => ChooseProxy): void {
  read = readSettings;
  choose = null;
}

/** Throws if the operator's settings are invalid. */
export function proxyFor(url: URL): Proxy | null {
  choose ??= read();
  return choose(url);
}

/** The variables by which curl, and so git, and the Claude Agent SDK's program find the proxy for an address; empty without one. */
export function proxyVariables(url: URL): Readonly<Record<string, string>> {
  const proxy = proxyFor(url);
  // curl reads HTTP_PROXY only in lower case.
  return proxy === null ? {} : { https_proxy: proxy.secretUrl, http_proxy: proxy.secretUrl };
}
