import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-sh-rm-empty-variable",
    language: "shell",
    kind: "rm -rf with a variable that may be empty",
    path: "scripts/clean.sh",
    before: null,
    after: `#!/bin/bash
set -e

usage() {
  echo "usage: $0 [-o OUTPUT]" >&2
  exit 2
}

while getopts "o:h" option; do
  case "$option" in
    o) output="$OPTARG" ;;
    *) usage ;;
  esac
done

echo "Stopping the development server"
if [ -f .server.pid ]; then
  kill "$(cat .server.pid)" || true
  rm -f .server.pid
fi

echo "Removing build results"
rm -rf "$output"/*
find . -name '*.o' -type f -delete
echo "Done"
`,
    line: 23,
    severity: "major",
  },
  {
    id: "third-sh-unchecked-cd",
    language: "shell",
    kind: "cd without a check before deleting",
    path: "deploy/prune-releases.sh",
    before: `#!/bin/sh
# Removes old releases of an application.

app=$1
days=\${2:-30}

if [ -z "$app" ]; then
  echo "usage: $0 APP [DAYS]" >&2
  exit 2
fi

cd "/srv/$app/releases" || exit 1

echo "removing releases older than $days days"
find . -mindepth 1 -maxdepth 1 -type d -mtime "+$days" -exec rm -rf {} +
`,
    after: `#!/bin/sh
# Removes old releases of an application.

app=$1
days=\${2:-30}

if [ -z "$app" ]; then
  echo "usage: $0 APP [DAYS]" >&2
  exit 2
fi

releases="/srv/$app/releases"
cd "$releases"

echo "removing releases older than $days days from $releases"
find . -mindepth 1 -maxdepth 1 -type d -mtime "+$days" -exec rm -rf {} +
`,
    line: 13,
    severity: "medium",
  },
  {
    id: "third-sh-redirect-in-test",
    language: "shell",
    kind: "comparison is a redirection",
    path: "scripts/check-disk.sh",
    before: null,
    after: `#!/usr/bin/env bash
set -euo pipefail

readonly LIMIT=90
readonly RECIPIENT="ops@example.com"

usage_of() {
  df --output=pcent "$1" | tail -n 1 | tr -dc '0-9'
}

warn() {
  local mount="$1" percent="$2"
  printf 'Disk %s is %s %% full\\n' "$mount" "$percent" |
    mail -s "Disk warning on $(hostname)" "$RECIPIENT"
}

main() {
  local mount percent
  for mount in / /var /home; do
    percent="$(usage_of "$mount")"
    if [ "$percent" > "$LIMIT" ]; then
      warn "$mount" "$percent"
    fi
  done
}

main "$@"
`,
    line: 21,
    severity: "medium",
  },
  {
    id: "third-sh-pipe-subshell",
    language: "shell",
    kind: "variable changed in a subshell",
    path: "ci/check-licenses.sh",
    before: `#!/usr/bin/env bash
set -euo pipefail

root="\${1:-.}"
header="SPDX-License-Identifier"
missing=0

while IFS= read -r file; do
  if ! head -n 5 "$root/$file" | grep -q "$header"; then
    echo "$file has no license header" >&2
    missing=$((missing + 1))
  fi
done < <(git -C "$root" ls-files '*.c')

if [[ "$missing" -gt 0 ]]; then
  echo "$missing files without a license header" >&2
  exit 1
fi

echo "All files have a license header"
`,
    after: `#!/usr/bin/env bash
set -euo pipefail

root="\${1:-.}"
header="SPDX-License-Identifier"
missing=0

git -C "$root" ls-files '*.c' '*.h' | while IFS= read -r file; do
  if ! head -n 5 "$root/$file" | grep -q "$header"; then
    echo "$file has no license header" >&2
    missing=$((missing + 1))
  fi
done

if [[ "$missing" -gt 0 ]]; then
  echo "$missing files without a license header" >&2
  exit 1
fi

echo "All files have a license header"
`,
    line: 8,
    also: [11, 15],
    severity: "medium",
  },
  {
    id: "third-sh-eval-input",
    language: "shell",
    kind: "eval of request input",
    path: "cgi-bin/report.sh",
    before: null,
    after: `#!/bin/bash
set -u

REPORTS=/srv/reports

fail() {
  printf 'Status: %s\\r\\nContent-Type: text/plain\\r\\n\\r\\n%s\\n' "$1" "$2"
  exit 0
}

year=$(date +%Y)
month=$(date +%m)

IFS='&' read -r -a pairs <<<"\${QUERY_STRING:-}"
for pair in "\${pairs[@]}"; do
  eval "$pair"
done

if ! [[ $year =~ ^[0-9]{4}$ && $month =~ ^[0-9]{2}$ ]]; then
  fail "400 Bad Request" "invalid period"
fi

file="$REPORTS/$year-$month.txt"
[[ -f $file ]] || fail "404 Not Found" "no report for $year-$month"

printf 'Content-Type: text/plain\\r\\n\\r\\n'
cat "$file"
`,
    line: 16,
    severity: "major",
  },
  {
    id: "third-sh-hardcoded-password",
    language: "shell",
    kind: "password in a script",
    path: "ops/dump-database.sh",
    before: `#!/usr/bin/env bash
set -euo pipefail

DB_HOST="\${DB_HOST:-db.internal}"
DB_NAME="\${DB_NAME:-orders}"
DB_USER="\${DB_USER:-backup}"
: "\${PGPASSWORD:?PGPASSWORD is not set}"
export PGPASSWORD

target_dir="\${1:-/var/backups/postgres}"
mkdir -p "$target_dir"
target="$target_dir/$DB_NAME-$(date +%Y%m%d-%H%M%S).dump"

pg_dump --host="$DB_HOST" --username="$DB_USER" --format=custom --file="$target" "$DB_NAME"
gzip --best "$target"

find "$target_dir" -name "$DB_NAME-*.dump.gz" -mtime +14 -delete
echo "Wrote $target.gz"
`,
    after: `#!/usr/bin/env bash
set -euo pipefail

DB_HOST="\${DB_HOST:-db.internal}"
DB_NAME="\${DB_NAME:-orders}"
DB_USER="\${DB_USER:-backup}"
PGPASSWORD="vT7#qLm29xZr!kd4"
export PGPASSWORD

target_dir="\${1:-/var/backups/postgres}"
mkdir -p "$target_dir"
target="$target_dir/$DB_NAME-$(date +%Y%m%d-%H%M%S).dump"

pg_dump --host="$DB_HOST" --username="$DB_USER" --format=custom --file="$target" "$DB_NAME"
gzip --best "$target"

find "$target_dir" -name "$DB_NAME-*.dump.gz" -mtime +14 -delete
echo "Wrote $target.gz"
`,
    line: 7,
    severity: "major",
  },
  {
    id: "third-sh-workflow-write-all",
    language: "shell",
    kind: "widened workflow permissions",
    path: ".github/workflows/test.yml",
    before: `name: Test

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm test
`,
    after: `name: Test

on:
  push:
    branches: [main]
  pull_request:

permissions: write-all

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm test
`,
    line: 8,
    severity: "medium",
  },
  {
    id: "third-sh-workflow-injection",
    language: "shell",
    kind: "pull request title in a workflow script",
    path: ".github/workflows/pr-title.yml",
    before: null,
    after: `name: Pull request title

on:
  pull_request:
    types: [opened, edited, synchronize]

permissions:
  contents: read

jobs:
  title:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - name: Check the title
        shell: bash
        run: |
          title="\${{ github.event.pull_request.title }}"
          pattern='^(feat|fix|docs|chore|refactor|test)(\\([a-z-]+\\))?: .+'
          if ! [[ "$title" =~ $pattern ]]; then
            echo "::error::The title doesn't follow the convention"
            exit 1
          fi
`,
    line: 18,
    severity: "major",
  },
];
