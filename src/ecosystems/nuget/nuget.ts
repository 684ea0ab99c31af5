/** nuget.org, and the dependency files of .NET. */
import type { Ecosystem } from "../ecosystem.ts";
import { NUGET_ORDER } from "../versions/four-number-orders.ts";
import { dotnetTools } from "./dotnet-tools.ts";
import { projectFile, sharedProperties } from "./msbuild.ts";
import { nugetConfig } from "./nuget-config.ts";
import { packagesConfig } from "./packages-config.ts";
import { packagesLock } from "./packages-lock.ts";

export const NUGET: Ecosystem = {
  formats: [projectFile, sharedProperties, packagesConfig, packagesLock, dotnetTools],
  sources: [nugetConfig],
  order: NUGET_ORDER,
  normalizeName: (name) => name.toLowerCase(),
  advisoryNames: { osv: "NuGet", github: "nuget" },
  publicHosts: ["api.nuget.org", "www.nuget.org"],
  hasFixedNeeds: true,
};
