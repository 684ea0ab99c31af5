/** Reports untrusted text that a workflow interpolates into a script. Passing it through `env` is safe. */
import { isWorkflow } from "../../base/path-kinds.ts";
import type { ChangeRule } from "../rule.ts";
import { visibleLines } from "../lines/visible-lines.ts";
import { hasTrigger, scriptLines } from "../lines/workflow-scripts.ts";

/** Expressions that anyone can control: titles, bodies, branch names, commit messages and authors. */
const FOREIGN_TEXT =
  /\$\{\{(?:(?!\$\{\{)[^}]){0,200}?\bgithub\.(?:head_ref\b|event\.(?:issue|pull_request|discussion|release)\.(?:title|body)\b|event\.(?:comment|review|review_comment)\.body\b|event\.pull_request\.head\.(?:ref|label|repo\.default_branch)\b|event\.pages\b[^}]{0,40}page_name|event\.(?:head_commit|commits\[\d+\])\.(?:message|author\.(?:name|email))\b|event\.workflow_run\.(?:head_branch|display_title|head_commit\.message)\b)/;
/** Functions that always return a number or a boolean. */
const MADE_SAFE =
  /\$\{\{\s*(?:!|contains\(|startsWith\(|endsWith\(|toJSON\(github\.event\.\w+\.number|github\.[\w.]+\s*[!=]=)/;

export const workflowScriptInjection: ChangeRule = {
  kind: "change",
  id: "workflow-script-injection",
  title: "Script injection: untrusted input in a workflow script",
  severity: "must-fix",
  proof: "trace",
  category: "security",
  why: "GitHub expands the expression before the shell starts. A title or branch name that contains a command then runs on the runner, with its token and secrets.",
  fix: "Set the expression in the step's `env:` and use the quoted variable in the script.",
  *check({ files }) {
    for (const { path, file } of files) {
      if (!isWorkflow(path)) continue;
      const lines = visibleLines(file);
      const isOpen = hasTrigger(
        lines,
        "pull_request_target|issues|issue_comment|discussion|discussion_comment|workflow_run",
      );
      for (const { line, text, isAdded } of scriptLines(lines)) {
        if (!isAdded || text.trimStart().startsWith("#") || !FOREIGN_TEXT.test(text) || MADE_SAFE.test(text))
          continue;
        // With other triggers, forks get neither secrets nor a token that can write.
        yield { path, line, ...(isOpen ? { severity: "critical" as const } : { proof: null }) };
      }
    }
  },
};
