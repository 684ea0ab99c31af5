/** `find … -delete` before its conditions, which deletes everything. */
import { bad, good, type PatternRule } from "../rule.ts";

/** A condition of `find` among its arguments. */
const CONDITION = { regex: "^-(?:i?name|i?path|i?regex|type|[acm]min|[acm]time|newer\\w*|size|empty|user)$" };

export const shellFindDelete: PatternRule = {
  kind: "pattern",
  id: "shell-find-delete",
  title: "Deletion of everything: `-delete` of `find` comes before the conditions",
  severity: "must-fix",
  category: "reliability",
  why: "`find` evaluates its arguments from left to right, so each file is deleted before its name or age is looked at.",
  fix: "Put `-delete` at the end.",
  languages: ["bash"],
  inTests: true,
  trigger: /-delete/,
  patterns: [
    {
      rule: {
        kind: "command",
        regex: "^(?:sudo\\s+)?find\\s",
        has: {
          regex: "^-delete$",
          precedes: { ...CONDITION, stopBy: "end" },
          not: { follows: { any: [CONDITION, { regex: "^-mtime$" }], stopBy: "end" } },
        },
      },
    },
  ],
  examples: {
    bad: [
      bad("clean.sh", 2, "#!/bin/bash\nfind /srv/cache -delete -name '*.tmp'\n"),
      bad("clean.sh", 2, "#!/bin/bash\nsudo find /var/log/app -delete -mtime +7\n"),
    ],
    good: [
      good("clean.sh", "#!/bin/bash\nfind /srv/cache -name '*.tmp' -delete\n"),
      good("clean.sh", "#!/bin/bash\nfind /srv/cache -mindepth 1 -delete\n"),
      good("clean.sh", "#!/bin/bash\nfind . -name a -delete -o -name b -delete\n"),
    ],
  },
};
