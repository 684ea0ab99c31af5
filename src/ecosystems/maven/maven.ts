/** Maven Central, and the dependency files of Maven and Gradle. */
import type { Ecosystem } from "../ecosystem.ts";
import { gradleBuild } from "./gradle-build.ts";
import { gradleLockfile } from "./gradle-lockfile.ts";
import { MAVEN_ORDER } from "./maven-order.ts";
import { MAVEN_SOURCES } from "./maven-sources.ts";
import { pomXml } from "./pom.ts";
import { versionCatalog } from "./version-catalog.ts";

export const MAVEN: Ecosystem = {
  formats: [pomXml, gradleBuild, versionCatalog, gradleLockfile],
  sources: MAVEN_SOURCES,
  order: MAVEN_ORDER,
  advisoryNames: { osv: "Maven", github: "maven" },
  publicHosts: ["repo1.maven.org", "repo.maven.apache.org"],
  publicSources: [
    "repo.maven.org",
    "central.sonatype.com",
    "oss.sonatype.org",
    "s01.oss.sonatype.org",
    "repository.apache.org",
    "maven.google.com",
    "dl.google.com",
    "plugins.gradle.org",
    "repo.gradle.org",
    "jcenter.bintray.com",
    "repo.spring.io",
    "repo.jenkins-ci.org",
    "repo.eclipse.org",
    "packages.confluent.io",
  ],
};
