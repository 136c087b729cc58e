// The documentation page of a version: its description as HTML, readable on any screen and without a network.

import type {
  OpenApi,
  OpenApiOperation,
  OpenApiParameter,
} from "../../contract/openapi.ts";

export const docsStyle = `
:root { color-scheme: light dark; --ground: #fff; --raised: #f5f5f5; --line: #dcdcdc; --ink: #1a1a1a; --soft: #5c5c5c; --accent: #3a63d4; }
@media (prefers-color-scheme: dark) { :root { --ground: #1a1a1a; --raised: #131313; --line: #383838; --ink: #e6e6e6; --soft: #ababab; --accent: #92acf6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 3rem 0 0; font-size: 1.35rem; }
h3 { display: flex; flex-wrap: wrap; gap: .7rem; align-items: baseline; margin: 0; font-size: 1rem; }
code, pre, .method { font: .875em/1.5 ui-monospace, Consolas, "DejaVu Sans Mono", monospace; }
.method { min-width: 4.5em; padding: .1em .5em; border: 1px solid; border-radius: 4px; text-align: center; color: var(--accent); }
p, .soft { color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; list-style: none; }
article { margin-top: 1.25rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; }
pre { margin: 1rem 0 0; padding: .7rem 1rem; border-radius: 6px; background: var(--raised); white-space: pre-wrap; }
summary { margin-top: .75rem; cursor: pointer; }
dl { margin: .5rem 0 0; }
dl > div { padding: .4rem 0; border-top: 1px solid var(--line); }
dt { font-weight: 600; }
dd { margin: 0; color: var(--soft); }
@media (min-width: 45rem) { dl > div { display: grid; grid-template-columns: 14rem 1fr; gap: 1rem; } }
`;

/** `address` is what the examples are sent to, e.g. `http://127.0.0.1:8090/v4.1`. */
export function docsPage(api: OpenApi, address: string): string {
  const title = `${api.info.title} ${api.info.version}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${docsStyle}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>At <code>${escaped(address)}</code>. For programs: the same address with <code>Accept: application/json</code>.</p>
<p>${escaped(api.info.description)}</p>
</header>
<nav aria-label="Collections"><ul>${api.tags.map(({ name }) => `<li><a href="#${anchor(name)}">${escaped(name)}</a></li>`).join("")}</ul></nav>
<main>
${api.tags.map(({ name, description }) => sectionOf(api, name, description, address)).join("\n")}
</main>
</body>
</html>
`;
}

function sectionOf(
  api: OpenApi,
  name: string,
  description: string,
  address: string,
): string {
  const methods = Object.entries(api.paths[`/${name}`] ?? {});
  return `<section aria-labelledby="${anchor(name)}">
<h2 id="${anchor(name)}">${escaped(name)}</h2>
<p>${escaped(description)}</p>
${methods.map(([method, operation]) => articleOf(name, method, operation, address)).join("\n")}
</section>`;
}

function articleOf(
  name: string,
  method: string,
  operation: OpenApiOperation,
  address: string,
): string {
  const { summary, parameters = [], responses } = operation;
  const answers = Object.entries(responses)
    .filter(([status]) => status !== "default")
    .map(([status, said]) => [status, String(said["description"])] as const);
  return `<article>
<h3><span class="method">${method.toUpperCase()}</span> <code>/${escaped(name)}</code></h3>
<p>${escaped(summary)}. <span class="soft">Rules ${operation["x-rules"].join(", ")}</span></p>
<dl>${answers.map(([status, said]) => entry(status, said)).join("")}</dl>
${detailsOf(parameters)}
<pre>${escaped(curlOf(name, method, parameters, address))}</pre>
</article>`;
}

function detailsOf(parameters: readonly OpenApiParameter[]): string {
  if (parameters.length === 0) return "";
  return `<details><summary>Parameters</summary><dl>${parameters.map(parameterEntry).join("")}</dl></details>`;
}

function parameterEntry(parameter: OpenApiParameter): string {
  const { name, required, description, example } = parameter;
  const kind = `${parameter.in}${required ? ", required" : ""}`;
  return entry(
    `${name} (${kind})`,
    `${description}. For example ${example === "" ? "the empty text" : example}`,
  );
}

function entry(term: string, meaning: string): string {
  return `<div><dt>${escaped(term)}</dt><dd>${escaped(meaning)}</dd></div>`;
}

function curlOf(
  name: string,
  method: string,
  parameters: readonly OpenApiParameter[],
  address: string,
): string {
  const required = parameters
    .filter((parameter) => parameter.required)
    .map((parameter) => `${parameter.name}=${parameter.example}`);
  const query = required.length > 0 ? `?${required.join("&")}` : "";
  const body =
    method === "post" || method === "patch"
      ? " \\\n  -H 'Content-Type: application/json' -d '{}'"
      : "";
  return `curl -X ${method.toUpperCase()} '${address}/${name}${query}' \\\n  -H 'Authorization: Token KEY'${body}`;
}

function anchor(name: string): string {
  return name.replaceAll("/", "-");
}

function escaped(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
