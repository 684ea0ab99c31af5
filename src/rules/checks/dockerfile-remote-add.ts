/** Reports files that an image build downloads without verifying them. */
import { isDockerfile, isSample } from "../../base/path-kinds.ts";
import { bad, good, type LineRule } from "../rule.ts";

const REMOTE_ADD = /^\s*ADD\s+(?:--(?!checksum)[\w-]+(?:=\S+)?\s+)*(?:["[]["[\s]*)?(https?):\/\//i;
/** An archive of a version can still be replaced; a git source pinned to a commit can't. */
const BY_COMMIT = /\.git#[0-9a-f]{40}\b/;

export const dockerfileRemoteAdd: LineRule = {
  kind: "line",
  id: "dockerfile-remote-add",
  title: "Remote file added to the image without a checksum",
  severity: "minor",
  category: "security",
  why: "Anyone who controls the URL or the network path controls what ends up in the image.",
  fix: "Pass the file's hash to `ADD` with `--checksum=sha256:…`.",
  languages: "any",
  inTests: false,
  isFor: ({ path }) => isDockerfile(path) && !isSample(path),
  check({ line, text }) {
    const [, scheme] = REMOTE_ADD.exec(text) ?? [];
    if (scheme === undefined || text.includes("--checksum") || BY_COMMIT.test(text)) return null;
    return { line, ...(scheme.toLowerCase() === "http" ? { severity: "medium" as const } : {}) };
  },
  examples: {
    bad: [
      bad("Dockerfile", 2, "FROM alpine:3.22\nADD https://acme.io/tool.tar.gz /opt/\n"),
      bad("Dockerfile", 2, "FROM alpine:3.22\nADD --chown=app http://acme.io/tool /usr/bin/tool\n"),
    ],
    good: [
      good(
        "Dockerfile",
        "FROM alpine:3.22\nADD --checksum=sha256:0123456789abcdef https://acme.io/tool.tar.gz /opt/\n",
      ),
      good("Dockerfile", "FROM alpine:3.22\nADD ./tool.tar.gz /opt/\nCOPY https.conf /etc/\n"),
      good(
        "Dockerfile",
        "FROM alpine:3.22\n# ADD https://acme.io/tool /opt/\nADD https://acme.io/tool.git#0123456789abcdef0123456789abcdef01234567 /src\n",
      ),
    ],
  },
};
