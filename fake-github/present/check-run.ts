/** Check runs as GitHub's API shows them. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { apiUrl, type CheckAnnotation, type CheckRun, fullName, type World } from "../world.ts";
import { presentApp } from "./app.ts";
import { baseOf, pullRequestUrl } from "./pull-request.ts";

const ACTIONS = { id: 15_368, slug: "github-actions", name: "GitHub Actions" };

const OTHER = { id: 15_369, slug: "other", name: "other" };

export async function presentCheckRun(world: World, run: CheckRun): Promise<JsonObject> {
  const repositoryUrl = `${apiUrl(world)}/repos/${fullName(run.repository)}`;
  const url = `${repositoryUrl}/check-runs/${run.id}`;
  const minimal = { id: run.repository.id, url: repositoryUrl, name: run.repository.name };
  const pullRequests = world.pullRequests.filter(
    // GitHub doesn't list pull requests from forks here.
    (each) => each.isOpen && each.head === run.head && each.headRepository === run.repository,
  );
  return {
    id: run.id,
    node_id: `CR_${run.id}`,
    head_sha: run.head,
    external_id: run.externalId,
    url,
    html_url: `${world.origin}/${fullName(run.repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: isoTime(run.startedAtMs),
    completed_at: run.completedAtMs === null ? null : isoTime(run.completedAtMs),
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.repository.id },
    app: run.isViaApp ? presentApp(world) : { ...presentApp(world), ...(run.log === null ? OTHER : ACTIONS) },
    pull_requests: await Promise.all(
      pullRequests.map(async (each) => ({
        id: each.id,
        number: each.number,
        url: pullRequestUrl(world, each),
        head: { ref: each.headRef, sha: each.head, repo: minimal },
        base: { ref: each.baseRef, sha: await baseOf(each), repo: minimal },
      })),
    ),
  };
}

export function presentAnnotation(world: World, run: CheckRun, annotation: CheckAnnotation): JsonObject {
  const { path, startLine, endLine, level, title, message } = annotation;
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    start_column: null,
    end_column: null,
    annotation_level: level,
    title,
    message,
    raw_details: null,
    blob_href: `${world.origin}/${fullName(run.repository)}/blob/${run.head}/${path}`,
  };
}
