/**
 * Reports workflows that request write access to everything, and self-hosted runners for pull requests, whose code then runs on
 * a machine that stays.
 */
import { isWorkflow } from "../../base/path-kinds.ts";
import { shownLines } from "../lines/shown-lines.ts";
import type { FileView, LineRule } from "../rule.ts";

const WRITE_ALL = /^\s*["']?permissions["']?:\s*["']?write-all\b/;
const SELF_HOSTED = /^\s*(?:- )?["']?runs-on["']?:\s*(?:\[\s*)?["']?self-hosted\b/;
const ON_PULL_REQUEST = /^(?:on:.*\bpull_request\b|\s+(?:- )?pull_request:?\s*$)/;

export const workflowBroadPermissions: LineRule = {
  kind: "line",
  id: "workflow-broad-permissions",
  title: "Workflow token has write access to everything",
  severity: "major",
  category: "security",
  why: "A single compromised dependency or action can then push code, publish releases and edit issues.",
  fix: "Grant only the permissions that the job needs, for example `contents: read`.",
  languages: ["yaml"],
  isFor: ({ path }) => isWorkflow(path),
  check({ line, text }, file) {
    if (WRITE_ALL.test(text)) return { line };
    if (!SELF_HOSTED.test(text) || !runsPullRequests(file)) return null;
    return {
      line,
      severity: "medium",
      title: "Pull requests run on a self-hosted runner",
      detail: "In a public repository, a pull request from a fork can run any code on this machine.",
    };
  },
};

function runsPullRequests(file: FileView): boolean {
  return [...shownLines(file).values()].some((text) => ON_PULL_REQUEST.test(text));
}
