// Details of an event in the operator's language where there is a message for them; other texts of the player are shown unchanged.

import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import {
  contentOf,
  holdOf,
} from "../../../server/contract/v2/v2-sync-history-text.ts";
import { messageFor, t } from "../../locales/messages.ts";

export function detailsOf({ kind, action, details }: ActivityV2): string {
  if (kind === "sync") return ofPlan(details);
  const isFields = kind === "asset" || kind === "playlist";
  return isFields && action === "changed" ? ofFields(details) : details;
}

/** A change of an asset or a playlist is described by the names of its fields. */
function ofFields(details: string): string {
  return details
    .split(", ")
    .map((entry) => {
      // `custom_headers (Authorization; X-Site)`
      const [, field = entry, within = ""] =
        /^(\w+)( \(.*\))$/.exec(entry) ?? [];
      return (
        (messageFor("activity.fields", field) ?? field) +
        within.replaceAll(";", ",")
      );
    })
    .join(", ");
}

function ofPlan(details: string): string {
  const content = contentOf(details);
  if (content)
    return t("connections.content", {
      assets: content.assets,
      playlists: content.playlists,
    });
  const hold = holdOf(details);
  return hold === null ? details : t(`activity.holdReasons.${hold}`);
}
