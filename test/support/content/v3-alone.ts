// Version 3 over any database and nothing else of the service: enough for lists, playlists and playbacks.

import { createV3Router } from "../../../server/content/v3/router.ts";

type V3Options = Parameters<typeof createV3Router>[0];
type OwnV3Options = Pick<V3Options, "database" | "now" | "makeId"> &
  Partial<Pick<V3Options, "store">>;

export function v3Alone(
  options: OwnV3Options,
): ReturnType<typeof createV3Router> {
  return createV3Router({
    // Not used by these resources.
    ...({} as Pick<
      V3Options,
      | ("store" | "fileRetention" | "link" | "keys" | "alerts" | "sealSecret")
      | ("people" | "sessions" | "signInLimit" | "mailer")
      | ("passwordLinks" | "passwordMail" | "openid")
      | ("passkeys" | "signInFlows")
      | ("appTokens" | "log" | "geocode" | "whatIf" | "adopted")
    >),
    readsFor: async () => options.database,
    ...{ takeScreenshot: undefined, oauthTokens: undefined },
    ownAddress: () => null,
    ...options,
    ...{ mayConnect: () => true, onChanged: () => undefined },
  });
}
