/** `find … -delete` before its conditions, which deletes everything. */
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

export const shellFindDelete: TreeRule = {
  kind: "tree",
  id: "shell-find-delete",
  title: "Deletion of everything: `-delete` of `find` comes before the conditions",
  severity: "must-fix",
  category: "reliability",
  why: "`find` evaluates its arguments from left to right, so each file is deleted before its name or age is looked at.",
  fix: "Put `-delete` at the end.",
  languages: ["bash"],
  inTests: true,
  trigger: /-delete/,
  *check(root) {
    for (const command of root.findAll({ rule: { kind: "command", regex: "^(?:sudo\\s+)?find\\s" } })) {
      const words = command.namedChildren().map((word) => word.text());
      const at = words.indexOf("-delete");
      const isFirst =
        at !== -1 &&
        !words
          .slice(0, at)
          .some((word) =>
            /^-(?:i?name|i?path|i?regex|type|m?time|[acm]min|[acm]time|newer\w*|size|empty|user)$/.test(word),
          );
      const isFollowed = words
        .slice(at + 1)
        .some((word) =>
          /^-(?:i?name|i?path|i?regex|type|[acm]min|[acm]time|newer\w*|size|empty|user)$/.test(word),
        );
      if (isFirst && isFollowed) yield { line: linesOf(command).line };
    }
  },
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
