/** The one stylesheet of the dashboard and of files that stand alone. Colours and sizes are tokens, for light and dark. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfbf9, #15181a);
  --raised: light-dark(#ffffff, #1c2023);
  --sunken: light-dark(#f1f1ec, #101315);
  --ink: light-dark(#1d2327, #e3e7e8);
  --quiet: light-dark(#58636a, #9aa6ac);
  --rule: light-dark(#dcddd6, #30373b);
  --accent: light-dark(#1f6a5c, #6cc5b2);
  --good: light-dark(#1e6b45, #71c796);
  --warn: light-dark(#855300, #e0ac55);
  --bad: light-dark(#a8281f, #f28b80);
  --live: light-dark(#1c5d99, #7db8ea);
  --critical: light-dark(#a3164b, #f487ae);
  --must-fix: light-dark(#a8361a, #f49273);
  --major: light-dark(#855300, #e0ac55);
  --medium: light-dark(#3e6187, #8fb6de);
  --minor: light-dark(#58636a, #9aa6ac);
  --c1: light-dark(#2f7f70, #58b3a1);
  --c2: light-dark(#d09a3a, #d9ab58);
  --c3: light-dark(#bd4a3c, #df7465);
  --c4: light-dark(#7d94ab, #8299b0);
  --c5: light-dark(#bfc3bd, #565f64);
  --added: light-dark(#e7f4ea, #17291f);
  --removed: light-dark(#fbeaea, #311d1e);
  --anchor: light-dark(#fff4d6, #3a311a);
  --text: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { font: var(--text); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; overflow-wrap: anywhere; }
main { max-width: 1240px; margin: 0 auto; padding: 20px 24px 64px; }
main:focus { outline: none; }
h1 { font-size: 22px; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; margin: 4px 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 15px; font-weight: 650; margin: 0 0 8px; }
h3 { font-size: 14px; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 8px; }
ul { margin: 0 0 8px; padding-left: 18px; }
section { margin: 28px 0 0; min-width: 0; }
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 12.5px; }
code { overflow-wrap: anywhere; }
small { font-size: 12px; color: var(--quiet); }
.quiet, .note { color: var(--quiet); }
.note { font-size: 13px; max-width: 90ch; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; top: 0; background: var(--raised); padding: 8px 12px; z-index: 2; }
.skip:focus { left: 8px; }

.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 20px; padding: 8px 24px; border-bottom: 1px solid var(--rule); background: var(--raised); }
.brand { font-weight: 700; color: var(--ink); text-decoration: none; letter-spacing: -.01em; }
.bar nav { flex: 1 1 auto; min-width: 0; }
.bar ul { display: flex; flex-wrap: wrap; list-style: none; gap: 2px; margin: 0; padding: 0; }
.bar li a { display: block; padding: 4px 9px; border-radius: 5px; color: var(--quiet); text-decoration: none; }
.bar li a:hover { background: var(--sunken); color: var(--ink); }
.bar li a[aria-current] { color: var(--ink); font-weight: 600; background: var(--sunken); }
.who { display: flex; align-items: center; gap: 8px; color: var(--quiet); font-size: 13px; }

button, select, input, textarea { font: inherit; color: inherit; background: var(--raised); border: 1px solid light-dark(#8d958f, #68737a); border-radius: 5px; padding: 3px 9px; max-width: 100%; }
button { cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--accent); }
button.plain { border-color: transparent; background: none; text-decoration: underline; padding: 3px 2px; }
button.grave { color: var(--bad); }
textarea { width: 100%; display: block; font: inherit; }
label { color: var(--quiet); font-size: 13px; }
label select, label input, label textarea { color: var(--ink); font-size: 14px; }
select { max-width: 280px; }
form.action { display: inline-block; margin: 0; }
details form.action { display: grid; gap: 8px; max-width: 640px; padding: 8px 0; justify-items: start; }
details form.action label { width: 100%; }
.filters { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 0 0 16px; }
.filters form { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.choices { display: flex; flex-wrap: wrap; gap: 2px; margin: 0 0 8px; }
.filters .choices { margin: 0; }
.choices a { padding: 3px 9px; border-radius: 5px; color: var(--quiet); text-decoration: none; }
.choices a:hover { background: var(--sunken); }
.choices a[aria-current] { background: var(--sunken); color: var(--ink); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: start; }

.scroll { position: relative; overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; background: var(--raised); max-width: 100%; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; font-weight: 400; padding: 5px 12px; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; min-width: 13ch; }
td:has(> code) { min-width: 22ch; }
th[scope="row"] { min-width: 17ch; }
thead th { color: var(--quiet); font-size: 12px; white-space: nowrap; border-bottom-color: var(--rule); background: var(--sunken); }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: var(--sunken); }
th.num, td.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; min-width: 0; }
time { white-space: nowrap; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 1px; margin: 0 0 20px; background: var(--raised); border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; }
@media (max-width: 1180px) { .tiles { grid-template-columns: repeat(3, 1fr); } }
.tiles div { box-shadow: 1px 1px 0 var(--rule); padding: 10px 14px; }
.tiles dt { color: var(--quiet); font-size: 12px; }
.tiles dd { margin: 0; font-size: 22px; font-weight: 650; letter-spacing: -.01em; font-variant-numeric: tabular-nums; line-height: 1.3; }
.tiles small { display: block; font-weight: 400; letter-spacing: 0; line-height: 1.4; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 8px 20px; margin: 12px 0 0; }
.facts dt { color: var(--quiet); font-size: 12px; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.verdict { font-size: 17px; font-weight: 600; margin: 0 0 4px; }
.notice { border: 1px solid var(--rule); border-left: 4px solid var(--good); border-radius: 6px; background: var(--raised); padding: 8px 14px; margin: 0 0 16px; max-width: 90ch; }
.notice.problem { border-left-color: var(--bad); }
.empty { border: 1px dashed var(--rule); border-radius: 6px; padding: 20px; max-width: 70ch; }
.empty p:last-child { margin: 0; color: var(--quiet); }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 16px 24px; align-items: start; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 0 24px; }
.stale::after { content: "Not up to date: the dashboard doesn't answer."; color: var(--warn); font-size: 13px; }
.running, .items, .inline { list-style: none; padding: 0; }
.inline { margin: 0; }
.items > li { border: 1px solid var(--rule); background: var(--raised); border-radius: 6px; padding: 10px 14px; margin: 0 0 8px; }

.mark { display: inline-block; font-size: 12px; font-weight: 600; color: var(--quiet); white-space: nowrap; }
.mark::before { content: ""; display: inline-block; width: 7px; height: 7px; margin-right: 5px; border-radius: 50%; background: currentColor; }
.mark.good { color: var(--good); } .mark.warn { color: var(--warn); } .mark.bad { color: var(--bad); } .mark.live { color: var(--live); }
.severity { font-size: 12px; font-weight: 650; white-space: nowrap; }
.counts .severity { margin-right: 8px; }
.s-critical.severity { color: var(--critical); } .s-must-fix.severity { color: var(--must-fix); } .s-major.severity { color: var(--major); }
.s-medium.severity { color: var(--medium); } .s-minor.severity { color: var(--minor); }

.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 16px; }
figure { margin: 0; min-width: 0; }
.chart { border: 1px solid var(--rule); border-radius: 6px; background: var(--raised); padding: 10px 14px; }
figcaption { font-size: 13px; font-weight: 600; margin: 0 0 6px; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--quiet); }
.grid { stroke: var(--rule); stroke-width: 1; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
.line.c1 { fill: none; stroke: var(--c1); } .line.c2 { fill: none; stroke: var(--c2); }
:is(rect, path).s-critical { fill: var(--critical); } :is(rect, path).s-must-fix { fill: var(--must-fix); } :is(rect, path).s-major { fill: var(--c2); } :is(rect, path).s-medium { fill: var(--medium); } :is(rect, path).s-minor { fill: var(--c5); }
.r-read { fill: var(--c1); } .r-carried { fill: var(--c4); } .r-omitted { fill: var(--c2); } .r-none { fill: var(--c5); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 12px; color: var(--quiet); margin: 6px 0; overflow-wrap: anywhere; }
.legend svg { display: inline-block; width: 9px; height: 9px; }
.passes svg { max-width: 900px; margin: 0 0 10px; }
.passes svg text { font-size: 12px; }
details { font-size: 13px; }
summary { color: var(--quiet); cursor: pointer; padding: 2px 0; }
summary:hover { color: var(--ink); }
details .scroll { max-height: 320px; overflow-y: auto; margin: 4px 0; }

.finding { border: 1px solid var(--rule); border-left: 4px solid var(--minor); border-radius: 6px; background: var(--raised); padding: 12px 16px; margin: 0 0 12px; break-inside: avoid; }
.finding.s-critical { border-left-color: var(--critical); } .finding.s-must-fix { border-left-color: var(--must-fix); } .finding.s-major { border-left-color: var(--major); } .finding.s-medium { border-left-color: var(--medium); }
.place { font-size: 13px; margin: 2px 0 8px; }
.prose { max-width: 90ch; white-space: pre-line; overflow-wrap: anywhere; }
.prose code { background: var(--sunken); border-radius: 3px; padding: 0 3px; }
pre.code { margin: 0 0 10px; padding: 6px 0; background: var(--sunken); border-radius: 5px; overflow-x: auto; line-height: 1.5; tab-size: 2; }
pre.code code { display: inline-block; min-width: 100%; overflow-wrap: normal; }
.code .row { display: block; padding: 0 12px 0 0; white-space: pre; }
.code.plain .row { padding-left: 12px; }
.code .added { background: var(--added); } .code .removed { background: var(--removed); } .code .anchor { background: var(--anchor); box-shadow: inset 3px 0 var(--major); }
.no { display: inline-block; width: 5ch; text-align: right; color: var(--quiet); user-select: none; }
.sign { display: inline-block; width: 3ch; text-align: center; color: var(--quiet); user-select: none; }
.tok-comment { color: light-dark(#5b645e, #97a39d); font-style: italic; } .tok-string { color: light-dark(#7b4a12, #e0b67f); } .tok-number { color: light-dark(#7a3a80, #d6a1dd); } .tok-keyword { color: light-dark(#1c5289, #8dbdf0); }

.severities { display: flex; flex-wrap: wrap; gap: 4px 16px; border: 0; padding: 0; margin: 0 0 12px; }
.severities legend { float: left; margin-right: 12px; color: var(--quiet); }
.alone:has(#show-critical:checked) .finding:not(.s-critical),
.alone:has(#show-must-fix:checked) .finding:not(.s-critical, .s-must-fix),
.alone:has(#show-major:checked) .finding:not(.s-critical, .s-must-fix, .s-major),
.alone:has(#show-medium:checked) .finding.s-minor { display: none; }

@media (max-width: 640px) {
  main { padding: 14px 14px 48px; }
  .bar { padding: 6px 14px; gap: 2px 12px; }
  .bar nav { order: 3; flex-basis: 100%; margin: 0 -9px; }
  .who { margin-left: auto; }
  .counts .word { display: none; }
  th, td { padding: 5px 9px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .passes svg { display: none; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { color-scheme: light; }
  .bar, .filters, .actions, .severities, .chart details, form.action { display: none; }
  details::details-content { content-visibility: visible; }
  details .scroll { max-height: none; }
  summary { list-style: none; }
  main { max-width: none; padding: 0; }
  .scroll, pre.code { overflow: visible; }
  .code .row { white-space: pre-wrap; }
}
`;
