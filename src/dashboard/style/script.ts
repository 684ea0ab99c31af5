/** The one script of the dashboard: it replaces the list of what is running with a newer one. Every page works without it. */
export const SCRIPT = `"use strict";
const live = () => document.getElementById("live");
const PAUSE_MS = 5000;
async function renew() {
  if (document.hidden) return;
  const answer = await fetch("/live", { headers: { accept: "text/html" }, redirect: "error" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
  const old = live();
  if (fresh !== null && old !== null && fresh.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(fresh);
}
if (live() !== null) setInterval(() => renew().catch(() => {}), PAUSE_MS);
`;
