/** Deserializers that can run code. Programs often use them on their own files, so most are reported only for outside input. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { RANK } from "../flow/value.ts";
import type { TreeRule } from "../rule.ts";

export const unsafeDeserialisation: TreeRule = {
  kind: "tree",
  id: "unsafe-deserialisation",
  title: "Unsafe deserialization can run arbitrary code",
  severity: "critical",
  proof: "trace",
  category: "security",
  why: "Crafted data makes the deserializer create arbitrary objects and run their code, so anyone who controls the data controls the process.",
  fix: "Use a data-only format or loader (JSON, `yaml.safe_load`, `allowed_classes => false`), or verify a signature first.",
  confidence: 0.9,
  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /\bloads?\b|unsafe_load|restore|unserialize|ObjectInputStream|Deserialize|XMLDecoder|fromXML/,
  ),
  check: checkFlows({
    kind: "deserialize",
    outside: "critical",
    title: (name, { hole }) =>
      hole.rank === RANK.outside
        ? `Unsafe deserialization: ${name} can run arbitrary code`
        : "Unsafe deserialization can run arbitrary code",
  }),
};
