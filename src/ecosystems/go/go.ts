/** Go's modules. */
import type { Ecosystem } from "../ecosystem.ts";
import { GO_ORDER } from "../versions/semver-order.ts";
import { goEnvironment } from "./go-environment.ts";
import { GO_MOD, GO_WORK } from "./go-mod.ts";
import { GO_SUM } from "./go-sum.ts";
import { isPublicGoModule } from "./public-go-hosts.ts";

export const GO: Ecosystem = {
  formats: [GO_MOD, GO_WORK, GO_SUM],
  sources: [goEnvironment],
  order: GO_ORDER,
  versionPrefix: "v",
  nameOfAllMajors: (name) => name.replace(/[/.]v\d+$/, ""),
  advisoryNames: { osv: "Go", github: "go" },
  publicHosts: ["proxy.golang.org"],
  isPublicName: isPublicGoModule,
};
