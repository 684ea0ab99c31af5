/**
 * Reports third-party actions that aren't pinned to a commit, where that stands out: on a branch of an unknown owner, or by tag in a
 * file that pins its actions. One finding per change; updates of such actions are ignored.
 */
import { count } from "../../base/count.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import { isWorkflow } from "../../base/path-kinds.ts";
import type { ChangeRule, FileView } from "../rule.ts";

const USES = /^\s*(?:-\s+)?["']?uses["']?:\s*["']?([\w.-]+\/[\w.-]+)(\/[^@\s"']+)?@([^\s"'#]+)/;
const COMMIT = /^[0-9a-f]{40,64}$/;
/** Maintained by GitHub, which already runs the workflow. */
const PLATFORM = /^(?:actions|github)\//i;
const PLATFORM_USE = /uses["']?:\s*["']?(?:actions|github)\//i;
/** Organizations whose branches are meant to be used, or whose tools the workflow trusts anyway. */
const KNOWN_OWNER =
  /^(?:docker|aws-actions|azure|google-github-actions|hashicorp|microsoft|ruby|shivammathur|pnpm|oven-sh|denoland|astral-sh|codecov|dtolnay|rust-lang|swatinem|taiki-e|softprops|peter-evans|golangci|goreleaser|gradle|cloudflare|pypa|sigstore|step-security|super-linter|crazy-max|easingthemes|actions-rs|haskell-actions|julia-actions|erlef|snyk|sonarsource)\//i;
/** A workflow that runs only in its own repository names the owner. */
const OWN_REPOSITORY = /\bgithub\.repository(?:_owner)?\s*==\s*["']([\w.-]+)/g;
const BRANCH = /^(?:main|master|HEAD|develop|dev|trunk)$/;

export const unpinnedAction: ChangeRule = {
  kind: "change",
  id: "unpinned-action",
  title: "Unpinned third-party action: it has no commit SHA",
  severity: "medium",
  category: "security",
  why: "Anyone who controls the action's repository can move the tag or branch. The new code then runs with this workflow's token and secrets.",
  fix: "Pin it to the full commit SHA and keep the version in a comment, which update tools such as Dependabot read.",
  *check({ files }) {
    const workflows = files.filter(({ path }) => isWorkflow(path));
    const trusted = new Set(workflows.flatMap(trustedOwnersIn));
    const unpinned = workflows.flatMap(unpinnedIn).filter(({ action }) => !trusted.has(ownerOf(action)));
    const first = unpinned.find(({ isBranch }) => isBranch) ?? unpinned.find(({ isOutlier }) => isOutlier);
    if (first === undefined) return;
    const others = new Set(unpinned.map(({ action }) => action)).size - 1;
    const also = others === 0 ? "" : `, and the change adds ${count(others, "more unpinned action")}`;
    yield {
      path: first.path,
      line: first.line,
      detail: `\`${first.action}\` is pinned only to ${first.isBranch ? "a branch" : "a tag"}${also}.`,
    };
  },
};

type Unpinned = {
  readonly path: string;
  readonly line: number;
  readonly action: string;
  readonly isBranch: boolean;
  /** The other actions of the file are pinned to commits. */
  readonly isOutlier: boolean;
};

function unpinnedIn(view: FileView): readonly Unpinned[] {
  const before = new Set<string>();
  let hasPins = false;
  let hasTags = false;
  for (const hunk of view.file.hunks) {
    for (const { kind, text } of walkHunk(hunk)) {
      const used = kind === "added" ? null : floatingAction(text);
      if (used !== null) before.add(used.action);
      const version = kind === "removed" ? undefined : USES.exec(text)?.[3];
      if (version === undefined) continue;
      if (COMMIT.test(version)) hasPins = true;
      else if (kind === "context" || PLATFORM_USE.test(text)) hasTags = true;
    }
  }
  return view.added.flatMap(({ line, text }) => {
    const used = floatingAction(text);
    // Updating an existing action to a newer tag is not reported.
    if (used === null || before.has(used.action)) return [];
    return [{ path: view.path, line, ...used, isOutlier: hasPins && !hasTags }];
  });
}

/** The owner of the repository itself, and owners whose reusable workflows it already runs from a branch. */
function trustedOwnersIn({ file }: FileView): readonly string[] {
  return file.hunks.flatMap((hunk) =>
    walkHunk(hunk).flatMap(({ kind, text }) => {
      const own = kind === "removed" ? [] : [...text.matchAll(OWN_REPOSITORY)].map(([, owner = ""]) => owner);
      const [, workflow = "", inner = "", version = ""] = USES.exec(text) ?? [];
      const isRun = kind !== "added" && inner.includes("/workflows/") && BRANCH.test(version);
      return (isRun ? [...own, workflow] : own).map(ownerOf);
    }),
  );
}

/** Names of owners have no case. */
function ownerOf(action: string): string {
  return action.replace(/\/.*/, "").toLowerCase();
}

function floatingAction(text: string): { readonly action: string; readonly isBranch: boolean } | null {
  const [, action, inner = "", version = ""] = USES.exec(text) ?? [];
  if (action === undefined || PLATFORM.test(action) || COMMIT.test(version) || version.includes("${{"))
    return null;
  // Reusable workflows usually belong to the same organization.
  if (inner.includes("/workflows/")) return null;
  return { action, isBranch: BRANCH.test(version) && !KNOWN_OWNER.test(action) };
}
