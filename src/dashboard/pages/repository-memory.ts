/** The memory of one repository, with forms to change it: learnings, suppressed patterns, and past findings. */
import { count, grouped } from "../../base/count.ts";
import { LEARNING_KINDS } from "../../review/context/learning.ts";
import { actionForm } from "../components/action-form.ts";
import { dataTable } from "../components/data-table.ts";
import { externalLink } from "../components/external-link.ts";
import { type Html, html, type HtmlValue, NO_HTML } from "../components/html.ts";
import { percent, severityMark, stateMark, timeAgo } from "../components/marks.ts";
import { emptyState, section, selectField } from "../components/sections.ts";
import type { DashboardPage, Viewer } from "../page.ts";
import { parseId, readId, withQuery } from "../read/read-query.ts";
import { readShownSuppressions, type ShownSuppression } from "../read/read-suppressions.ts";
import { listLearnings, type StoredLearning } from "../../store/repositories/learnings.ts";
import { listMemories, type MemoryRow } from "../../store/repositories/memories.ts";
import { readKnownRepository } from "../../store/repositories/memory-records.ts";

const MAX_LEARNINGS = 100;
const MEMORIES_PER_PAGE = 50;

type Shown = { readonly repositoryId: number; readonly viewer: Viewer; readonly now: number };

export const repositoryMemoryPage: DashboardPage = {
  path: "/repositories/:repositoryId/memory",
  needs: "repository",
  async answer({ params, query, viewer }, { database, now }) {
    const repositoryId = parseId(params["repositoryId"]);
    if (repositoryId === null) return { kind: "not-found" };
    const known = await readKnownRepository(repositoryId, database);
    const shown: Shown = { repositoryId, viewer, now: now() };
    const learnings = await listLearnings(repositoryId, shown.now, database);
    const suppressions = await readShownSuppressions(repositoryId, { database, now });
    const before = readId(query, "before");
    const memories = await listMemories(
      { repositoryId, ...(before === null ? {} : { before }), limit: MEMORIES_PER_PAGE },
      database,
    );
    const body = html`${exportForm(shown)}${learningSection(learnings, shown)}${suppressionSection(suppressions, shown)}${memorySection(memories, shown)}`;
    return { kind: "page", title: `Memory of ${known?.name ?? "a repository"}`, body };
  },
};

function exportForm({ repositoryId, viewer: { csrf } }: Shown): Html {
  return actionForm({
    name: "export-memory",
    csrf,
    fields: { repository: String(repositoryId) },
    label: "Export",
    about: "everything that is remembered about this repository",
  });
}

function learningSection(learnings: readonly StoredLearning[], shown: Shown): Html {
  const items = learnings.slice(0, MAX_LEARNINGS).map((each) => learningItem(each, shown));
  const more = learnings.length - items.length;
  return section(
    "Learnings",
    html`${
      items.length === 0
        ? emptyState(
            "No learnings yet.",
            "Reviews learn from reactions to their comments. You can also state one here.",
          )
        : html`<ul class="items">${items}</ul>`
    }${more > 0 ? html`<p class="note">And ${count(more, "more learning")}; <code>kodiai memory list</code> has all.</p>` : NO_HTML}${addForm(shown)}`,
    "Statements about how this team works, which models read before they review.",
  );
}

function learningItem(learning: StoredLearning, { viewer: { csrf }, now }: Shown): Html {
  const { id, text, kind, source, confidence, uses, lastUsedAt, paths, provenance, createdBy, createdAt } =
    learning;
  const fields = { learning: String(id) };
  const used =
    lastUsedAt === null ? "never used" : html`used ${count(uses, "time")}, last ${timeAgo(lastUsedAt, now)}`;
  const edit = actionForm({
    name: "edit-learning",
    csrf,
    fields,
    label: "Save",
    about: `learning l${id}`,
    inputs: learningInputs({ text, kind, paths }),
  });
  return html`<li id="l${id}"><p class="prose">${text}</p>
<p class="quiet">l${id}, ${kind}, ${paths.length === 0 ? "all files" : paths.join(", ")}; ${used}; ${percent(confidence)} certain; from ${source}, ${createdBy}, ${timeAgo(createdAt, now)}${provenance === null ? null : html`; ${provenance}`}</p>
<div class="actions"><details><summary>Edit<span class="heard"> learning l${id}</span></summary>${edit}</details>${actionForm({ name: "forget-learning", csrf, fields, label: "Forget", about: `learning l${id}`, isGrave: true })}</div></li>
`;
}

