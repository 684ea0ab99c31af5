/**
 * `npm run image`: builds the image from the Dockerfile, runs it as compose.yaml does, and prints its size by part. Needs root, and
 * on Debian: apt-get install buildah podman runc mmdebstrap. Takes three minutes, one when the base images are there.
 */
import process from "node:process";
import { stages, textsOf, project } from "../test/support/deployment-files.ts";
import { build, isInstalled } from "./image/containers.ts";
import { measureImage } from "./image/measure-image.ts";
import { prepareBases } from "./image/prepare-bases.ts";
import { proveImage } from "./image/prove-image.ts";

const IMAGE = "localhost/kodiai";

/** A list of thousands of files helps no reader. */
const MAX_UNNEEDED_SHOWN = 20;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const missing = ["buildah", "podman", "mmdebstrap"].filter((program) => !isInstalled(program));
if (missing.length > 0)
  throw new Error(
    `Not installed: ${missing.join(", ")}. On Debian: apt-get install ${missing.join(" ")} runc`,
  );

// A stage may start from an earlier one by its name. Debian comes first, because Node's stand-in is made of it.
const bases = stages.flatMap((stage) => textsOf(stage, "FROM").map((text) => text.split(" ")[0] ?? ""));
const origin = await prepareBases([...new Set(bases)].toSorted());
print(
  `base images: ${origin === "registry" ? "from the registry" : "stand-ins made of Debian's packages; the registry can't be reached"}`,
);
await build(project, IMAGE);
print("builds from the unchanged Dockerfile");
await proveImage(IMAGE, print);
const { parts, totalBytes, unneeded } = await measureImage(IMAGE);
for (const { name, bytes } of parts) print(`${megabytes(bytes).padStart(10)}  ${name}`);
print(`${megabytes(totalBytes).padStart(10)}  in all`);
for (const path of unneeded.slice(0, MAX_UNNEEDED_SHOWN)) print(`not needed at run time: ${path}`);
if (unneeded.length > MAX_UNNEEDED_SHOWN) print(`… and ${unneeded.length - MAX_UNNEEDED_SHOWN} more`);
process.exitCode = unneeded.length > 0 ? 1 : 0;
