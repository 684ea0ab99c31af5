/** `kodiai advisories download`: a copy of OSV's advisories, for machines without a network and for reviews that ask for nothing. */
import { dirname } from "node:path";
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { ECOSYSTEM_IDS, type EcosystemId } from "../ecosystems/ecosystem.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { createProgress } from "./progress.ts";

/** OSV has no advisories of these. Written out, because the help must not load all ecosystems. */
const WITHOUT_ADVISORIES: ReadonlySet<EcosystemId> = new Set(["docker", "pre-commit", "terraform"]);

export const ADVISORY_ECOSYSTEMS = ECOSYSTEM_IDS.filter((id) => !WITHOUT_ADVISORIES.has(id));

export const advisoriesDownload: Command = {
  name: "advisories download",
  argumentNames: "ECOSYSTEM…",
  positionals: { min: 1, max: ADVISORY_ECOSYSTEMS.length },
  description: `Downloads all advisories of an ecosystem from OSV, for KODIAI_ADVISORIES: ${ADVISORY_ECOSYSTEMS.join(", ")}.\nOSV's own names work too, such as PyPI. An earlier copy stays until the new one is complete. Run it again to update.`,
  options: {
    to: { type: "string", value: "DIR", help: "the folder for the copy (default: KODIAI_ADVISORIES)" },
    from: {
      type: "string",
      value: "URL|DIR",
      help: "a mirror of OSV's bucket: a URL, or a folder with files such as npm/all.zip (default: OSV)",
    },
  },
  examples: [
    { line: "kodiai advisories download npm pypi --to advisories", comment: "download two ecosystems" },
    {
      line: "KODIAI_ADVISORIES=advisories kodiai deps --offline",
      comment: "use the copy, without a request",
    },
    {
      line: "kodiai advisories download npm --from /media/osv --to advisories",
      comment: "files that another machine downloaded",
    },
  ],
  run,
};

async function run({ positionals, options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const ecosystems = new Set(await Promise.all(positionals.map(ecosystemNamed)));
  const [to, from] = [options["to"], options["from"]].map((value) =>
    typeof value === "string" ? value : null,
  );
  let folder = "";
  for (const ecosystem of ecosystems) {
    const progress = createProgress(deps);
    try {
      const { path, bytes, entries, newest } = await deps.fetchAdvisories({
        ecosystem,
        to: to ?? null,
        from: from ?? null,
        onProgress: (what) => progress.update(what),
      });
      progress.clear();
      folder = dirname(path);
      deps.stdout.write(
        `${ecosystem}: ${count(entries, "advisory", "advisories")}, the newest of ${newest.slice(0, 10)}, ${(bytes / 1_000_000).toFixed(1)} MB in ${printable(path)}\n`,
      );
    } finally {
      progress.clear();
    }
  }
  if (typeof to === "string")
    deps.stdout.write(`\nTo use them, set KODIAI_ADVISORIES=${printable(folder)}\n`);
  return EXIT.ok;
}

async function ecosystemNamed(text: string): Promise<EcosystemId> {
  const { ecosystemOf } = await import("../ecosystems/all-ecosystems.ts");
  const name = text.toLowerCase();
  const found = ADVISORY_ECOSYSTEMS.find(
    (id) => id === name || ecosystemOf(id).advisoryNames?.osv.toLowerCase() === name,
  );
  if (found === undefined)
    throw usage(
      advisoriesDownload,
      `OSV has no advisories of ${printable(text)}; choose from ${ADVISORY_ECOSYSTEMS.join(", ")}`,
    );
  return found;
}
