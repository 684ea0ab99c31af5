/** The origin of packages that come from a registry. */
import type { Origin } from "../ecosystem.ts";
import { withoutCredentials } from "./without-credentials.ts";

/** The ecosystem's own, when a file names none. */
export const DEFAULT_REGISTRY: Origin = { kind: "registry", url: null };

export const registryAt = (url: string | null | undefined): Origin =>
  url == null ? DEFAULT_REGISTRY : { kind: "registry", url: withoutCredentials(url) };
