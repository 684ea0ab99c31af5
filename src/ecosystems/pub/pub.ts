/** pub.dev, and the dependency files of Dart. */
import type { Ecosystem } from "../ecosystem.ts";
import { PUB_ORDER } from "../versions/semver-order.ts";
import { pubspecLock } from "./pubspec-lock.ts";
import { pubspec } from "./pubspec.ts";

export const PUB: Ecosystem = {
  formats: [pubspec, pubspecLock],
  order: PUB_ORDER,
  isMinorBreakingBelow1: true,
  advisoryNames: { osv: "Pub", github: "pub" },
  publicHosts: ["pub.dev", "pub.dartlang.org"],
};
