/** Decodes and parses one configuration file. A file that can't be used becomes a problem. */
import type { ConfigNode } from "./config-node.ts";
import { decodeConfigText } from "./decode-config-text.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { ProblemList } from "./problem-list.ts";

/** Null for a file that is empty or can't be used. */
export function parseConfigText(text: string | Uint8Array, problems: ProblemList): ConfigNode | null {
  const decoded = decodeConfigText(text);
  const parsed = decoded.ok ? parseYaml(decoded.text) : { ok: false as const, faults: [decoded.fault] };
  if (parsed.ok) return parsed.root;
  for (const { position, message } of parsed.faults)
    problems.add("error", position, "", () => `${message}; Kodiai ignores the whole file`);
  return null;
}
