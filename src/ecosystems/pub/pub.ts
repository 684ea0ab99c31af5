import type { FileFormat } from "../ecosystem.ts";
import { pubspecLock } from "./pubspec-lock.ts";
import { pubspec } from "./pubspec.ts";

export const DART_FORMATS: readonly FileFormat[] = [pubspec, pubspecLock];
