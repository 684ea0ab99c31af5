import type { FileFormat } from "../ecosystem.ts";
import { terraformConfiguration } from "./configuration.ts";
import { terraformLock } from "./lock.ts";

export const TERRAFORM_FORMATS: readonly FileFormat[] = [terraformConfiguration, terraformLock];
