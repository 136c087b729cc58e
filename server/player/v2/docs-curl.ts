// One line to try an operation with, made from its description.

import type {
  OpenApiOperation,
  OpenApiParameter,
} from "../../contract/openapi.ts";

/** Where a file comes back, so that a terminal is spared its bytes. */
const fileNames: Readonly<Record<string, string>> = {
  "application/gzip": "backup.tar.gz",
  "image/png": "glass.png",
};

export function curlFor(
  address: string,
  method: string,
  path: string,
  operation: OpenApiOperation,
): string {
  const words = ["curl"];
  if (method === "get" && "text/event-stream" in answerOf(operation))
    words.push("-N");
  if (method !== "get" && !operation.requestBody)
    words.push(`-X ${method.toUpperCase()}`);
  else if (method !== "get" && method !== "post")
    words.push(`-X ${method.toUpperCase()}`);
  words.push(quoted(address + withExamples(path, operation.parameters ?? [])));
  const content = operation.requestBody?.content;
  const fields = content?.["application/json"]?.example;
  if (fields !== undefined)
    words.push(
      `-H ${quoted("Content-Type: application/json")}`,
      `-d ${quoted(JSON.stringify(fields))}`,
    );
  else if (content) {
    const form = content["multipart/form-data"];
    for (const [field, file] of Object.entries(
      (form?.example ?? {}) as Record<string, string>,
    ))
      words.push(`-F ${quoted(`${field}=@${file}`)}`);
  }
  const [name] = Object.keys(answerOf(operation)).flatMap(
    (type) => fileNames[type] ?? [],
  );
  if (method === "get" && name) words.push(`-o ${name}`);
  return words.join(" ");
}

function answerOf({ responses }: OpenApiOperation): object {
  const first = Object.values(responses)[0];
  return (first && "content" in first && (first.content as object)) || {};
}

function withExamples(
  path: string,
  parameters: readonly OpenApiParameter[],
): string {
  return parameters
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (text, { name, example }) =>
        text.replace(`{${name}}`, () => encodeURIComponent(example)),
      path,
    );
}

/** As a shell takes it for one word, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
