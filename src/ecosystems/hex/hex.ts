/** hex.pm, and the dependency files of Elixir. */
import type { Ecosystem } from "../ecosystem.ts";
import { PLAIN_SEMVER_ORDER } from "../versions/semver-order.ts";
import { mixExs } from "./mix-exs.ts";
import { mixLock } from "./mix-lock.ts";

export const HEX: Ecosystem = {
  formats: [mixExs, mixLock],
  order: PLAIN_SEMVER_ORDER,
  isMinorBreakingBelow1: true,
  advisoryNames: { osv: "Hex", github: "erlang" },
  publicHosts: ["hex.pm", "repo.hex.pm"],
  publicAlias: "hexpm",
  keepsUnneeded: true,
};
