/**
 * Reads the operator's proxy: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in lower case too. They are read from the environment only: a `.env` file
 * in a checkout must not redirect traffic.
 */
import { BlockList, isIP } from "node:net";
import type { ChooseProxy, Proxy } from "../base/outbound/proxy.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

const NAMES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

/** Pass the text of `.env` only to report a proxy in it as a problem. */
export function readProxySettings(source: SettingsSource): ChooseProxy {
  const reader = createSettingsReader(source);
  for (const name of NAMES)
    for (const each of [name, name.toLowerCase()])
      if (reader.isFromFile(each))
        reader.addProblem(
          each,
          "is set in .env; set it in the environment, from which alone Kodiai reads it",
        );
  const proxies: Readonly<Record<string, Proxy | null>> = {
    "https:": readProxy(reader, "HTTPS_PROXY"),
    "http:": readProxy(reader, "HTTP_PROXY"),
  };
  const isDirect = readExceptions(reader.text("no_proxy") ?? reader.text("NO_PROXY") ?? "");
  reader.throwIfInvalid();
  return (url) => (isDirect(url) ? null : (proxies[url.protocol] ?? null));
}

/** As in curl and Node, the name in lower case counts first, and a value without a scheme is the address of an HTTP proxy. */
function readProxy(reader: SettingsReader, upper: string): Proxy | null {
  const lower = upper.toLowerCase();
  const name = reader.text(lower) === null ? upper : lower;
  const text = reader.text(name);
  if (text === null) return null;
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const isUsable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    [url.search, url.hash].every((part) => part === "");
  const credentials = url === null ? null : credentialsOf(url);
  if (url === null || !isUsable || credentials === null) {
    // The value may contain a password, so that it isn't shown.
    reader.addProblem(name, "must be the URL of an HTTP proxy, such as http://proxy.example.org:3128");
    return null;
  }
  const shown = new URL(url.origin);
  return {
    url: shown,
    authorization: credentials === "" ? null : `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`,
    secretUrl: withPort(url),
  };
}

/** "user:password", decoded; "" without any, null if they can't be decoded. */
function credentialsOf({ username, password }: URL): string | null {
  if (username === "" && password === "") return "";
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return null;
  }
}

/** With the port, because curl has another default. */
function withPort(url: URL): string {
  const user = url.username === "" && url.password === "" ? "" : `${url.username}:${url.password}@`;
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return `${url.protocol}//${user}${url.hostname}:${port}`;
}

type IsDirect = (url: URL) => boolean;

/** Hosts, domains with all their hosts, addresses and ranges of addresses, each with a port if wanted; `*` for all. */
function readExceptions(text: string): IsDirect {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  const tests = [isLoopback, ...entries.map(readException)];
  return (url) => tests.some((test) => test(url));
}

/** A proxy can't reach this machine's own servers, such as a local model. */
const isLoopback: IsDirect = ({ hostname }) =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || hostname.endsWith(".localhost");

function readException(entry: string): IsDirect {
  if (entry === "*") return () => true;
  const range = /^(.+)\/(\d{1,3})$/.exec(entry);
  if (range !== null) return readRange(range[1] ?? "", Number(range[2]));
  const [, name = "", port = ""] =
    isIP(entry) === 6 ? [entry, entry] : (/^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? []);
  const wanted = name.toLowerCase().replace(/^\*?\./, "");
  return (url) => {
    const host = nameOf(url);
    const isPort = port === "" || port === (url.port || (url.protocol === "https:" ? "443" : "80"));
    return isPort && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
  };
}

function readRange(address: string, prefix: number): IsDirect {
  const family = isIP(address);
  const type = family === 6 ? "ipv6" : "ipv4";
  if (family === 0 || prefix > (family === 6 ? 128 : 32)) return () => false;
  const list = new BlockList();
  list.addSubnet(address, prefix, type);
  return (url) => isIP(nameOf(url)) === family && list.check(nameOf(url), type);
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
