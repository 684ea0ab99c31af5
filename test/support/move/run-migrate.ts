/** Runs `kodiai migrate` as an operator does. */
import { runKodiai } from "../run-kodiai.ts";

export const migrate = (from: string, targetUrl: string, env: Record<string, string> = {}) =>
  runKodiai(["migrate", "--from", from], {
    cwd: import.meta.dirname,
    env: { DATABASE_URL: targetUrl, ...env },
  });
