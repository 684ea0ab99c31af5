import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { MAVEN } from "./maven.ts";

const POM = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>3.2.0</version>
    <relativePath/>
  </parent>
  <groupId>com.example</groupId>
  <artifactId>app</artifactId>
  <version>1.0.0</version>
  <properties>
    <jackson.version>2.16.1</jackson.version>
    <jackson.alias>\${jackson.version}</jackson.alias>
    <a>\${b}</a>
    <b>\${a}</b>
  </properties>
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>com.fasterxml.jackson</groupId>
        <artifactId>jackson-bom</artifactId>
        <version>\${jackson.alias}</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
    </dependencies>
  </dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>\${project.groupId}</groupId>
      <artifactId>lib</artifactId>
      <version>\${project.version}</version>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>[5.9,6.0)</version>
      <scope>test</scope>
    </dependency>
    <dependency><groupId>x</groupId><artifactId>circle</artifactId><version>\${a}</version></dependency>
    <dependency><groupId>x</groupId><artifactId>managed</artifactId><optional>true</optional></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.12.1</version>
        <configuration>
          <annotationProcessorPaths>
            <path><groupId>org.mapstruct</groupId><artifactId>processor</artifactId><version>1.5</version></path>
          </annotationProcessorPaths>
        </configuration>
      </plugin>
    </plugins>
  </build>
  <profiles>
    <profile>
      <id>fast</id>
      <properties><jackson.version>2.17.0</jackson.version></properties>
      <dependencies>
        <dependency><groupId>x</groupId><artifactId>y</artifactId><version>\${jackson.version}</version></dependency>
      </dependencies>
    </profile>
  </profiles>
</project>
`;

const GRADLE = `buildscript {
  ext.kotlin_version = '1.9.0'
  dependencies { classpath "org.jetbrains.kotlin:kotlin-gradle-plugin:$kotlin_version" }
}
plugins {
  id 'org.springframework.boot' version '3.2.0' // comment with 'a:b:1'
  id("io.spring.dependency-management") version "1.1.4" apply false
  kotlin("jvm") version "1.9.22"
  alias(libs.plugins.x)
}
/* implementation 'in:comment:1.0' */
def versions = [
  okio: '3.7.0',
]
ext { retrofit = "2.9.0"; set("gson", "2.10.1") }
dependencies {
  implementation 'com.squareup.okhttp3:okhttp:4.12.0'
  implementation "com.squareup.okio:okio:\${versions.okio}"
  implementation 'com.squareup.retrofit2:retrofit:' + retrofit
  api group: 'com.google.code.gson', name: 'gson', version: gson
  testImplementation(platform("org.junit:junit-bom:5.10.1"))
  kapt("com.google.dagger:dagger-compiler:2.50@jar")
  implementation("x:dynamic:\${computeVersion()}")
  implementation "x:range:[1.0,2.0)"
  implementation "x:managed"
  implementation project(":lib")
  implementation("x:excluding:1.0") {
    exclude group: 'a', module: 'b'
  }
}
def url = "https://example.org:8080/x"
`;

const CATALOG = `[versions]
kotlin = "1.9.22"
strict = { strictly = "[1.7, 2.0[", prefer = "1.8.0" }
__proto__ = "9.9.9"

[libraries]
stdlib = { module = "org.jetbrains.kotlin:kotlin-stdlib", version.ref = "kotlin" }
short = "com.example:short:1.0"
grouped = { group = "com.example", name = "grouped", version = "2.0" }
rich = { module = "com.example:rich", version.ref = "strict" }
bom = { module = "com.example:managed" }
proto = { module = "com.example:proto", version.ref = "__proto__" }
missing = { module = "com.example:missing", version.ref = "constructor" }

