/** Responses of scheduled faults instead of the handler's, with GitHub's texts and headers. */
import type { Fault } from "./faults.ts";
import type { Answer } from "./refusal.ts";

const RATE_LIMIT_DOCS = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api";

/** Returns null if the request should be handled. */
export function answerOfFault(fault: Fault | null, nowMs: number): Answer | null {
  switch (fault?.kind) {
    case "status":
      return {
        status: fault.status,
        body: fault.body ?? { message: `Status ${fault.status}, as scheduled`, documentation_url: "" },
        ...(fault.headers === undefined ? {} : { headers: fault.headers }),
      };
    case "invalid":
      return {
        status: 422,
        body: {
          message: "Unprocessable Entity",
          errors: [fault.sentence],
          documentation_url: "",
          status: "422",
        },
      };
    case "secondary-limit":
      return {
        status: fault.status,
        body: {
          message:
            "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
          documentation_url: `${RATE_LIMIT_DOCS}#about-secondary-rate-limits`,
          status: String(fault.status),
        },
        headers: { "retry-after": String(fault.retryAfterSeconds) },
      };
    case "primary-limit":
      return {
        status: 403,
        body: { message: "API rate limit exceeded for installation.", documentation_url: RATE_LIMIT_DOCS },
        headers: {
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": String(Math.ceil(nowMs / 1000) + fault.resetInSeconds),
        },
      };
    default:
      return null;
  }
}
