/** Waiting in tests: for something to become true, never for a fixed time. */

/** Longer than any step takes on a busy machine. Under `npm run mutate`, most waits that fail are in vain, so they are shorter. */
const MAX_WAIT_MS = process.env["KODIAI_TEST_IMPATIENT"] === "1" ? 60_000 : 600_000;

const POLL_MS = 50;

/** Polls until the answer is neither false nor missing. Fails with the name of what it waited for. */
export async function eventually<Value>(
  what: string,
  poll: () => Value | null | undefined | false | Promise<Value | null | undefined | false>,
): Promise<Value> {
  const endsAt = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const answer = await poll();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > endsAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
