/**
 * The one script of the dashboard. It shows what is running as it changes, says when it can't, and shows a filter's result without loading
 * the whole page again. Every page works without it.
 */
export const SCRIPT = `"use strict";
const parse = (text) => new DOMParser().parseFromString(text, "text/html");
const live = () => document.getElementById("live");

function renew(text) {
  const fresh = parse(text).getElementById("live");
  const old = live();
  if (fresh !== null && old !== null && fresh.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(fresh);
}

const PAUSE_MS = 5000;
async function poll() {
  if (document.hidden || live() === null) return;
  const answer = await fetch("/live", { headers: { accept: "text/html" }, redirect: "error" });
  if (!answer.ok) throw new Error("no answer");
  renew(await answer.text());
}
const mark = (isStale) => live()?.classList.toggle("stale", isStale);

let source = null;
let failures = 0;
function follow() {
  if (document.hidden || live() === null) {
    source?.close();
    source = null;
    return;
  }
  if (source !== null) return;
  source = new EventSource("/live/events");
  source.addEventListener("live", (event) => renew(event.data));
  source.addEventListener("open", () => {
    failures = 0;
    mark(false);
  });
  source.addEventListener("error", () => {
    // The browser opens a stream again that ended. One that was refused stays closed.
    if (source?.readyState !== EventSource.CLOSED) return mark(++failures > 1);
    document.removeEventListener("visibilitychange", follow);
    setInterval(() => poll().then(() => mark(false), () => mark(true)), PAUSE_MS);
  });
}
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", () => source?.close());
follow();

async function show(url, isNew) {
  const answer = await fetch(url, { headers: { accept: "text/html" } });
  const main = answer.ok && !answer.redirected ? parse(await answer.text()) : null;
  const fresh = main?.querySelector("main") ?? null;
  if (fresh === null) return location.assign(url);
  const name = document.activeElement?.getAttribute("name");
  document.querySelector("main").replaceWith(fresh);
  document.title = main.title;
  if (isNew) history.pushState(null, "", url);
  const next = name ? fresh.querySelector("[name='" + CSS.escape(name) + "']") : fresh.querySelector(".choices [aria-current]");
  (next ?? fresh).focus();
}
const open = (url) => show(url, true).catch(() => location.assign(url));
const isFilter = (form) => form !== null && form.method === "get" && form.closest("main") !== null;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!isFilter(form)) return;
  event.preventDefault();
  const url = new URL(form.action);
  url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  open(url.href);
});
document.addEventListener("change", (event) => {
  if (event.target.tagName === "SELECT" && isFilter(event.target.form)) event.target.form.requestSubmit();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("main .choices a");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open(link.href);
});
addEventListener("popstate", () => show(location.href, false).catch(() => location.reload()));
`;
