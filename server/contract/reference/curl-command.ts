// Builds a sample curl command for an operation from its OpenAPI description.

import type {
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSecurity,
} from "../openapi.ts";
import { managerHeader } from "../v2/manager-header.ts";

/** Operations that return a file: saved under this name, so that no bytes are printed to the terminal. */
const fileNames: Readonly<Record<string, string>> = {
  "application/gzip": "backup.tar.gz",
  "image/png": "screen.png",
};

/** `header` is sent wherever a key is enough, e.g. `Authorization: Token KEY`. */
export function curlCommand(
  address: string,
  method: string,
  path: string,
  operation: OpenApiOperation,
  header?: string,
): string {
  const { parameters = [], requestBody } = operation;
  const words = ["curl"];
  const answered = Object.keys(answerOf(operation));
  if (method === "get" && answered.includes("text/event-stream"))
    words.push("-N");
  if (method !== "get" && (method !== "post" || !requestBody))
    words.push("-X", method.toUpperCase());
  words.push(quoted(address + withExamples(path, parameters)));
  words.push(...credentialsOf(operation.security, header));
  const { "application/json": json, "multipart/form-data": form } =
    requestBody?.content ?? {};
  if (json)
    words.push(
      ...["-H", quoted("Content-Type: application/json")],
      ...["-d", quoted(JSON.stringify(json.example ?? {}))],
    );
  else
    for (const [field, file] of Object.entries(form?.example ?? {}))
      words.push("-F", quoted(`${field}=@${String(file)}`));
  const [name] = answered.flatMap((type) => fileNames[type] ?? []);
  if (method === "get" && name) words.push("-o", name);
  return words.join(" ");
}

/** Without a key: the cookie of a session in a file, which signing in writes. */
function credentialsOf(
  security: OpenApiSecurity | undefined,
  header: string | undefined,
): readonly string[] {
  if (security === undefined || security.some((one) => "key" in one))
    return header === undefined ? [] : ["-H", quoted(header)];
  const names = security.flatMap((one) => Object.keys(one));
  const { name, value } = managerHeader;
  return [
    ...[names.includes("session") ? "-b" : "-c", "cookies.txt"],
    ...(names.includes("manager") ? ["-H", quoted(`${name}: ${value}`)] : []),
  ];
}

function answerOf({ responses }: OpenApiOperation): object {
  const first = Object.values(responses)[0];
  return (first && "content" in first && (first.content as object)) || {};
}

/** The path with every path parameter and the required query parameters. */
function withExamples(
  path: string,
  parameters: readonly OpenApiParameter[],
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      parameters.find((parameter) => parameter.name === name)?.example ?? name,
    ),
  );
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  return query.length > 0 ? `${filled}?${query.join("&")}` : filled;
}

/** Quoted as one word for a shell, whatever it contains. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
