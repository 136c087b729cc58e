// API reference of an interface as one HTML page, generated from its OpenAPI: readable on any screen, offline.
//
// Written here rather than taken from a library. Tried with the version 2 description under this page's policy (no inline
// style, no other origin): Scalar 1.76.0 needs inline styles and weighs 4.9 MB; Redoc 3.0.1 ends with an error; RapiDoc
// 9.3.8 has 1,548 errors. Swagger UI 5.35.0 (1.9 MB) complies, but axe finds 139 contrast violations and a list without a
// name, and it does not follow the system's dark theme. This page is a quarter of a megabyte and axe finds nothing serious.

import type {
  OpenApi,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "../openapi.ts";
import { curlCommand } from "./curl-command.ts";
import { escaped, fieldList, kindOf, nameOf, optional } from "./schema-text.ts";
import { copyScript, pageStyle } from "./reference-style.ts";

interface Found {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The only inline parts that the content security policy of the page allows (V2-92, V4-45). */
export const inlineParts = { style: pageStyle, script: copyScript };

export interface ReferencePlace {
  /** Base address of the examples, e.g. `http://127.0.0.1:8080`; the paths of the description are appended. */
  readonly address: string;
  /** Where programs find the description, as HTML. */
  readonly forPrograms: string;
  /** A header that every request needs, e.g. `Authorization: Token KEY`. */
  readonly header?: string;
}

export function referencePage(api: OpenApi, place: ReferencePlace): string {
  const listed = operationsOf(api);
  const groups = api.tags.map(({ name, description }) => ({
    ...{ name, description },
    operations: listed.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const title = escaped(`${api.info.title} ${api.info.version}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<h1>${escaped(api.info.title)}</h1>
<p>Version ${escaped(api.info.version)} at <code>${escaped(place.address)}</code>. For programs: ${place.forPrograms}.</p>
</header>
<div class="columns">
<nav aria-label="Operations"><details><summary>Operations</summary>
${groups.map(({ name, operations }) => `<h2>${escaped(name)}</h2>\n<ul>${operations.map(linkTo).join("")}</ul>`).join("\n")}
<h2><a href="#shapes">Schemas</a></h2>
</details></nav>
<main id="operations" tabindex="-1">
${paragraphs(api.info.description)}
${groups
  .map(
    ({ name, description, operations }) => `<section>
<h2>${escaped(name)}</h2>
<p>${escaped(description)}</p>
${operations.map((one) => articleOf(api, place, one)).join("\n")}
</section>`,
  )
  .join("\n")}
<section>
<h2 id="shapes">Schemas</h2>
<p>The fields of requests and responses.</p>
${shapesOf(api)}
</section>
</main>
</div>
<div role="status" class="skip"></div>
<script>${copyScript}</script>
</body>
</html>
`;
}

function operationsOf({ paths }: OpenApi): readonly Found[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ method, path, operation },
    })),
  );
}

function paragraphs(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
    .join("\n");
}

function linkTo({ operation }: Found): string {
  return `<li><a href="#${operation.operationId}">${escaped(operation.summary)}</a></li>`;
}

function articleOf(
  api: OpenApi,
  { address, header }: ReferencePlace,
  { method, path, operation }: Found,
): string {
  const { operationId, summary, parameters, requestBody, responses } =
    operation;
  const sentence = operation["x-permission"];
  const permission = sentence === undefined ? "" : `${sentence} `;
  const parts = [
    `<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escaped(path)}</code></h3>`,
    `<p>${escaped(summary)}.</p>`,
    `<p class="rules">${escaped(permission)}Rules ${operation["x-rules"].join(", ")}</p>`,
  ];
  if (parameters) parts.push(parameterList(parameters));
  const content = Object.entries(requestBody?.content ?? {});
  const schema = content[0]?.[1].schema;
  if (schema)
    parts.push(
      `<h4>Body${requestBody?.required ? "" : " (optional)"}: ${content.map(([type]) => bodyNames[type] ?? type).join(", ")}</h4>`,
      fieldList(api, schema),
    );
  parts.push(
    `<h4>Answers</h4>`,
    answerList(responses as Readonly<Record<string, OpenApiResponse>>),
    `<div class="example"><button type="button" hidden aria-label="Copy the example of ${escaped(operationId)}">Copy</button><pre tabindex="0"><code>${escaped(curlCommand(address, method, path, operation, header))}</code></pre></div>`,
  );
  return `<article id="${operationId}">\n${parts.join("\n")}\n</article>`;
}

const bodyNames: Readonly<Record<string, string>> = {
  "application/json": "JSON",
  "application/x-www-form-urlencoded": "form-encoded",
  "multipart/form-data": "multipart",
};

function parameterList(parameters: readonly OpenApiParameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema, example }) =>
      `<div><dt><code>${escaped(name)}</code>${required ? "" : optional}</dt><dd>${escaped(description)} <span class="kind">in the ${place}; ${kindOf(schema)}${example === "" ? "" : `, e.g. <code>${escaped(example)}</code>`}</span></dd></div>`,
  );
  // A collection has a filter for every column: expanded, they would bury the operations.
  const isOpen = parameters.length <= 6 ? " open" : "";
  return `<details${isOpen}><summary>Parameters</summary><dl>${rows.join("")}</dl></details>`;
}

function answerList(responses: Readonly<Record<string, OpenApiResponse>>) {
  const rows = Object.entries(responses)
    .filter(([status]) => status !== "default")
    .map(([status, { description, content }]) => {
      const [type, inner] = Object.entries(content ?? {})[0] ?? [];
      const kind = inner?.schema ? kindOf(inner.schema) : (type ?? "no body");
      // All errors have the same shape, which is described once at the top.
      const shown =
        Number(status) < 400 ? ` <span class="kind">${kind}</span>` : "";
      return `<div><dt>${status}</dt><dd>${escaped(description)}${shown}</dd></div>`;
    });
  return `<dl>${rows.join("")}</dl>`;
}

function shapesOf(api: OpenApi): string {
  return Object.entries(api.components.schemas)
    .map(
      ([name, schema]) =>
        `<article id="${nameOf(name)}"><h3><code>${name}</code></h3>${fieldList(api, schema)}</article>`,
    )
    .join("\n");
}
