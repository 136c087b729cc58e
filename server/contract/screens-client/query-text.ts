// The query of an address from its parameters, without what only a browser or Node has.

export function queryText(
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  return parameters
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
}