function learningInputs({ text, kind, paths }: Pick<StoredLearning, "text" | "kind" | "paths">): Html {
  return html`<label>Text <textarea name="text" rows="3" required>${text}</textarea></label>${selectField(
    { name: "kind", label: "Kind", chosen: kind },
    LEARNING_KINDS.map((each) => [each, each] as const),
  )}<label>Files, a glob on each line <textarea name="paths" rows="2">${paths.join("\n")}</textarea></label>`;
}

function addForm({ repositoryId, viewer: { csrf } }: Shown): Html {
  const fields = { repository: String(repositoryId) };
  const inputs = learningInputs({ text: "", kind: "preference", paths: [] });
  return html`<details><summary>State a learning</summary>${actionForm({ name: "add-learning", csrf, fields, label: "Add", about: "this learning", inputs })}</details>`;
}

function suppressionSection(
  suppressions: readonly ShownSuppression[],
  { viewer: { csrf }, now }: Shown,
): Html {
  const title = "Suppressed patterns";
  if (suppressions.length === 0)
    return section(
      title,
      html`<p class="quiet">Nothing is suppressed: no pattern was rejected often enough.</p>`,
    );
  return section(
    title,
    dataTable({
      caption: title,
      columns: [
        { label: "Pattern" },
        { label: "State" },
        { label: "Since" },
        { label: "Because" },
        { label: "Findings hidden" },
        { label: "Action" },
      ],
      rows: suppressions.map((each) => [
        html`${each.title} <span class="quiet">s${each.id}</span>`,
        stateMark(each.isInForce ? "in force" : each.undoneAt === null ? "expired" : "undone"),
        timeAgo(each.createdAt, now),
        becauseOf(each),
        hiddenBy(each, now),
        each.isInForce
          ? actionForm({
              name: "lift-suppression",
              csrf,
              fields: { suppression: String(each.id) },
              label: "Report again",
              about: each.title,
            })
          : each.undoneBy === null
            ? "–"
            : `undone by ${each.undoneBy}`,
      ]),
    }),
    "Findings that people's feedback hides. Critical findings and those about security are never hidden. A finding counts as hidden once for each review that found it.",
  );
}

function becauseOf({ rejections }: ShownSuppression): HtmlValue {
  const [newest] = rejections;
  if (newest === undefined) return "–";
  const people = new Set(rejections.map(({ person }) => person)).size;
  const pullRequests = new Set(rejections.map(({ pullRequest }) => pullRequest)).size;
  const counts = `${count(rejections.length, "rejection")} by ${count(people, "person", "people")} on ${count(pullRequests, "pull request")}`;
  return html`${counts}${newest.url === null ? null : html` ${externalLink(newest.url, "Newest")}`}`;
}

function hiddenBy({ effect }: ShownSuppression, now: number): HtmlValue {
  if (effect === null) return "none";
  const { hidden, lastHiddenAt } = effect;
  return lastHiddenAt === null
    ? grouped(hidden)
    : html`${grouped(hidden)}, last ${timeAgo(lastHiddenAt, now)}`;
}

function memorySection(memories: readonly MemoryRow[], { repositoryId, viewer: { csrf }, now }: Shown): Html {
  const title = "Remembered findings";
  const last = memories.length === MEMORIES_PER_PAGE ? memories.at(-1) : undefined;
  if (memories.length === 0) return section(title, html`<p class="quiet">None.</p>`);
  return section(
    title,
    html`${dataTable({
      caption: title,
      columns: [
        { label: "Finding" },
        { label: "Outcome" },
        { label: "File" },
        { label: "Pull request", isNumber: true },
        { label: "When" },
        { label: "Action" },
      ],
      rows: memories.map(({ id, severity, title: text, url, outcome, path, pullRequest, createdAt }) => [
        html`${severityMark(severity)} ${externalLink(url, text)}`,
        stateMark(outcome),
        html`<code>${path}</code>`,
        html`<a href="${withQuery("/reviews", { repository: String(repositoryId), pr: String(pullRequest) })}">#${pullRequest}</a>`,
        timeAgo(createdAt, now),
        actionForm({
          name: "forget-memory",
          csrf,
          fields: { memory: String(id) },
          label: "Forget",
          about: `memory m${id}`,
          isGrave: true,
        }),
      ]),
    })}${last === undefined ? NO_HTML : html`<p><a rel="next" href="${withQuery(`/repositories/${repositoryId}/memory`, { before: String(last.id) })}">Older findings</a></p>`}`,
  );
}