[plugins]
kotlin = { id = "org.jetbrains.kotlin.jvm", version.ref = "kotlin" }
own = { id = "own.convention", version = "unspecified" }
`;

const CASES = [
  [
    "pom.xml",
    POM,
    [
      "org.springframework.boot:spring-boot-starter-parent 3.2.0 :6 [parent]",
      "com.fasterxml.jackson:jackson-bom 2.16.1 :13 [managed pom]",
      "com.example:lib 1.0.0 :11 local",
      "org.junit.jupiter:junit-jupiter - ([5.9,6.0)) dev :38",
      "x:circle - :41",
      "x:managed - optional :42",
      "org.apache.maven.plugins:maven-compiler-plugin 3.12.1 build :48 [plugin]",
      "org.mapstruct:processor 1.5 build :51 [path plugin]",
      "x:y 2.17.0 :60 [profile fast]",
    ],
  ],
  [
    "module/pom.xml",
    "<project><parent><groupId>a</groupId><artifactId>p</artifactId><version>1</version></parent></project>",
    ["a:p 1 :1 [parent] local"],
  ],
  [
    "build.gradle",
    GRADLE,
    [
      "org.jetbrains.kotlin:kotlin-gradle-plugin 1.9.0 build :2",
      "org.springframework.boot:org.springframework.boot.gradle.plugin 3.2.0 build :6",
      "io.spring.dependency-management:io.spring.dependency-management.gradle.plugin 1.1.4 build :7",
      "org.jetbrains.kotlin.jvm:org.jetbrains.kotlin.jvm.gradle.plugin 1.9.22 build :8",
      "com.squareup.okhttp3:okhttp 4.12.0 :17",
      "com.squareup.okio:okio 3.7.0 :13",
      "com.squareup.retrofit2:retrofit 2.9.0 :15",
      "com.google.code.gson:gson 2.10.1 :15",
      "org.junit:junit-bom 5.10.1 dev :21",
      "com.google.dagger:dagger-compiler 2.50 build :22",
      "x:dynamic - :23",
      "x:range - ([1.0,2.0)) :24",
      "x:managed - :25",
      "x:excluding 1.0 :27",
    ],
  ],
  [
    "app/build.gradle.kts",
    'val ktor by extra("2.3.7")\nval a = "1"\nval a = "2"\ndependencies {\n  implementation(group = "io.ktor", name = "ktor", version = ktor)\n  implementation("x:y:$a")\n}\n',
    ["io.ktor:ktor 2.3.7 :1", "x:y - :6"],
  ],
  [
    "gradle/libs.versions.toml",
    CATALOG,
    [
      "org.jetbrains.kotlin:kotlin-stdlib 1.9.22 :2 [stdlib]",
      "com.example:short 1.0 :8 [short]",
      "com.example:grouped 2.0 :9 [grouped]",
      "com.example:rich 1.8.0 ([1.7, 2.0[) :3 [rich]",
      "com.example:managed - :11 [bom]",
      "com.example:proto 9.9.9 :4 [proto]",
      "com.example:missing - :13 [missing]",
      "org.jetbrains.kotlin.jvm:org.jetbrains.kotlin.jvm.gradle.plugin 1.9.22 build :2 [kotlin]",
      "own.convention:own.convention.gradle.plugin unspecified build :17 [own] local",
    ],
  ],
  [
    "gradle.lockfile",
    "# This is a Gradle generated file for dependency locking.\r\na:b:1.0=compileClasspath,testRuntimeClasspath\r\nc:d:2.0=testCompileClasspath\r\nempty=annotationProcessor\r\n",
    ["a:b 1.0", "c:d 2.0 dev"],
  ],
  ["buildscript-gradle.lockfile", "a:b:1.0=classpath\nempty=\n", ["a:b 1.0 build"]],
  ["gradle/dependency-locks/testRuntime.lockfile", "a:b:1.0\n", ["a:b 1.0 dev"]],
  ["gradle.lockfile", "not a lockfile\n", "malformed"],
  ["pom.xml", "<project><dependencies></project>", "malformed"],
  ["pom.xml", "<html></html>", "malformed"],
  ["build.gradle", "dependencies {\n", "malformed"],
  ["gradle/libs.versions.toml", "[versions\n", "malformed"],
  ["pom.xml", "<project>\n<<<<<<< HEAD\n</project>", "conflict-markers"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(MAVEN.formats, path, text)), expected);
  });
}

test("an XML bomb is not expanded, and deep nesting is malformed", () => {
  const bomb = `<!DOCTYPE project [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;">]><project><dependencies><dependency>
    <groupId>x</groupId><artifactId>y</artifactId><version>&b;</version></dependency></dependencies></project>`;
  assert.deepEqual(summarizeFile(readWith(MAVEN.formats, "pom.xml", bomb)), ["x:y - (&b;) :2"]);
  const deep = `<project>${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}</project>`;
  assert.equal(readWith(MAVEN.formats, "pom.xml", deep), "malformed");
});
