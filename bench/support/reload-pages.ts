/** Fifty people who each reload a page of the dashboard every second, until this process is stopped. Prints how many pages they got. */
import { Agent, request } from "node:http";

const [url = "", cookie = ""] = process.argv.slice(2);

const PEOPLE = 50;
const PAUSE_MS = 1_000;

const agent = new Agent({ keepAlive: true, maxSockets: PEOPLE });
let pages = 0;
let failed = 0;

function reload(): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { cookie } }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) pages++;
        else failed++;
        resolve();
      });
    });
    sent.on("error", () => {
      failed++;
      resolve();
    });
    sent.end();
  });
}

process.on("SIGTERM", () => {
  console.log(JSON.stringify({ pages, failed }));
  process.exit(0);
});

async function visit(): Promise<never> {
  for (;;) {
    const startedAt = performance.now();
    await reload();
    const leftMs = PAUSE_MS - (performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, leftMs)));
  }
}

for (let person = 0; person < PEOPLE; person++) setTimeout(() => void visit(), (person * PAUSE_MS) / PEOPLE);
