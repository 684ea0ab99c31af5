/** Reports base images without a version. Stages of the same file, build arguments and digests are ignored. */
import type { ChangedFile } from "../../review/change/change.ts";
import { isDockerfile, isSample } from "../../base/path-kinds.ts";
import { bad, good, type FileView, type LineRule } from "../rule.ts";
import { visibleLines } from "../lines/visible-lines.ts";

const FROM = /^\s*FROM\s+(?:--platform=\S+\s+)?([^\s$@]+)(?:\s+AS\s+(\S+))?\s*$/i;
const STAGE = /^\s*FROM\s.{1,300}\sAS\s+(\S+)\s*$/i;
/** Without the complete file, a bare word may be a stage; these are known to be images. */
const WELL_KNOWN =
  /^(?:alpine|amazonlinux|archlinux|busybox|caddy|centos|composer|debian|docker|eclipse-temurin|elixir|fedora|golang|gradle|haproxy|httpd|mariadb|maven|memcached|mongo|mysql|nginx|node|openjdk|perl|php|postgres|python|rabbitmq|redis|rockylinux|ruby|rust|swift|tomcat|traefik|ubuntu)$/;

export const dockerfileLatestBase: LineRule = {
  kind: "line",
  id: "dockerfile-latest-base",
  title: "Unpinned base image",
  severity: "minor",
  category: "reliability",
  why: "The same Dockerfile can build a different image tomorrow, so builds change or break without a commit.",
  fix: "Pin the tag that you tested, or its digest.",
  languages: "any",
  inTests: false,
  isFor: ({ path }) => isDockerfile(path) && !isSample(path),
  check({ line, text }, view) {
    const [, image] = FROM.exec(text) ?? [];
    if (image === undefined || image.toLowerCase() === "scratch") return null;
    const [name, tag] = splitTag(image);
    const isFloating = tag === "latest" || (tag === undefined && isImage(name, view));
    return isFloating ? { line, detail: `\`${image}\` resolves to whatever was pushed last.` } : null;
  },
  examples: {
    bad: [
      bad("Dockerfile", 1, "FROM ubuntu\nRUN true\n"),
      bad("Dockerfile", 1, "FROM node:latest AS build\nRUN true\n"),
      bad("deploy/Dockerfile.web", 1, "FROM --platform=linux/amd64 registry.acme.io:5000/base/web\n"),
    ],
    good: [
      good("Dockerfile", "FROM node:22-alpine AS build\nFROM build AS test\nFROM scratch\n"),
      good("Dockerfile", "ARG BASE=node:22\nFROM ${BASE}\nFROM $BASE\n"),
      good(
        "Dockerfile",
        "FROM node@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n",
      ),
      {
        files: [
          {
            path: "Dockerfile",
            before: "FROM node:22 AS base\nRUN a\nRUN b\nRUN c\nRUN d\nRUN e\nFROM base\n",
            after: "FROM node:22 AS base\nRUN a\nRUN b\nRUN c\nRUN d\nRUN e\nFROM base AS web\n",
          },
        ],
      },
      good("docs/docker.md", "FROM ubuntu\n"),
    ],
  },
};

/** A colon after the last slash starts the tag; an earlier one starts a port. */
function splitTag(image: string): readonly [string, string | undefined] {
  const colon = image.indexOf(":", image.lastIndexOf("/") + 1);
  return colon === -1 ? [image, undefined] : [image.slice(0, colon), image.slice(colon + 1)];
}

/** Cached per file, because a line rule runs once per line. */
const stagesOf = new WeakMap<ChangedFile, ReadonlySet<string | undefined>>();

function isImage(name: string, view: FileView): boolean {
  const stages =
    stagesOf.get(view.file) ??
    new Set(visibleLines(view.file).map(({ text }) => STAGE.exec(text)?.[1]?.toLowerCase()));
  stagesOf.set(view.file, stages);
  if (stages.has(name.toLowerCase())) return false;
  return view.file.status === "added" || name.includes("/") || WELL_KNOWN.test(name);
}
