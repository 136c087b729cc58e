// One entry of a content service's activity log as a line of the list.

import {
  IconApps,
  IconBell,
  IconDevices,
  IconFolder,
  IconKey,
  IconMail,
  IconPhotoVideo,
  IconPlaylist,
  IconShieldCheck,
  IconTag,
  IconUser,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type {
  ActivityKindV3,
  ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import { ActivityLine, Origin } from "../../activity/ActivityLine.tsx";
import {
  authorText,
  codeText,
  detailsText,
  eventText,
  fieldText,
  linkTo,
} from "./entry-text.ts";

const icons: Readonly<Record<ActivityKindV3, Icon>> = {
  ...{ asset: IconPhotoVideo, folder: IconFolder, playlist: IconPlaylist },
  ...{ group: IconTag, screen: IconDevices, "shared-playlist": IconPlaylist },
  ...{ "edge-app": IconApps, setting: IconApps },
  ...{ "alert-rule": IconBell, alert: IconBell, assertion: IconShieldCheck },
  ...{ key: IconKey, person: IconUser, invitation: IconMail },
};

export function ServiceEntry({
  entry,
}: {
  readonly entry: ActivityV3;
}): ReactNode {
  const { at, kind, what, name } = entry;
  return (
    <ActivityLine
      time={at}
      sign={icons[kind]}
      isFault={what === "sign-in-failed"}
      text={eventText(entry)}
      name={name}
      link={linkTo(entry)}
      details={detailsText(entry)}
    >
      <Origin
        who={authorText(entry)}
        things={[entry]}
        {...{ fieldText, codeText }}
      />
    </ActivityLine>
  );
}
