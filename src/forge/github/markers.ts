/**
 * Markers identify the app's own texts after a crash, even without a journal entry. A marker is an HTML comment at the very
 * end of a text, with a signature over its location. A copied, moved or forged marker is invalid. Pure except for the hash.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** `trial` marks a pending review that only tests which lines GitHub accepts, which is never visible. `proposal` marks Kodiai's part of a description. */
export type MarkedPart = "review" | "trial" | "summary" | "check" | "answer" | "proposal";

/** Where a marker is valid. `head` is empty for the summary, which belongs to the pull request. */
export type MarkerScope = {
  readonly installationId: number;
  readonly forgeId: number;
  readonly number: number;
  readonly head: string;
  readonly part: MarkedPart;
  /** The request for a review of this head. Empty for the first, and for parts that belong to no request. */
  readonly request: string;
};

/**
 * The content of a marker. `moved` are short hashes of the findings that are shown in the summary instead. `state` is what
 * the core keeps on the pull request, in the characters of base64url.
 */
export type MarkerContent = {
  readonly bodyHash: string;
  readonly moved: readonly string[];
  readonly state?: string;
};

/** Where the marker of a finding is valid: on the whole pull request, at any head. */
export type FindingScope = Pick<MarkerScope, "installationId" | "forgeId" | "number">;

export type MarkedFinding = {
  readonly findingId: string;
  /** At most MAX_OTHERS of them are kept. */
  readonly otherIds: readonly string[];
};

export type Markers = {
  render(scope: MarkerScope, content: MarkerContent): string;
  /** Renders the marker with every secret, the current one first. */
  renderAll(scope: MarkerScope, content: MarkerContent): readonly string[];
  /** Reads the marker at the end of a text. Null if there is none, or if it is invalid for this scope. */
  read(scope: MarkerScope, text: string): MarkerContent | null;
  /** Renders the marker of a comment on lines. It carries the id of the comment's finding, and those of further lines that it names. */
  renderFinding(scope: FindingScope, findingId: string, otherIds?: readonly string[]): string;
  /** Returns the finding of the comment with this text. Null if its marker is missing or invalid. */
  readFinding(scope: FindingScope, text: string): MarkedFinding | null;
};

/** The purpose of the derived key, so that the webhook secret itself never signs public text. */
const KEY_PURPOSE = "kodiai markers v1";

/** A third of GitHub's limit for a comment, so that the state never displaces much of the summary. */
const MAX_STATE_CHARS = 24_000;

const STATE = /^[\w-]+$/;

const FINDING_ID = /^[\w-]{1,100}$/;

// Only the end of a text counts, because quotes from users come before it.
const MARKER =
  /<!-- kodiai:([a-z]+):v1:([0-9a-f]{16,64}):((?:[0-9a-f]{12}(?:,[0-9a-f]{12})*)?):(?:([\w-]+):)?([0-9a-f]{64}) -->\s*$/;

/** A comment names ten further lines; a marker with more would be longer than the comment. */
const MAX_OTHERS = 20;

const FINDING_MARKER = /<!-- kodiai:finding:v1:([\w-]{1,100}(?:,[\w-]{1,100}){0,20}):([0-9a-f]{64}) -->\s*$/;

/** The first secret signs. Signatures of any of the secrets are valid. */
export function createMarkers(...secrets: readonly [string, ...string[]]): Markers {
  const toKey = (secret: string): Buffer => createHmac("sha256", secret).update(KEY_PURPOSE).digest();
  const keys = secrets.map(toKey);
  const sign = (signed: readonly unknown[], key: Buffer): Buffer =>
    createHmac("sha256", key).update(JSON.stringify(signed)).digest();
  const isSigned = (signed: readonly unknown[], signature: string): boolean => {
    const given = Buffer.from(signature, "hex");
    return keys.some((key) => timingSafeEqual(given, sign(signed, key)));
  };
  const render = (scope: MarkerScope, content: MarkerContent, key: Buffer): string => {
    const { bodyHash, moved, state } = content;
    if (state !== undefined && (state.length > MAX_STATE_CHARS || !STATE.test(state))) {
      throw new Error(
        `a marker can't carry this state: its length is ${state.length}, or it has other characters`,
      );
    }
    const fields = [bodyHash, moved.join(","), ...(state === undefined ? [] : [state])].join(":");
    const signature = sign(signedParts(scope, content), key).toString("hex");
    return `<!-- kodiai:${scope.part}:v1:${fields}:${signature} -->`;
  };
  return {
    render: (scope, content) => render(scope, content, toKey(secrets[0])),
    renderAll: (scope, content) => keys.map((key) => render(scope, content, key)),
    read(scope, text) {
      const [, part, bodyHash, moved, state, signature] = MARKER.exec(text) ?? [];
      if (bodyHash === undefined || moved === undefined || signature === undefined) return null;
      if (part !== scope.part) return null;
      const content: MarkerContent = {
        bodyHash,
        moved: moved === "" ? [] : moved.split(","),
        ...(state === undefined ? {} : { state }),
      };
      return isSigned(signedParts(scope, content), signature) ? content : null;
    },
    renderFinding(scope, findingId, otherIds = []) {
      const ids = [findingId, ...otherIds.slice(0, MAX_OTHERS)];
      if (!ids.every((id) => FINDING_ID.test(id))) throw new Error("a marker can't carry this finding id");
      const signature = sign(signedFinding(scope, ids), toKey(secrets[0])).toString("hex");
      return `<!-- kodiai:finding:v1:${ids.join(",")}:${signature} -->`;
    },
    readFinding(scope, text) {
      const [, listed, signature] = FINDING_MARKER.exec(text) ?? [];
      const [findingId, ...otherIds] = listed?.split(",") ?? [];
      if (findingId === undefined || signature === undefined) return null;
      return isSigned(signedFinding(scope, [findingId, ...otherIds]), signature)
        ? { findingId, otherIds }
        : null;
    },
  } satisfies Markers;
}

/** Whether a text ends like one of ours, with any signature. */
export function hasMarker(text: string): boolean {
  return MARKER.test(text) || FINDING_MARKER.test(text);
}

/** The text above the marker at its end. */
export function withoutMarker(text: string): string {
  return text.replace(MARKER, "");
}

/** A marker without a state is signed as before there was one, so that it stays valid. */
function signedParts(scope: MarkerScope, { bodyHash, moved, state }: MarkerContent): readonly unknown[] {
  const { part, installationId, forgeId, number, head, request } = scope;
  const place = [part, installationId, forgeId, number, head, request];
  return [...place, bodyHash, moved, ...(state === undefined ? [] : [state])];
}

/** The head and the request are empty, because a thread outlives both. */
function signedFinding(scope: FindingScope, ids: readonly string[]): readonly unknown[] {
  return ["finding", scope.installationId, scope.forgeId, scope.number, "", "", ids.join(",")];
}
