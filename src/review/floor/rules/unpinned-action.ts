/** Reports third-party actions that aren't pinned to a commit. One finding per change; updates of such actions are ignored. */
import { count } from "../../../base/count.ts";
import { walkHunk } from "../../change/walk-hunks.ts";
import { isWorkflow } from "../lines/path-kinds.ts";
import { bad, good, type ChangeRule, type FileView } from "../rule.ts";

const USES = /^\s*(?:-\s+)?["']?uses["']?:\s*["']?([\w.-]+\/[\w.-]+)(\/[^@\s"']+)?@([^\s"'#]+)/;
const COMMIT = /^[0-9a-f]{40,64}$/;
/** Maintained by GitHub, which already runs the workflow. */
const PLATFORM = /^(?:actions|github)\//i;
const BRANCH = /^(?:main|master|HEAD|develop|dev|trunk)$/;

export const unpinnedAction: ChangeRule = {
  kind: "change",
  id: "unpinned-action",
  title: "Third-party action is not pinned to a commit SHA",
  severity: "medium",
  category: "security",
  why: "Anyone who controls the action's repository can move the tag or branch. The new code then runs with this workflow's token and secrets.",
  fix: "Pin it to the full commit SHA and keep the version in a comment, which update tools such as Dependabot read.",
  *check({ files }) {
    const unpinned = files.filter(({ path }) => isWorkflow(path)).flatMap(unpinnedIn);
    const first = unpinned.find(({ isBranch }) => isBranch) ?? unpinned[0];
    if (first === undefined) return;
    const others = new Set(unpinned.map(({ action }) => action)).size - 1;
    const also = others === 0 ? "" : `, and the change adds ${count(others, "more unpinned action")}`;
    yield {
      path: first.path,
      line: first.line,
      detail: `\`${first.action}\` is pinned only to ${first.isBranch ? "a branch" : "a tag"}${also}.`,
      ...(first.isBranch
        ? { severity: "major" as const }
        : first.isHabit
          ? { severity: "minor" as const }
          : {}),
    };
  },
  examples: {
    bad: [
      bad(".github/workflows/a.yml", 4, "jobs:\n  x:\n    steps:\n      - uses: acme/deploy-tool@v2\n"),
      bad(
        ".github/workflows/b.yml",
        5,
        "jobs:\n  x:\n    steps:\n      - uses: acme/one@v1\n      - uses: acme/two/sub@main # moves\n",
      ),
      bad("tools/setup/action.yml", 4, "runs:\n  using: composite\n  steps:\n    - uses: 'acme/cache@1.4'\n"),
    ],
    good: [
      good(
        ".github/workflows/a.yml",
        "jobs:\n  x:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: github/codeql-action/init@v3\n      - uses: ./.github/actions/setup\n",
      ),
      good(
        ".github/workflows/b.yml",
        "jobs:\n  x:\n    steps:\n      - uses: acme/tool@0123456789abcdef0123456789abcdef01234567 # v2\n",
      ),
      good(
        ".github/workflows/c.yml",
        "jobs:\n  x:\n    uses: acme/shared/.github/workflows/build.yml@main\n",
      ),
      {
        files: [
          {
            path: ".github/workflows/d.yml",
            before: "jobs:\n  x:\n    steps:\n      - uses: acme/tool@v1\n",
            after: "jobs:\n  x:\n    steps:\n      - uses: acme/tool@v2\n",
          },
        ],
      },
      good("src/actions.yml", "steps:\n  - uses: acme/tool@v1\n"),
    ],
  },
};

type Unpinned = {
  readonly path: string;
  readonly line: number;
  readonly action: string;
  readonly isBranch: boolean;
  /** The file already used tags of third-party actions before this change. */
  readonly isHabit: boolean;
};

function unpinnedIn(view: FileView): readonly Unpinned[] {
  const before = new Set<string>();
  for (const hunk of view.file.hunks) {
    for (const { kind, text } of walkHunk(hunk)) {
      const used = kind === "added" ? null : floatingAction(text);
      if (used !== null) before.add(used.action);
    }
  }
  return view.added.flatMap(({ line, text }) => {
    const used = floatingAction(text);
    // Updating an existing action to a newer tag is not reported.
    if (used === null || before.has(used.action)) return [];
    return [{ path: view.path, line, ...used, isHabit: before.size > 0 }];
  });
}

function floatingAction(text: string): { readonly action: string; readonly isBranch: boolean } | null {
  const [, action, inner = "", version = ""] = USES.exec(text) ?? [];
  if (action === undefined || PLATFORM.test(action) || COMMIT.test(version) || version.includes("${{"))
    return null;
  // Reusable workflows usually belong to the same organization.
  return inner.includes("/workflows/") ? null : { action, isBranch: BRANCH.test(version) };
}
