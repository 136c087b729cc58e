// Values as the activity logs of player and content service keep them: bounded, and addresses without their secrets (V2-793, V4-382).

/** An address without credentials, query and fragment. */
export function withoutSecrets(address: string): string {
  const query = address.search(/[?#]/);
  const place = query < 0 ? address : `${address.slice(0, query)}?…`;
  return place.replace(/(^|\/\/)[^/?#]*@/, "$1…@");
}

/**
 * An address with its scheme; or a host with a dot or a port, perhaps with credentials in front of it, and its path or query. Not
 * a file such as `logo@2x.png`, and not a name such as `Menu.v2#1`.
 */
const addressPattern =
  /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|(?:[^\s/?#@:]*:[^\s/?#@]*@|[^\s/?#@]*@(?=[^\s/?#@]*[/?#]))?[^\s/?#@.:]*[.:][^\s/?#@]*(?:[/?]\S*)?)$/i;

/** A page without a name of its own has its address as its name (V2-815). */
export function shownName(name: string): string {
  return addressPattern.test(name) ? withoutSecrets(name) : name;
}

/** Characters of a value; the rest is cut, and its length noted. */
export const maxValueLength = 200;

/** As JSON has it, or a text. */
export type LogValue = string | number | boolean | null;

/** Long values are cut. */
export function shownValue(value: unknown): LogValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const characters = [...text];
  return characters.length <= maxValueLength
    ? text
    : `${characters.slice(0, maxValueLength).join("")}… (${characters.length} characters)`;
}
