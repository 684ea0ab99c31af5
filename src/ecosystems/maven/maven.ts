import type { FileFormat } from "../ecosystem.ts";
import { gradleBuild } from "./gradle-build.ts";
import { gradleLockfile } from "./gradle-lockfile.ts";
import { pomXml } from "./pom.ts";
import { versionCatalog } from "./version-catalog.ts";

export const JAVA_FORMATS: readonly FileFormat[] = [pomXml, gradleBuild, versionCatalog, gradleLockfile];
