// The activity page of a player: every event, filtered by subject, author, time and words, and exported with the same filter.

import { useMemo, type ReactNode } from "react";
import {
  activityActorKinds,
  activityKinds,
} from "../../../server/contract/v2/v2-logs.ts";
import { t } from "../../locales/messages.ts";
import { useScreensZone } from "../api/api.ts";
import { linesOf } from "./activity-lines.ts";
import { ActivityFrame } from "./ActivityFrame.tsx";
import { ActivityList } from "./ActivityList.tsx";
import { exportActivity } from "./export-csv.ts";
import { PlayerEvent } from "./PlayerEvent.tsx";
import { useActivity } from "./use-activity.ts";
import { useActivityFilter } from "./use-activity-filter.ts";

const kinds = activityKinds.map((value) => ({
  ...{ value, label: t(`activity.kinds.${value}`) },
}));
const authors = [
  { value: "", label: t("activity.anyone") },
  ...activityActorKinds.map((value) => ({
    ...{ value, label: t(`activity.actors.${value}`) },
  })),
];

export function ActivityPage(): ReactNode {
  const filter = useActivityFilter();
  const activity = useActivity(filter.query);
  const { answer, rows } = activity;
  const zone = useScreensZone();
  const lines = useMemo(() => linesOf(rows, zone), [rows, zone]);
  return (
    <ActivityFrame
      {...{ filter, activity, kinds, authors }}
      failed={t("activity.loadFailed")}
      empty={t("activity.empty.description")}
      onExport={(format) => exportActivity(filter.query, format)}
    >
      <ActivityList {...{ lines, zone, answer }}>
        {(line) => <PlayerEvent {...line} />}
      </ActivityList>
    </ActivityFrame>
  );
}
