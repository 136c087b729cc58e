// Styles of an API reference page, and the script that copies its examples; both are inlined into the page.

export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f5f5; --line: #dcdcdc; --ink: #1a1a1a; --soft: #5c5c5c;
  --accent: #3a63d4; --get: #3a63d4; --post: #1a7042; --put: #8a5300; --patch: #8a5300; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1a1a1a; --raised: #131313; --line: #383838; --ink: #e6e6e6; --soft: #ababab;
    --accent: #92acf6; --get: #92acf6; --post: #7bd09b; --put: #eeb765; --patch: #eeb765; --delete: #f59a93;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--ground); }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; }
header, .columns { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
header p { margin: .4rem 0 0; color: var(--soft); }
h2 { margin: 3rem 0 0; font-size: 1.35rem; }
h2 + p { margin-top: .2rem; color: var(--soft); }
h3 { display: flex; flex-wrap: wrap; gap: .35rem .7rem; align-items: baseline; margin: 0; font-size: 1rem; }
h3 code { font-size: 1rem; font-weight: 600; }
h4, article summary { margin: 1.25rem 0 .25rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.method { min-width: 4.2em; padding: .1em .5em; border: 1px solid; border-radius: 4px; font: 600 .75rem/1.5 ui-monospace, Consolas, "DejaVu Sans Mono", monospace; text-align: center; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
article { margin-top: 1.25rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; }
article:target { border-color: var(--accent); }
h3 + dl { margin-top: .75rem; }
article > p { margin: .5rem 0 0; }
.rules { color: var(--soft); font-size: .875rem; }
dl { margin: 0; border-top: 1px solid var(--line); }
dl > div { padding: .45rem 0; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; padding-bottom: 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.kind { color: var(--soft); font-size: .875rem; }
.must { margin-left: .5rem; font-weight: 400; font-size: .8rem; color: var(--soft); }
.example { margin-top: 1rem; border-radius: 6px; background: var(--raised); }
pre { margin: 0; padding: .7rem 1rem; white-space: pre-wrap; }
button { float: right; margin: .35rem; padding: .2rem .6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--ground); color: var(--ink); font: inherit; font-size: .8rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
nav { margin-top: 1.5rem; font-size: .925rem; }
summary { cursor: pointer; }
nav summary { padding: .4rem 0; font-weight: 600; }
nav h2 { margin: 1rem 0 .2rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
footer { padding: 3rem 0 2rem; color: var(--soft); font-size: .875rem; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; align-items: start; }
  nav { position: sticky; top: 0; max-height: 100vh; margin: 0; padding: 1.5rem .5rem 2rem 0; overflow-y: auto; scrollbar-width: thin; }
  dl > div { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 1rem; }
}
@media print { nav, button, .skip { display: none; } article { break-inside: avoid; } }
`;

export const copyScript = `
"use strict";
const wide = matchMedia("(min-width: 60rem)");
const list = document.querySelector("nav details");
const fit = () => { list.open = wide.matches; };
wide.addEventListener("change", fit);
fit();
const told = document.querySelector("[role=status]");
for (const button of document.querySelectorAll("button")) {
  const example = button.nextElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(example);
    // Without https a browser hands out no clipboard; the old way still goes, and at worst the text is selected.
    const done = await (navigator.clipboard?.writeText(example.textContent) ?? Promise.reject())
      .then(() => true, () => document.execCommand("copy"));
    button.textContent = told.textContent = done ? "Copied" : "Selected";
    setTimeout(() => { button.textContent = "Copy"; told.textContent = ""; }, 1500);
  });
}
`;
