/** GitHub's webhooks: the headers that identify a delivery, its signature, and what a wrong one is answered. */
import { createHmac } from "node:crypto";
import type { Webhooks } from "../forge.ts";
import { verifySignature } from "./verify-signature.ts";

/** The current secret first, then the previous one during a rotation. */
export function createGithubWebhooks(...secrets: readonly string[]): Webhooks {
  const keys = secrets.map((secret) => ({ secret, name: nameOf(secret) }));
  return {
    path: "/webhooks/github",
    read(headers, body) {
      const header = (name: string): string | undefined => {
        const value = headers[name];
        return typeof value === "string" ? value : undefined;
      };
      const signature = header("x-hub-signature-256");
      const key = keys.find(({ secret }) => verifySignature(body, signature, secret));
      if (signature === undefined || key === undefined) return { kind: "bad-signature" };
      const [id, event] = [header("x-github-delivery"), header("x-github-event")];
      if (id === undefined || event === undefined || !/^[\w-]{1,100}$/.test(id) || !/^\w{1,100}$/.test(event))
        return { kind: "bad-headers" };
      return { kind: "signed", id, event, bodyHash: signature.replace("sha256=", `${key.name}-`) };
    },
    messages: {
      "bad-signature":
        "Signature mismatch. Check that GITHUB_WEBHOOK_SECRET is the webhook secret in the settings of the GitHub App.",
      "bad-headers": "X-GitHub-Event or X-GitHub-Delivery is missing or malformed.",
      "conflicting-delivery":
        "Another delivery with this X-GitHub-Delivery is recorded. This one was discarded.",
    },
  };
}

/** Tells signatures with this secret from those with the next one. */
function nameOf(secret: string): string {
  return createHmac("sha256", secret).update("kodiai: name of a secret").digest("hex").slice(0, 12);
}
