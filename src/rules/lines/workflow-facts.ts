/** The names and contexts that GitHub accepts in a workflow, as data. A name that isn't here may be new, so only near misses of these names are reported. */

/** The contexts that an expression may use, by the key that has it. GitHub refuses the workflow for any other known context. */
export const CONTEXTS_OF_JOB: Readonly<Record<string, string>> = {
  name: "github needs strategy matrix vars inputs",
  if: "github needs vars inputs",
  "runs-on": "github needs strategy matrix vars inputs",
  concurrency: "github needs strategy matrix vars inputs",
  env: "github needs strategy matrix vars secrets inputs",
  strategy: "github needs vars inputs",
  "continue-on-error": "github needs strategy matrix vars inputs",
  "timeout-minutes": "github needs strategy matrix vars inputs",
  with: "github needs strategy matrix vars inputs",
  secrets: "github needs strategy matrix vars secrets inputs",
};

export const CONTEXTS_OF_WORKFLOW: Readonly<Record<string, string>> = {
  env: "github secrets inputs vars",
  concurrency: "github inputs vars",
  "run-name": "github inputs vars",
};

export const CONTEXTS_OF_STEP: Readonly<Record<string, string>> = {
  if: "github needs strategy matrix job runner env vars steps inputs",
};

export const ALL_CONTEXTS: ReadonlySet<string> = new Set(
  "github needs strategy matrix vars secrets inputs env job jobs runner steps".split(" "),
);

export const EVENTS: readonly string[] = (
  "branch_protection_rule check_run check_suite create delete deployment deployment_status discussion discussion_comment fork gollum " +
  "image_version issue_comment issues label merge_group milestone page_build project project_card project_column public pull_request " +
  "pull_request_review pull_request_review_comment pull_request_target push registry_package release repository_dispatch schedule " +
  "status watch workflow_call workflow_dispatch workflow_run"
).split(" ");

export const WORKFLOW_KEYS: readonly string[] =
  "name run-name on permissions env defaults concurrency jobs".split(" ");

export const JOB_KEYS: readonly string[] = (
  "name permissions needs if runs-on snapshot environment concurrency outputs env defaults steps timeout-minutes strategy " +
  "continue-on-error container services uses with secrets"
).split(" ");

export const STEP_KEYS: readonly string[] =
  "id if name uses run working-directory shell with env continue-on-error timeout-minutes parallel background wait wait-all cancel".split(
    " ",
  );

export const PERMISSIONS: readonly string[] = (
  "actions artifact-metadata attestations checks contents deployments discussions id-token issues models packages pages " +
  "pull-requests repository-projects security-events statuses"
).split(" ");

/** Versions that GitHub has switched off: a step that uses one fails. */
export const SWITCHED_OFF =
  /^(?:actions\/(?:upload|download)-artifact@v[123](?:\.\d+){0,2}|actions\/cache(?:\/(?:save|restore))?@v[12](?:\.\d+){0,2})$/;

/** Commands that runners refuse since 2020. */
export const REFUSED_COMMAND = /::(set-env|add-path)(?: name=[^:]{1,100})?::/;
