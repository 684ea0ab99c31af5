import type { FileFormat } from "../ecosystem.ts";
import { composeFile } from "./compose.ts";
import { dockerfile } from "./dockerfile.ts";

export const DOCKER_FORMATS: readonly FileFormat[] = [dockerfile, composeFile];
