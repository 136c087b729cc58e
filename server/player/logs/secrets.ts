// Addresses without their secrets, for the logs of the player (V2-793).

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
