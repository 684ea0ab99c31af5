/** Reads embedding settings: who turns texts into vectors, with which key and at which URL. */
import { type ProviderAccess, readKeyAccess, readServerAccess } from "./provider-access.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

/** Providers that receive texts over the network. */
const EMBEDDING_PROVIDERS = ["voyage", "openai-compatible"] as const;
type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

/** No embeddings: nothing leaves the server, and similar findings are found by their words. */
export const LOCAL_EMBEDDINGS = "local";

export type EmbeddingSettings = {
  /** The operator's choice, which overrides a repository's; null if not set. */
  readonly embeddings: string | null;
  /** Only usable providers: Voyage with a key, and a compatible server with a URL. */
  readonly access: Readonly<Partial<Record<EmbeddingProvider, ProviderAccess>>>;
};

export type EmbeddingModel = {
  /** As written: `provider:model`. */
  readonly id: string;
  readonly provider: EmbeddingProvider;
  readonly model: string;
};

/** Throws if the operator's own choice can't be used. */
export function readEmbeddingSettings(source: SettingsSource): EmbeddingSettings {
  const reader = createSettingsReader(source);
  const access = readEmbeddingAccess(reader);
  const name = "KODIAI_EMBEDDINGS";
  const embeddings = reader.text(name);
  const found =
    embeddings === null || embeddings === LOCAL_EMBEDDINGS ? null : findEmbeddingModel(embeddings, access);
  if (typeof found === "string") reader.addProblem(name, `can't be used: ${found}`);
  reader.throwIfInvalid();
  return { embeddings, access };
}

function readEmbeddingAccess(reader: SettingsReader): EmbeddingSettings["access"] {
  const own = readServerAccess(reader, "KODIAI_EMBEDDINGS_URL", "KODIAI_EMBEDDINGS_KEY");
  if (own === null && reader.text("KODIAI_EMBEDDINGS_KEY") !== null)
    reader.addProblem("KODIAI_EMBEDDINGS_KEY", "is set without KODIAI_EMBEDDINGS_URL");
  const found = {
    voyage: readKeyAccess(reader, ["VOYAGE_API_KEY"], "VOYAGE_BASE_URL"),
    // The key of one server is never sent to the other.
    "openai-compatible": own ?? readServerAccess(reader, "KODIAI_COMPATIBLE_URL", "KODIAI_COMPATIBLE_KEY"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

/** The model, or why it can't be used and what to do. */
export function findEmbeddingModel(
  text: string,
  access: EmbeddingSettings["access"],
): EmbeddingModel | string {
  const [, prefix, model] = /^([a-z-]{1,50}):(\S{1,200})$/.exec(text) ?? [];
  const provider = EMBEDDING_PROVIDERS.find((known) => known === prefix);
  if (provider === undefined || model === undefined)
    return `embeddings must be local, voyage:MODEL (such as voyage:voyage-code-3) or openai-compatible:MODEL, but are "${text.slice(0, MAX_SHOWN_CHARS)}"`;
  if (access[provider] === undefined) return `${text}: ${NEEDED[provider]} is not set on the server`;
  return { id: text, provider, model };
}

const NEEDED: Readonly<Record<EmbeddingProvider, string>> = {
  voyage: "VOYAGE_API_KEY",
  "openai-compatible": "KODIAI_EMBEDDINGS_URL",
};

/** Longer texts aren't names. */
const MAX_SHOWN_CHARS = 100;
