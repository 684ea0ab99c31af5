import type { FileFormat } from "../ecosystem.ts";
import { dotnetTools } from "./dotnet-tools.ts";
import { projectFile, sharedProperties } from "./msbuild.ts";
import { packagesConfig } from "./packages-config.ts";
import { packagesLock } from "./packages-lock.ts";

export const DOTNET_FORMATS: readonly FileFormat[] = [
  projectFile,
  sharedProperties,
  packagesConfig,
  packagesLock,
  dotnetTools,
];
