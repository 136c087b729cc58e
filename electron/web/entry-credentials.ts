// Credentials for an app whose entry is a remote page: sent from the app's settings, and hidden from the page's scripts.

export interface EntryCredentials {
  /** Value of `Authorization`; null where the app's settings have none. */
  readonly authorization: string | null;
  /** The remaining settings, for the page's scripts. */
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
