/**
 * Files that decide what runs, who may do what, or what is secret. Write mode edits them only if `write.allowPaths` names them. A list, so
 * that a new tool is one entry. Pure.
 */
import { compileGlobs, type GlobSet } from "../../base/glob.ts";
import { foldPath } from "./fold-path.ts";

/**
 * `name/` is a folder with everything in it, `*.x` an ending, and everything else the end of a path. All of them count at any depth: a tool may
 * be started in any folder.
 */
type Protection = {
  /** Completes "it is …". */
  readonly what: string;
  readonly entries: readonly string[];
  /** Source code may have such a name. */
  readonly isDataOnly?: true;
};

const PROTECTIONS: readonly Protection[] = [
  {
    what: "a file that a CI system or the host runs",
    entries: [
      ".github/",
      ".gitlab/",
      ".circleci/",
      ".buildkite/",
      ".woodpecker/",
      ".teamcity/",
      ".azure-pipelines/",
      ".azuredevops/",
      ".semaphore/",
      ".forgejo/",
      ".gitea/",
      ".tekton/",
      ".harness/",
      ".builds/",
      "*gitlab-ci.{yml,yaml}",
      "azure-pipelines*.{yml,yaml}",
      "{.,}travis.{yml,yaml}",
      "Jenkinsfile{,.*}",
      "*.jenkinsfile",
      ".drone.{yml,yaml,jsonnet,star}",
      "bitbucket-pipelines.{yml,yaml}",
      ".woodpecker.{yml,yaml}",
      "{.,}appveyor.{yml,yaml}",
      ".cirrus.{yml,yaml,star}",
      ".build.{yml,yaml}",
      "buildspec*.{yml,yaml}",
      "cloudbuild*.{yml,yaml,json}",
      "{netlify,wercker,codeship-services,codeship-steps}.{toml,yml,yaml}",
      "action.{yml,yaml}",
    ],
  },
  { what: "a file that a CI system or the host runs", entries: ["Jenkinsfile*"], isDataOnly: true },
  {
    what: "the settings or instructions of an agent or editor",
    entries: [
      ".claude/",
      ".codex/",
      ".cursor/",
      ".gemini/",
      ".windsurf/",
      ".continue/",
      ".clinerules/",
      ".roo/",
      ".kiro/",
      ".junie/",
      ".devcontainer/",
      ".idea/",
      ".zed/",
      ".fleet/",
      ".mcp.json",
      "mcp.json",
      "AGENTS.md",
      "AGENTS.override.md",
      "CLAUDE.md",
      "CLAUDE.local.md",
      "GEMINI.md",
      "REVIEW.md",
      ".{cursor,windsurf,cline,roo}rules",
      ".aider*",
      ".devcontainer.json",
      ".vscode/{tasks,settings,launch,mcp}.json",
      "*.code-workspace",
    ],
  },
  {
    what: "a hook",
    entries: [
      ".husky/",
      ".githooks/",
      ".git-hooks/",
      ".lefthook/",
      ".lefthook-local/",
      ".pre-commit-config.{yml,yaml}",
      ".pre-commit-hooks.{yml,yaml}",
      "{.,}lefthook{,-local}.{yml,yaml,toml,json}",
      "{.,}huskyrc{,.json,.js,.cjs,.mjs,.yml,.yaml}",
      "{.,}simple-git-hooks.{json,js,cjs}",
      ".overcommit.yml",
    ],
  },
  {
    what: "the configuration of a package manager",
    entries: [
      ".yarn/",
      ".npmrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".pnpmfile.{cjs,mjs}",
      "pip.{conf,ini}",
      ".pypirc",
      "uv.toml",
      "bunfig.toml",
      ".cargo/config{,.toml}",
      ".cargo/credentials{,.toml}",
      "NuGet.config",
      ".bundle/config",
      ".gem/credentials",
      ".m2/settings{,-security}.xml",
      ".mvn/",
      "gradle-wrapper.{properties,jar}",
    ],
  },
  {
    what: "a key, a credential or an environment",
    entries: [
      ".ssh/",
      ".gnupg/",
      ".aws/",
      ".azure/",
      ".kube/",
      ".docker/config.json",
      ".dockercfg",
      ".env*",
      "*.{pem,key,p12,pfx,p8,ppk,jks,keystore,kdbx,kubeconfig,ovpn,asc,gpg}",
      "kubeconfig",
      ".netrc",
      "_netrc",
      ".pgpass",
      ".my.cnf",
      ".htpasswd",
      ".git-credentials",
    ],
  },
  {
    what: "a key or a credential",
    entries: ["*credentials*", "id_{rsa,dsa,ecdsa,ed25519}*", "kubeconfig*"],
    isDataOnly: true,
  },
  {
    what: "a file that decides who reviews, what a review shows, or what Kodiai may do",
    entries: [".kodiai/", ".kodiai.yml", ".gitattributes", "CODEOWNERS"],
  },
];

/** Names of files that hold values rather than code: without an ending, or with that of a data format. */
const DATA_NAME =
  /^\.?[^.]*$|\.(?:json|ya?ml|toml|ini|cfg|conf|properties|xml|txt|csv|tsv|enc|bak|old|dat|db|pub)$/;

type Entry = {
  readonly what: string;
  readonly isDataOnly: boolean;
  readonly folder: string | null;
  readonly glob: GlobSet;
  readonly parts: readonly string[];
};

const ENTRIES: readonly Entry[] = PROTECTIONS.flatMap(({ what, entries, isDataOnly = false }) =>
  entries.map((entry) => {
    const folded = entry.toLowerCase();
    return {
      what,
      isDataOnly,
      folder: folded.endsWith("/") ? folded.slice(0, -1) : null,
      glob: compileGlobs([`**/${folded}`]),
      parts: folded.split("/"),
    };
  }),
);

export type ProtectedAs = {
  readonly what: string;
  /** Paths that differ from the given one only in what is protected. A glob that matches them all doesn't name the protected file. */
  readonly decoys: readonly string[];
};

/** The reasons why a path is protected, in any case and spelling; empty for an ordinary file. */
export function protectionsOf(path: string): readonly ProtectedAs[] {
  const folded = foldPath(path);
  const names = folded.split("/");
  const isData = DATA_NAME.test(names.at(-1) ?? "");
  return ENTRIES.flatMap(({ what, isDataOnly, folder, glob, parts }) => {
    if (isDataOnly && !isData) return [];
    if (folder === null)
      return glob(folded) ? [{ what, decoys: decoysAtEnd(path, parts.length, parts.at(-1) ?? "") }] : [];
    const at = names.indexOf(folder);
    return at === -1 ? [] : [{ what, decoys: [withName(path, at, "decoy")] }];
  });
}

/** Paths in which another file is at the same place. */
export function decoysOf(path: string): readonly string[] {
  return decoysAtEnd(path, 1, "");
}

function decoysAtEnd(path: string, count: number, pattern: string): readonly string[] {
  const names = path.split("/");
  const last = names.length - 1;
  const name = names[last] ?? "";
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot === -1 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  const other = pattern.startsWith("*.") ? `${stem}.decoy` : `decoy${ending}`;
  const folders = Array.from({ length: count - 1 }, (_, index) => withName(path, last - 1 - index, "decoy"));
  return [withName(path, last, other), ...folders];
}

function withName(path: string, at: number, name: string): string {
  return path.split("/").with(at, name).join("/");
}
