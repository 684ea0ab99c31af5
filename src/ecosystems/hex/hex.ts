import type { FileFormat } from "../ecosystem.ts";
import { mixExs } from "./mix-exs.ts";
import { mixLock } from "./mix-lock.ts";

export const ELIXIR_FORMATS: readonly FileFormat[] = [mixExs, mixLock];
