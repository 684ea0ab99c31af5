/** The job that runs the Action: what the runner says about it in variables and files. */
import { KodiaiError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import type { CliFiles } from "../cli/command.ts";
import type { ActionEvent } from "./events.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type WorkflowJob = {
  readonly event: ActionEvent;
  /** The event as the runner wrote it, in JSON. */
  readonly eventText: string;
  readonly apiUrl: string;
  /** Of the pages: "https://github.com". */
  readonly serverUrl: string;
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  /** Identifies this attempt among all runs. */
  readonly runId: string;
  /** Folder for files of this job. */
  readonly temporaryFolder: string;
  /** Folder of a checkout, if there is one. The job of a change may have put anything there. */
  readonly workspace: string;
  /** Files that the runner reads afterwards; null if it has none. */
  readonly outputFile: string | null;
  readonly summaryFile: string | null;
};

/** Larger than any event; GitHub's webhooks have at most 25 MB. */
const MAX_EVENT_BYTES = 30_000_000;

export async function readWorkflowJob(
  env: Environment,
  { readFile }: Pick<CliFiles, "readFile">,
): Promise<WorkflowJob> {
  const required = (name: string): string => {
    const value = env[name];
    if (value !== undefined && value !== "") return value;
    throw new KodiaiError("usage", `${name} isn't set`, {
      hint: "`kodiai action` runs as a step of GitHub Actions. Elsewhere, use `kodiai review --pr URL --publish`.",
    });
  };
  const name = required("GITHUB_EVENT_NAME");
  const bytes = await readFile(required("GITHUB_EVENT_PATH"), MAX_EVENT_BYTES);
  const eventText = Buffer.from(bytes).toString("utf8");
  const payload = parseJson(eventText);
  if (payload === undefined)
    throw new KodiaiError("bad-json", "the event file isn't JSON", {
      hint: "GITHUB_EVENT_PATH must name the file that the runner wrote.",
    });
  const [owner = "", repository = ""] = required("GITHUB_REPOSITORY").split("/");
  return {
    event: { name, payload },
    eventText,
    apiUrl: required("GITHUB_API_URL"),
    serverUrl: required("GITHUB_SERVER_URL"),
    owner,
    name: repository,
    repositoryId: Number(required("GITHUB_REPOSITORY_ID")),
    runId: `${required("GITHUB_RUN_ID")}-${env["GITHUB_RUN_ATTEMPT"] ?? "1"}-${env["GITHUB_ACTION"] ?? ""}`,
    temporaryFolder: required("RUNNER_TEMP"),
    workspace: env["GITHUB_WORKSPACE"] ?? required("RUNNER_TEMP"),
    outputFile: env["GITHUB_OUTPUT"] ?? null,
    summaryFile: env["GITHUB_STEP_SUMMARY"] ?? null,
  };
}
