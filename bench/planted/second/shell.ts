import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "sh-unquoted-rm",
    language: "shell",
    kind: "unquoted variable in rm",
    path: "bin/prune-cache",
    before: `#!/bin/sh
# Usage: prune-cache FOLDER [DAYS]

folder=$1
days=\${2:-30}

[ -d "$folder" ] || { echo "no such folder: $folder" >&2; exit 1; }

find "$folder" -type f -mtime +"$days" | while IFS= read -r entry; do
  rm -f -- "$entry"
done

echo "pruned $folder"
`,
    after: `#!/bin/sh
# Usage: prune-cache FOLDER [DAYS]

folder=$1
days=\${2:-30}

[ -d "$folder" ] || { echo "no such folder: $folder" >&2; exit 1; }

find "$folder" -type f -mtime +"$days" | while IFS= read -r entry; do
  rm -f $entry
done

echo "pruned $folder"
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "sh-for-ls",
    language: "shell",
    kind: "loop over ls output",
    path: "ops/reindex.sh",
    before: null,
    after: `#!/usr/bin/env bash
set -o errexit -o nounset

inbox="\${INBOX:-/srv/inbox}"
count=0

for file in $(ls "$inbox"); do
  curl --fail --silent --data-binary "@$inbox/$file" http://localhost:9200/documents
  mv "$inbox/$file" /srv/done/
  count=$((count + 1))
done

printf 'indexed %d files\\n' "$count"
`,
    line: 7,
    severity: "medium",
  },
  {
    id: "sh-exit-status-masked",
    language: "shell",
    kind: "exit status hidden by local",
    path: "ops/lib/release.sh",
    before: `#!/usr/bin/env bash
set -euo pipefail

fetch_release() {
  local archive
  archive=$(download "$1")
  tar -xzf "$archive" -C /opt/app
}

download() {
  local target
  target="/tmp/release-$1.tgz"
  curl -fsSL "https://releases.example.net/app-$1.tgz" -o "$target"
  echo "$target"
}

fetch_release "\${1:?version}"
`,
    after: `#!/usr/bin/env bash
set -euo pipefail

fetch_release() {
  local archive=$(download "$1")
  tar -xzf "$archive" -C /opt/app
}

download() {
  local target
  target="/tmp/release-$1.tgz"
  curl -fsSL "https://releases.example.net/app-$1.tgz" -o "$target"
  echo "$target"
}

fetch_release "\${1:?version}"
`,
    line: 5,
    severity: "major",
  },
  {
    id: "sh-curl-bash",
    language: "shell",
    kind: "download piped into a shell",
    path: "ops/bootstrap.sh",
    before: null,
    after: `#!/bin/bash
set -e

apt-get update
apt-get install -y --no-install-recommends ca-certificates curl git

echo "installing agent"
curl -sSL http://get.agent.example.net/install.sh | sudo bash

systemctl enable agent
systemctl start agent
`,
    line: 8,
    severity: "major",
  },
  {
    id: "sh-undefined-variable",
    language: "shell",
    kind: "misspelled variable",
    path: "ops/snapshot.sh",
    before: `#!/bin/bash

database=\${1:-app}
destination=/var/snapshots
stamp=$(date +%Y%m%d-%H%M%S)
archive="$destination/$database-$stamp.sql.gz"

mkdir -p "$destination"
pg_dump "$database" | gzip > "$archive"
chmod 600 "$archive"
echo "wrote $archive"
`,
    after: `#!/bin/bash

database=\${1:-app}
destination=/var/snapshots
stamp=$(date +%Y%m%d-%H%M%S)
archive="$destination/$database-$stamp.sql.gz"

mkdir -p "$destination"
pg_dump "$databse" | gzip > "$archive"
chmod 600 "$archive"
echo "wrote $archive"
`,
    line: 9,
    severity: "must-fix",
  },
  {
    id: "sh-redirect-same-file",
    language: "shell",
    kind: "file read and overwritten in one command",
    path: "ops/dedupe-hosts.sh",
    before: null,
    after: `#!/bin/sh
set -eu

hosts=\${1:-/etc/app/hosts.allow}

before=$(wc -l < "$hosts")
sort -u "$hosts" > "$hosts"
after=$(wc -l < "$hosts")

echo "removed $((before - after)) duplicates"
`,
    line: 7,
    severity: "must-fix",
  },
  {
    id: "sh-and-or",
    language: "shell",
    kind: "string operator on numbers",
    path: "ops/disk-alert.sh",
    before: `#!/bin/bash

limit=\${LIMIT:-90}
recipient=\${RECIPIENT:-ops@example.net}

used=$(df --output=pcent / | tail -n 1 | tr -dc '0-9')

if [ "$used" -gt "$limit" ]; then
  echo "disk at \${used}%" | mail -s "disk alert" "$recipient"
  exit 1
fi
exit 0
`,
    after: `#!/bin/bash

limit=\${LIMIT:-90}
recipient=\${RECIPIENT:-ops@example.net}

used=$(df --output=pcent / | tail -n 1 | tr -dc '0-9')

if [ "$used" > "$limit" ]; then
  echo "disk at \${used}%" | mail -s "disk alert" "$recipient"
  exit 1
fi
exit 0
`,
    line: 8,
    severity: "must-fix",
  },
  {
    id: "sh-chmod-777",
    language: "shell",
    kind: "world-writable files",
    path: "docker/entrypoint.sh",
    before: `#!/bin/sh
set -e

data=/var/lib/service

if [ ! -d "$data/state" ]; then
  mkdir -p "$data/state"
  chown -R service:service "$data"
  chmod 750 "$data"
fi

exec su-exec service /usr/bin/service --data "$data" "$@"
`,
    after: `#!/bin/sh
set -e

data=/var/lib/service

if [ ! -d "$data/state" ]; then
  mkdir -p "$data/state"
  chmod -R 777 "$data"
fi

exec su-exec service /usr/bin/service --data "$data" "$@"
`,
    line: 8,
    severity: "major",
  },
  {
    id: "yml-script-injection",
    language: "shell",
    kind: "workflow input in a shell script",
    path: ".github/workflows/triage.yml",
    before: null,
    after: `name: triage
on:
  issues:
    types: [opened]

permissions:
  issues: write

jobs:
  label:
    runs-on: ubuntu-latest
    steps:
      - name: Label
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          title="\${{ github.event.issue.title }}"
          if echo "$title" | grep -qi crash; then
            gh issue edit "\${{ github.event.issue.number }}" --repo "$GITHUB_REPOSITORY" --add-label bug
          fi
`,
    line: 17,
    severity: "must-fix",
  },
];
