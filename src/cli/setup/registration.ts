/**
 * One registration of an app, from the form to the stored credentials. The state in GitHub's answer proves that it belongs to the form
 * of this run. A code is used once: a repeated request only repeats what hasn't succeeded yet, so that a failed network or a full
 * disk costs no app. A code that GitHub refuses ends its form, and a new state begins.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { messageOf } from "../../base/errors.ts";
import type { CreatedApp } from "./registrar.ts";

export type CallbackResult =
  | { readonly kind: "created"; readonly app: CreatedApp }
  /** The answer belongs to no form of this run, or to one that has ended. */
  | { readonly kind: "wrong-state" }
  /** GitHub refused the code. */
  | { readonly kind: "wrong-code" }
  /** The same request can be repeated. `isCreated` if only writing the file failed. */
  | { readonly kind: "failed"; readonly reason: string; readonly isCreated: boolean };

export type Registration = {
  readonly state: () => string;
  /** Null until the app is created and stored. */
  readonly app: () => CreatedApp | null;
  receive(code: string, state: string): Promise<CallbackResult>;
};

export type RegistrationDeps = {
  readonly convertCode: (code: string) => Promise<CreatedApp | null>;
  readonly store: (app: CreatedApp) => Promise<void>;
  readonly onResult: (result: CallbackResult) => void;
};

/** 128 bits can't be guessed. */
const STATE_BYTES = 16;

export function createSecretName(): string {
  return randomBytes(STATE_BYTES).toString("hex");
}

export function createRegistration({ convertCode, store, onResult }: RegistrationDeps): Registration {
  let state = createSecretName();
  let usedCode: string | null = null;
  let created: CreatedApp | null = null;
  let isStored = false;
  let underWay: Promise<CallbackResult> | null = null;

  const proceed = async (code: string): Promise<CallbackResult> => {
    try {
      created ??= await convertCode(code);
      if (created === null) {
        state = createSecretName();
        usedCode = null;
        return { kind: "wrong-code" };
      }
      if (!isStored) await store(created);
      isStored = true;
      return { kind: "created", app: created };
    } catch (error) {
      return { kind: "failed", reason: messageOf(error), isCreated: created !== null };
    }
  };
  return {
    state: () => state,
    app: () => (isStored ? created : null),
    async receive(code, given) {
      if (!isSameSecret(given, state) || (usedCode !== null && !isSameSecret(code, usedCode))) {
        const refused = { kind: "wrong-state" } as const;
        onResult(refused);
        return refused;
      }
      usedCode = code;
      // A browser may send a request twice.
      if (underWay !== null) return underWay;
      const isRepeated = isStored;
      underWay = proceed(code);
      const result = await underWay;
      underWay = null;
      if (!isRepeated) onResult(result);
      return result;
    },
  } satisfies Registration;
}

/** In constant time. Hashes are compared, because timingSafeEqual needs equal lengths. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}
