/** Where a project's settings say that packages come from. */
import type { EcosystemId } from "../ecosystem.ts";
import type { Source } from "./source-format.ts";

export type RegistrySource = Source & { readonly ecosystem: EcosystemId };

/** A file with such settings. */
export type SourceFile = { readonly path: string; readonly ecosystem: EcosystemId };

export type RegistrySources = {
  readonly sources: readonly RegistrySource[];
  /** Settings that can't be understood. */
  readonly unread: readonly SourceFile[];
};

export const ALL_PACKAGES = "*";

export const forAll = (url: string): Source => ({ pattern: ALL_PACKAGES, url });
