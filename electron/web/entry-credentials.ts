// How a page elsewhere that an app begins with knows who asks: by what the app is set to, which the page itself is not told.

export interface EntryCredentials {
  /** Of `Authorization`; null where the app is set to none. */
  readonly authorization: string | null;
  /** What is left, for the page's scripts. */
  readonly settings: Readonly<Record<string, string>>;
}

const token = "screenly_http_bearer_token";
const user = "screenly_http_basic_auth_username";
const password = "screenly_http_basic_auth_password";
const names: readonly string[] = [token, user, password];

/** V2-338 */
export function entryCredentials(
  settings: Readonly<Record<string, string>>,
): EntryCredentials {
  return {
    authorization: authorizationOf(settings),
    settings: Object.fromEntries(
      Object.entries(settings).filter(([name]) => !names.includes(name)),
    ),
  };
}

function authorizationOf(
  settings: Readonly<Record<string, string>>,
): string | null {
  const { [token]: bearer, [user]: name, [password]: word } = settings;
  if (bearer) return `Bearer ${bearer}`;
  if (!name && !word) return null;
  const pair = Buffer.from(`${name ?? ""}:${word ?? ""}`).toString("base64");
  return `Basic ${pair}`;
}
