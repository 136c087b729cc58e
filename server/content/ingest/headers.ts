// The request headers of an asset that can be sent over HTTP: texts whose names and values contain no line break.

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function sendableHeaders(
  headers: unknown,
): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] =>
        headerName.test(entry[0]) &&
        typeof entry[1] === "string" &&
        headerValue.test(entry[1]),
    ),
  );
}
