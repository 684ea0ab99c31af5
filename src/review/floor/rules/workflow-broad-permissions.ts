/** Reports workflows that request write access to everything. */
import { isWorkflow } from "../lines/path-kinds.ts";
import { bad, good, type LineRule } from "../rule.ts";

const WRITE_ALL = /^\s*["']?permissions["']?:\s*["']?write-all\b/;

export const workflowBroadPermissions: LineRule = {
  kind: "line",
  id: "workflow-broad-permissions",
  title: "Workflow token has write access to everything",
  severity: "major",
  category: "security",
  why: "A single compromised dependency or action can then push code, publish releases and edit issues.",
  fix: "Grant only the permissions that the job needs, for example `contents: read`.",
  languages: ["yaml"],
  inTests: false,
  isFor: ({ path }) => isWorkflow(path),
  check({ line, text }) {
    return WRITE_ALL.test(text) ? { line } : null;
  },
  examples: {
    bad: [
      bad(".github/workflows/a.yml", 2, "on: push\npermissions: write-all\n"),
      bad(".github/workflows/b.yml", 3, "jobs:\n  x:\n    permissions: 'write-all' # simpler\n"),
    ],
    good: [
      good(".github/workflows/a.yml", "permissions: read-all\n"),
      good(".github/workflows/b.yml", "permissions:\n  contents: write\n"),
      good(".github/workflows/c.yml", "# permissions: write-all\npermissions: {}\n"),
    ],
  },
};
