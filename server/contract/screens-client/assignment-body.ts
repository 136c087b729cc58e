// Labels and playlists of many screens, as version 3 takes them (V3-124).

import type { ManagerInput } from "../ipc/ipc.ts";

export function assignmentBody(
  given: Omit<ManagerInput<"previewAssignment">, "serviceId">,
) {
  return {
    screens: given.screenIds,
    ...{ add_groups: given.addLabels, remove_groups: given.removeLabels },
    add_playlists: given.addPlaylists,
    remove_playlists: given.removePlaylists,
  };
}
