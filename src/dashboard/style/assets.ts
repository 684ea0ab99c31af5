/** The files that pages load, each at a path with a hash of its content, so that a browser may keep it for ever. */
import { hash } from "node:crypto";
import { SCRIPT } from "./script.ts";
import { STYLESHEET } from "./stylesheet.ts";

export type Asset = { readonly contentType: string; readonly body: string };

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2f6f62"/><path d="M5 3v10M11 3 6 8l5 5" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`;

const FILES = {
  "dashboard.css": { contentType: "text/css; charset=utf-8", body: STYLESHEET },
  "dashboard.js": { contentType: "text/javascript; charset=utf-8", body: SCRIPT },
  "icon.svg": { contentType: "image/svg+xml", body: ICON },
} as const satisfies Readonly<Record<string, Asset>>;

export type AssetName = keyof typeof FILES;

/** `/assets/dashboard.1a2b3c4d5e.css` */
export function assetPath(name: AssetName): string {
  const [stem, extension] = name.split(".");
  return `/assets/${stem}.${hash("sha256", FILES[name].body).slice(0, 10)}.${extension}`;
}

/** By path. They are public: they contain nothing of an installation. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  Object.entries(FILES).map(([name, asset]) => [assetPath(name as AssetName), asset]),
);
