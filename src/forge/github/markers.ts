/**
 * Markers: how we recognise what we wrote after a crash, whatever was recorded. A marker is an HTML comment at the very
 * end of a text, signed over where it stands; a copied, moved or invented one is not ours. Pure but for the hash.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** `trial` marks a pending review that only finds out which lines are accepted; nobody ever sees one. */
export type MarkedPart = "review" | "trial" | "summary" | "check" | "answer";

/** Where a marker counts. `head` is empty for the summary, which belongs to the pull request. */
export type MarkerScope = {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly head: string;
  readonly part: MarkedPart;
  /** Which request for a review of this head; empty for the first, and for what belongs to no request. */
  readonly request: string;
};

/** What a marker carries. `moved` are short hashes of the findings that are told in the summary instead. */
export type MarkerContent = { readonly bodyHash: string; readonly moved: readonly string[] };

export type Markers = {
  render(scope: MarkerScope, content: MarkerContent): string;
  /** As it is rendered now, and as it was with the previous secret. */
  renderAll(scope: MarkerScope, content: MarkerContent): readonly string[];
  /** What the marker at the end of the text carries; null without one, or when it is not ours or not for this place. */
  read(scope: MarkerScope, text: string): MarkerContent | null;
};

/** Names the use of the derived key, so that the webhook secret itself signs nothing that people can see. */
const KEY_PURPOSE = "kodiai markers v1";

// Only the end of a text counts: what we quote from others stands before it.
const MARKER =
  /<!-- kodiai:([a-z]+):v1:([0-9a-f]{16,64}):((?:[0-9a-f]{12}(?:,[0-9a-f]{12})*)?):([0-9a-f]{64}) -->\s*$/;

/** The first secret signs; what was signed with any of them is ours. */
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
