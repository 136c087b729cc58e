// Whether the person may change a playlist: what they may not do is not rendered (V3-192). At a player, everybody may.

import { createContext, useContext, type ReactNode } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { GrantContext, permissionsOf } from "../place/permissions.ts";
import { useScreens } from "../fleet/use-screens.ts";

const MayChange = createContext(true);

/** The playlist in whose editor this is rendered. */
export function useMayChange(): boolean {
  return useContext(MayChange);
}

interface Props {
  readonly playlist: Pick<PlaylistV2, "groups">;
  readonly children: ReactNode;
}

export function PlaylistPermission(props: Props): ReactNode {
  const grant = useContext(GrantContext);
  // Only a limit depends on which labels the playlist has.
  if (grant !== null && grant.labels !== null)
    return <LimitedPermission {...props} />;
  const mayChange = permissionsOf(grant)("PATCH", "/playlists/:id");
  return <MayChange value={mayChange}>{props.children}</MayChange>;
}

/** Each label must be one of the limit, or the own label of a screen that has one of them (V4-363). */
function LimitedPermission({ playlist, children }: Props): ReactNode {
  const mayRequest = permissionsOf(useContext(GrantContext));
  const { all } = useScreens();
  const affected = playlist.groups.map((id) => {
    const own = all.find(({ screen }) => screen.id === id);
    return { groups: own?.screen.groups ?? [{ id }] };
  });
  const mayChange = mayRequest("PATCH", "/playlists/:id", affected);
  return <MayChange value={mayChange}>{children}</MayChange>;
}
