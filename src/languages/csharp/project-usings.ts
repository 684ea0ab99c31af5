/** Namespaces that all C# files of a project use: by `global using` in one of them, or by `<Using>` in the project's own files. */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";
import { fileNameOf } from "../../base/file-name.ts";
import type { FileReferences } from "../exports/export-change.ts";

const SHARED = "Directory.Build.props";

/** Whether the file uses the namespace without saying so. */
export type ProjectUsings = (path: string, namespace: string) => boolean;

export function isProjectFile(path: string): boolean {
  return path.endsWith(".csproj") || fileNameOf(path) === SHARED;
}

/** `projects`: texts of those of the `paths` that `isProjectFile` accepts. */
export function readProjectUsings(
  files: readonly FileReferences[],
  { paths, projects }: { readonly paths: Iterable<string>; readonly projects: ReadonlyMap<string, string> },
): ProjectUsings {
  const byFolder = new Map<string, string[]>();
  for (const path of paths) if (path.endsWith(".csproj")) appendTo(byFolder, containingFolder(path), path);
  const byProject = new Map<string, ReadonlySet<string>>();

  function projectOf(path: string): string | null {
    const [only, ...others] = firstAbove(path, (folder) => byFolder.get(folder)) ?? [];
    return only === undefined || others.length > 0 ? null : only;
  }

  function namespacesOf(project: string): ReadonlySet<string> {
    const known = byProject.get(project);
    if (known !== undefined) return known;
    const own = usingsOf(projects.get(project) ?? "");
    const shared = firstAbove(project, (folder) =>
      projects.get(folder === "" ? SHARED : `${folder}/${SHARED}`),
    );
    const above = shared === null ? NOTHING : usingsOf(shared);
    const inCode = own.hasAllFiles
      ? files.flatMap(({ path, globalUsings = [] }) =>
          globalUsings.length > 0 && projectOf(path) === project ? globalUsings : [],
        )
      : [];
    const named = [...above.added, ...own.added].filter((name) => !own.removed.includes(name));
    const all = new Set([...named, ...inCode]);
    byProject.set(project, all);
    return all;
  }

  return (path, namespace) => {
    const project = path.endsWith(".cs") ? projectOf(path) : null;
    return project !== null && namespacesOf(project).has(namespace);
  };
}

/** Looks in the file's folder, then in those around it. */
function firstAbove<Found>(path: string, find: (folder: string) => Found | undefined): Found | null {
  let folder = path;
  do {
    folder = containingFolder(folder);
    const found = find(folder);
    if (found !== undefined) return found;
  } while (folder !== "");
  return null;
}

type Usings = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** All code in the folder belongs to the project, and no other. */
  readonly hasAllFiles: boolean;
};

const NOTHING: Usings = { added: [], removed: [], hasAllFiles: false };

/** Only what every build has. */
function usingsOf(text: string): Usings {
  const root = parseXmlFile(text);
  if (root?.name !== "Project") return NOTHING;
  const groups = root.children.filter(({ name }) => name === "ItemGroup");
  const items = groups.flatMap(({ children }) => children.filter(({ name }) => name === "Using"));
  const plain = groups.filter(hasOnly([])).flatMap(({ children }) => children.filter(hasOnly(["Include"])));
  return {
    added: plain.flatMap((item) => (item.name === "Using" ? listed(item, "Include") : [])),
    removed: items.flatMap((item) => listed(item, "Remove")),
    hasAllFiles: !/<Compile\b|\bEnableDefault(?:Compile)?Items\b/i.test(text),
  };
}

/** A condition, an alias and `Static` are attributes too, or elements. */
function hasOnly(allowed: readonly string[]): (node: XmlNode) => boolean {
  return ({ name, attributes, children }) =>
    Object.keys(attributes).every((each) => allowed.includes(each)) &&
    (name === "ItemGroup" || children.length === 0);
}

function listed({ attributes }: XmlNode, key: string): readonly string[] {
  return (attributes[key] ?? "").split(";").map((each) => each.trim());
}
