import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "sh-rm-variable",
    language: "shell",
    kind: "rm with a variable that may be empty",
    path: "scripts/clean.sh",
    before: `#!/usr/bin/env bash
# Removes build output.

BUILD_DIR=$(jq -r '.buildDir // empty' config.json)

echo "Cleaning $BUILD_DIR"
if [ -n "$BUILD_DIR" ]; then
  rm -rf "\${BUILD_DIR:?}"/*
fi

find . -name '*.log' -mtime +7 -delete
echo "Done"
`,
    after: `#!/usr/bin/env bash
# Removes build output.

BUILD_DIR=$(jq -r '.buildDir // empty' config.json)

echo "Cleaning $BUILD_DIR"
rm -rf "$BUILD_DIR"/*

find . -name '*.log' -mtime +7 -delete
echo "Done"
`,
    line: 7,
    severity: "must-fix",
  },
  {
    id: "sh-unquoted-test",
    language: "shell",
    kind: "unquoted variable in a test",
    path: "scripts/deploy.sh",
    before: null,
    after: `#!/bin/sh
set -e

environment=$1
version=$(git describe --tags --always)

if [ $environment = production ]; then
  echo "Deploying $version to production"
  target="web.example.com"
else
  echo "Deploying $version to staging"
  target="staging.example.com"
fi

rsync -a --delete dist/ "deploy@\${target}:/srv/www/"
ssh "deploy@\${target}" "systemctl restart web"
`,
    line: 7,
    severity: "medium",
  },
  {
    id: "sh-cd-unchecked",
    language: "shell",
    kind: "cd without a check",
    path: "scripts/rotate-backups.sh",
    before: `#!/usr/bin/env bash

BACKUPS=/var/backups/app
KEEP=14

cd "$BACKUPS" || exit 1
ls -1t -- *.tar.gz | tail -n +$((KEEP + 1)) | while read -r file; do
  echo "removing $file"
  rm -- "$file"
done

echo "kept the newest $KEEP backups"
`,
    after: `#!/usr/bin/env bash

BACKUPS=/var/backups/app
KEEP=14

cd "$BACKUPS"
ls -1t -- *.tar.gz | tail -n +$((KEEP + 1)) | while read -r file; do
  echo "removing $file"
  rm -- "$file"
done

echo "kept the newest $KEEP backups"
`,
    line: 6,
    severity: "major",
  },
  {
    id: "sh-curl-pipe-insecure",
    language: "shell",
    kind: "download without certificate check",
    path: "scripts/install-tools.sh",
    before: null,
    after: `#!/usr/bin/env bash
set -euo pipefail

VERSION=1.14.2
TARGET=/usr/local/bin/tool

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

curl -fsSLk "https://downloads.example.com/tool/\${VERSION}/tool-linux-amd64" -o "$tmp/tool"
install -m 0755 "$tmp/tool" "$TARGET"
"$TARGET" --version
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "sh-test-always-true",
    language: "shell",
    kind: "test always true",
    path: "scripts/healthcheck.sh",
    before: `#!/bin/bash

url="\${1:-http://localhost:8080/healthz}"
tries=0

while true; do
  status=$(curl -s -o /dev/null -w '%{http_code}' "$url")
  if [ "$status" = "200" ]; then
    echo "healthy after $tries tries"
    exit 0
  fi
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then
    echo "not healthy: last status $status" >&2
    exit 1
  fi
  sleep 2
done
`,
    after: `#!/bin/bash

url="\${1:-http://localhost:8080/healthz}"
tries=0

while true; do
  status=$(curl -s -o /dev/null -w '%{http_code}' "$url")
  if [ "$status"="200" ]; then
    echo "healthy after $tries tries"
    exit 0
  fi
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then
    echo "not healthy: last status $status" >&2
    exit 1
  fi
  sleep 2
done
`,
    line: 8,
    severity: "must-fix",
  },
  {
    id: "sh-eval-input",
    language: "shell",
    kind: "input in eval",
    path: "cgi-bin/report.sh",
    before: null,
    after: `#!/bin/bash
# Prints the report that the query names.

echo "Content-Type: text/plain"
echo

name="\${QUERY_STRING#name=}"
folder=/srv/reports

if [ -z "$name" ]; then
  ls "$folder"
  exit 0
fi

eval "cat $folder/$name.txt"
`,
    line: 15,
    severity: "critical",
  },
  {
    id: "sh-pipe-subshell",
    language: "shell",
    kind: "variable set in a pipe is lost",
    path: "scripts/count-failures.sh",
    before: `#!/bin/bash
set -u

log=\${1:?usage: count-failures.sh LOG}
failures=0

while read -r line; do
  case "$line" in
    *FAILED*) failures=$((failures + 1)) ;;
  esac
done < <(grep -v '^#' "$log")

echo "$failures failures"
[ "$failures" -eq 0 ]
`,
    after: `#!/bin/bash
set -u

log=\${1:?usage: count-failures.sh LOG}
failures=0

grep -v '^#' "$log" | while read -r line; do
  case "$line" in
    *FAILED*) failures=$((failures + 1)) ;;
  esac
done

echo "$failures failures"
[ "$failures" -eq 0 ]
`,
    line: 9,
    also: [13],
    severity: "must-fix",
  },
  {
    id: "sh-single-quotes",
    language: "shell",
    kind: "variable in single quotes",
    path: "scripts/notify.sh",
    before: null,
    after: `#!/usr/bin/env bash
set -euo pipefail

channel="$1"
message="$2"
webhook="\${WEBHOOK_URL:?WEBHOOK_URL is required}"

payload='{"channel": "$channel", "text": "$message"}'

curl -fsS -X POST \\
  -H 'Content-Type: application/json' \\
  -d "$payload" \\
  "$webhook"
echo "notified $channel"
`,
    line: 8,
    severity: "must-fix",
  },
  {
    id: "sh-workflow-write-all",
    language: "shell",
    kind: "workflow given write-all",
    path: ".github/workflows/lint.yml",
    before: `name: lint
on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  shellcheck:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - name: Check scripts
        run: |
          shellcheck scripts/*.sh
          shfmt -d scripts
`,
    after: `name: lint
on:
  pull_request:
  push:
    branches: [main]

permissions: write-all

jobs:
  shellcheck:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - name: Check scripts
        run: |
          shellcheck scripts/*.sh
          shfmt -d scripts
`,
    line: 7,
    severity: "major",
  },
];
