/** Providers and modules of Terraform and OpenTofu. */
import type { Ecosystem } from "../ecosystem.ts";
import { PLAIN_SEMVER_ORDER } from "../versions/semver-order.ts";
import { terraformConfiguration } from "./configuration.ts";
import { terraformLock } from "./lock.ts";
import { terraformSettings } from "./terraform-settings.ts";

export const TERRAFORM: Ecosystem = {
  formats: [terraformConfiguration, terraformLock],
  sources: [terraformSettings],
  order: PLAIN_SEMVER_ORDER,
  publicHosts: ["registry.terraform.io", "registry.opentofu.org"],
};
