/**
 * Markers identify the app's own texts after a crash, even without a journal entry. A marker is an HTML comment at the very
 * end of a text, with a signature over its location. A copied, moved or forged marker is invalid. Pure except for the hash.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** `trial` marks a pending review that only tests which lines GitHub accepts. It is never visible. */
export type MarkedPart = "review" | "trial" | "summary" | "check" | "answer";

/** Where a marker is valid. `head` is empty for the summary, which belongs to the pull request. */
export type MarkerScope = {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly head: string;
  readonly part: MarkedPart;
  /** The request for a review of this head. Empty for the first, and for parts that belong to no request. */
  readonly request: string;
};

/** The content of a marker. `moved` are short hashes of the findings that are shown in the summary instead. */
export type MarkerContent = { readonly bodyHash: string; readonly moved: readonly string[] };

export type Markers = {
  render(scope: MarkerScope, content: MarkerContent): string;
  /** Renders the marker with every secret, the current one first. */
  renderAll(scope: MarkerScope, content: MarkerContent): readonly string[];
  /** Reads the marker at the end of a text. Null if there is none, or if it is invalid for this scope. */
  read(scope: MarkerScope, text: string): MarkerContent | null;
};

/** The purpose of the derived key, so that the webhook secret itself never signs public text. */
const KEY_PURPOSE = "kodiai markers v1";

// Only the end of a text counts, because quotes from users come before it.
const MARKER =
  /<!-- kodiai:([a-z]+):v1:([0-9a-f]{16,64}):((?:[0-9a-f]{12}(?:,[0-9a-f]{12})*)?):([0-9a-f]{64}) -->\s*$/;

/** The first secret signs. Signatures of any of the secrets are valid. */
export function createMarkers(...secrets: readonly [string, ...string[]]): Markers {
  const toKey = (secret: string): Buffer => createHmac("sha256", secret).update(KEY_PURPOSE).digest();
  const keys = secrets.map(toKey);
  const sign = (scope: MarkerScope, content: MarkerContent, key: Buffer): Buffer => {
    const signed = [
      scope.part,
      scope.installationId,
      scope.repositoryId,
      scope.number,
      scope.head,
      scope.request,
      content.bodyHash,
      content.moved,
    ];
    return createHmac("sha256", key).update(JSON.stringify(signed)).digest();
  };
  const render = (scope: MarkerScope, content: MarkerContent, key: Buffer): string => {
    const signature = sign(scope, content, key).toString("hex");
    return `<!-- kodiai:${scope.part}:v1:${content.bodyHash}:${content.moved.join(",")}:${signature} -->`;
  };
  return {
    render: (scope, content) => render(scope, content, toKey(secrets[0])),
    renderAll: (scope, content) => keys.map((key) => render(scope, content, key)),
    read(scope, text) {
      const [, part, bodyHash, moved, signature] = MARKER.exec(text) ?? [];
      if (bodyHash === undefined || moved === undefined || signature === undefined) return null;
      if (part !== scope.part) return null;
      const content = { bodyHash, moved: moved === "" ? [] : moved.split(",") };
      const given = Buffer.from(signature, "hex");
      return keys.some((key) => timingSafeEqual(given, sign(scope, content, key))) ? content : null;
    },
  } satisfies Markers;
}
