// One event of a player as a line of the activity list.

import {
  IconAlertTriangle,
  IconDeviceTv,
  IconKey,
  IconPhotoVideo,
  IconPlaylist,
  IconRefresh,
  IconSettings,
  IconUrgent,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import {
  settingFields,
  type SettingName,
} from "../../../server/contract/v2/v2-settings.ts";
import { addressOf } from "../place/navigation.ts";
import { messageFor, t } from "../../locales/messages.ts";
import { isCount, type EventLine } from "./activity-lines.ts";
import { ActivityLine, Origin } from "./ActivityLine.tsx";
import { detailsOf } from "./details.ts";

const icons: Readonly<Record<string, Icon>> = {
  player: IconDeviceTv,
  asset: IconPhotoVideo,
  playlist: IconPlaylist,
  settings: IconSettings,
  takeover: IconUrgent,
  fault: IconAlertTriangle,
  sync: IconRefresh,
  access: IconKey,
};

export function PlayerEvent({
  event,
  isDrill,
  count,
  events,
}: EventLine): ReactNode {
  const { kind, action, asset_id: assetId, time, actor, changes } = event;
  return (
    <ActivityLine
      time={time}
      sign={icons[kind] ?? IconDeviceTv}
      isFault={kind === "fault" && action !== "uncovered"}
      mark={isDrill ? t("activity.drill") : null}
      text={eventText(event, count)}
      name={count > 1 ? "" : nameOf(event)}
      link={
        assetId !== null && action !== "removed"
          ? {
              href: addressOf("library", assetId),
              title: t("activity.openAsset"),
            }
          : null
      }
      details={isCount(event) ? "" : detailsOf(event)}
    >
      {actor === null && changes.length === 0 ? null : (
        <Origin
          who={actor && actorText(actor)}
          things={
            isCount(event)
              ? []
              : events.map((one) => ({ ...one, id: one.activity_id }))
          }
          fieldText={fieldText}
        />
      )}
    </ActivityLine>
  );
}

/** Its kind, its name and its address, as far as it has them. */
function actorText({
  kind,
  name,
  address,
}: NonNullable<ActivityV2["actor"]>): string {
  const what = messageFor("activity.actors", kind) ?? kind;
  return [what, name, address].filter(Boolean).join(" · ");
}

function fieldText(field: string): string {
  return (
    messageFor("activity.fields", field) ??
    messageFor("settings.fields", `${field}.name`) ??
    field
  );
}

/** An action of another version has no sentence here: its code is shown. */
function eventText({ kind, action }: ActivityV2, count: number): string {
  const text =
    count > 1
      ? messageFor(`activity.counts.${kind}`, action, { count })
      : messageFor(`activity.events.${kind}`, action);
  return text ?? `${kind} ${action}`;
}

/** Settings are named as on their own page. */
function nameOf({ kind, name }: ActivityV2): string {
  if (kind !== "settings") return name;
  const wireName = Object.hasOwn(settingFields, name)
    ? settingFields[name as SettingName].wireName
    : name;
  return messageFor("settings.fields", `${wireName}.name`) ?? wireName;
}
