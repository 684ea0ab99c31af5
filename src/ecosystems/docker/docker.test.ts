import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { DOCKER } from "./docker.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

const DOCKERFILE = `# syntax=docker/dockerfile:1.7
ARG NODE_VERSION=20.11.0
ARG BASE="debian:12-slim" REGISTRY
FROM --platform=$BUILDPLATFORM node:\${NODE_VERSION}-alpine@${DIGEST} AS build
ARG NODE_VERSION=1
COPY --from=build /a /b
COPY --from=ghcr.io/astral-sh/uv:0.5.1 /uv /bin/
COPY --from=0 /a /b
RUN <<EOF
FROM not:an-image
EOF
RUN --mount=type=bind,from=golang:1.22,target=/x \\
    # a comment inside
    make
from \${BASE} as final
FROM build AS later
FROM scratch
FROM docker.io/library/nginx
FROM localhost:5000/team/app:\${TAG:-1.0}
FROM app:$UNKNOWN
FROM \${REGISTRY}/app:1.0
FROM alpine@${DIGEST}
`;

const CASES = [
  [
    "Dockerfile",
    DOCKERFILE,
    [
      "docker/dockerfile 1.7 build :1 [syntax] git docker/dockerfile",
      `node 20.11.0-alpine :2 git node ${DIGEST} #${DIGEST}`,
      "ghcr.io/astral-sh/uv 0.5.1 :7 [copy] git ghcr.io/astral-sh/uv",
      "golang 1.22 :12 [mount] git golang",
      "debian 12-slim :3 git debian",
      "nginx - :18 git nginx",
      "localhost:5000/team/app 1.0 :19 git localhost:5000/team/app",
      "app - :20 git app",
      `alpine ${DIGEST} :22 git alpine #${DIGEST}`,
    ],
  ],
  ["build/api.Dockerfile", "FROM a:1\r\nRUN x\r\n", ["a 1 :1 git a"]],
  ["Containerfile.dev", "# escape=`\nFROM a:1 `\n  AS b\nFROM b\n", ["a 1 :2 git a"]],
  ["Dockerfile", "no instructions here\n", "malformed"],
  ["Dockerfile", "<<<<<<< HEAD\nFROM a:1\n=======\nFROM a:2\n>>>>>>> b\n", "conflict-markers"],
  [
    "docker-compose.prod.yml",
    `services:
  web:
    image: "nginx:1.25"  # proxy
    command: |
      image: not:this
  db:
    image: postgres:\${PG_VERSION:-16.1}@${DIGEST}
  app:
    image: &app registry.example.org:5000/app:\${TAG}
  built:
    build: .
`,
    [
      "nginx 1.25 :3 git nginx",
      `postgres 16.1 :7 git postgres ${DIGEST} #${DIGEST}`,
      "registry.example.org:5000/app - :9 git registry.example.org:5000/app",
    ],
  ],
  ["compose.yaml", "- a\n- b\n", "malformed"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(DOCKER.formats, path, text)), expected);
  });
}

test("which files are for Docker", () => {
  const isFor = (path: string): boolean => DOCKER.formats.some((format) => format.path.test(path));
  for (const path of ["a/Dockerfile", "Dockerfile.dev", "dev.dockerfile", "compose.override.yml"])
    assert.ok(isFor(path), path);
  for (const path of [
    "Dockerfile.md",
    "dockerfile.go",
    "dockerfile_test.exs",
    "mycompose.yml",
    "composer.json",
  ])
    assert.ok(!isFor(path), path);
});
