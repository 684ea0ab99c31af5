/** `related_files`: the files that are connected with one file, and why. */
import * as z from "zod";
import type { RelatedFileList, RelatedReason } from "../review/context/code-lookup.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import { deadlineOf, namePath, notInRepository, ONLY_A_DIFF, refuse, treePath } from "./resolve-paths.ts";
import type { DataLine, ReadContext, Tool } from "./tool.ts";

const WORDS: Readonly<Record<RelatedReason, string>> = {
  test: "tests it",
  tested: "is tested by it",
  importer: "imports it",
  imported: "is imported by it",
  "changed-together": "changed together",
};

const schema = z.object({ path: z.string() });

export const relatedFilesTool: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "related_files",
  description:
    "The tests of a file, files that import it or that it imports, and files that change together with it. At most 50.",
  schema,
  isOffered: ({ repository, code }) => repository !== null && code !== null,
  async execute({ path: given }, context) {
    const { repository, code, guard, head } = context;
    if (repository === null || code === null) return ONLY_A_DIFF;
    const path = treePath(given, guard);
    if (path === null || (await repository.findEntry(head, path, deadlineOf(context))) !== "file")
      return notInRepository(given);
    const found = await code.findRelated(path);
    if (found === null)
      return refuse("The repository is too large, or reading it took too long. Use search_code instead.");
    const name = namePath(path, guard);
    const count =
      found.files.length === 0 ? `No related files of ${name}.` : `Files related to ${name}, closest first.`;
    return {
      text: [count, ...describeLimits(found)].join(" "),
      data: found.files.map((file) => showFile(file, context)),
    };
  },
};

function describeLimits({ omitted, gaps }: RelatedFileList): readonly string[] {
  return [
    ...(omitted > 0 ? [`${omitted} more aren't shown.`] : []),
    ...(gaps.includes("imports")
      ? ["Imports couldn't be read in time, so importing files may be missing."]
      : []),
    ...(gaps.includes("history") ? ["The history couldn't be read."] : []),
  ];
}

function showFile(
  { path, reasons, commits }: RelatedFileList["files"][number],
  { guard }: ReadContext,
): DataLine {
  const words = reasons.map((reason) =>
    reason === "changed-together" ? `${WORDS[reason]} in ${commits} commits` : WORDS[reason],
  );
  return { prefix: `${showPath(path, guard)}: ${words.join(", ")}`, text: "" };
}
