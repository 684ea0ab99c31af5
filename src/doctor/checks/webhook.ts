/**
 * The webhook: where the host sends events, and what became of the last ones. The secret can't be read back, so the answers to
 * deliveries tell whether it is the same on both sides.
 */
import { count } from "../../base/count.ts";
import type { DeliveryAttempt, RegisteredWebhook } from "../../forge/app-inspection.ts";
import { type AppAccess, inspectApp } from "../app-access.ts";
import { type CheckFinding, type DoctorCheck, failure, fine, warning } from "../check.ts";

/** `path` is that of the server's endpoint. */
export function createWebhookCheck(access: AppAccess, path: string): DoctorCheck {
  return {
    name: "webhook",
    run: () =>
      inspectApp(access, "The webhook", async (inspection) => {
        const [webhook, attempts] = await Promise.all([
          inspection.readWebhook(),
          inspection.listDeliveries(),
        ]);
        return [...judgeWebhook(webhook), ...(webhook.url === null ? [] : judgeDeliveries(attempts, path))];
      }),
  };
}

function judgeWebhook({ url, isJson, verifiesTls }: RegisteredWebhook): readonly CheckFinding[] {
  if (url === null)
    return [
      failure("webhook-missing", {
        what: "The app has no active webhook.",
        remedy: "Enter the server's address as the Webhook URL on the app's page, and select Active.",
      }),
    ];
  const { host = "an address that isn't a URL" } = URL.parse(url) ?? {};
  const problems = [
    ...(isJson ? [] : ["sends forms instead of JSON"]),
    ...(verifiesTls ? [] : ["doesn't verify the server's certificate"]),
  ];
  if (problems.length === 0) return [fine(`The host sends webhooks to ${host}.`)];
  return [
    failure("webhook-unsafe", {
      what: `The webhook to ${host} ${problems.join(" and ")}.`,
      remedy: "On the app's page, choose the content type application/json and enable SSL verification.",
    }),
  ];
}

/** Attempts are judged since the last one that succeeded: the host redelivers what failed before. */
function judgeDeliveries(attempts: readonly DeliveryAttempt[], path: string): readonly CheckFinding[] {
  const [newest] = attempts;
  if (newest === undefined)
    return [
      warning("webhook-silent", {
        what: "The host has sent no webhook lately, so the secret couldn't be compared.",
        remedy: "Open a pull request, or select Redeliver on the app's page under Advanced.",
      }),
    ];
  const firstReceived = attempts.findIndex(isReceived);
  const failed = firstReceived === -1 ? attempts : attempts.slice(0, firstReceived);
  const earlier = attempts.filter((attempt) => !isReceived(attempt)).length - failed.length;
  if (failed.length === 0) {
    const note = earlier === 0 ? "" : ` ${count(earlier, "earlier one")} of ${attempts.length} failed.`;
    return [fine(`The server accepted the last delivery, so the secret is right.${note}`)];
  }
  const { event, status, outcome } = newest;
  const since = `${count(failed.length, "delivery", "deliveries")} failed since the last success`;
  if (status === 401)
    return [
      failure("webhook-secret-differs", {
        what: `The server refused the last delivery (${event}) with 401: the secrets differ. ${since}.`,
        remedy: "Enter the value of GITHUB_WEBHOOK_SECRET as the Webhook secret on the app's page.",
      }),
    ];
  return [
    failure("webhook-deliveries-failed", {
      what: `The last delivery (${event}) failed with ${status} ${outcome}. ${since}.`,
      remedy: remedyOf(status, path),
    }),
  ];
}

function isReceived({ status }: DeliveryAttempt): boolean {
  return status >= 200 && status < 300;
}

/** The host reports a server that it can't reach as 502, and one that is too slow as 504. */
function remedyOf(status: number, path: string): string {
  switch (status) {
    case 400:
      return "Choose the content type application/json on the app's page.";
    case 404:
    case 405:
      return `The Webhook URL must end with ${path}.`;
    case 503:
      return "The server is overloaded or its database can't be written. Its log says which.";
    case 504:
      return "The server took longer than ten seconds. Look at its log and at the proxy in front of it.";
    default:
      return "Check that the server runs, and that the host can reach its address through the firewall and proxy.";
  }
}
