// The activity page of a content service: who changed what, when and from where, for administrators (V3-184).

import { useMemo, type ReactNode } from "react";
import type { ApiKeyV3 } from "../../../../server/contract/v3/v3-access.ts";
import {
  activityKindsV3,
  type ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import type { PersonV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { withDays } from "../../activity/activity-days.ts";
import { ActivityFrame } from "../../activity/ActivityFrame.tsx";
import { ActivityList } from "../../activity/ActivityList.tsx";
import { useActivityFilter } from "../../activity/use-activity-filter.ts";
import { usePagedActivity } from "../../activity/use-paged-activity.ts";
import { useScreensZone } from "../../api/api.ts";
import { stayAt, type PageProps } from "../../place/navigation.ts";
import { keysPath, peoplePath } from "../../team/paths.ts";
import { useServiceAnswer } from "../../service-requests/service-queries.ts";
import { exportServiceActivity, sourceOf } from "./service-activity.ts";
import { ServiceEntry } from "./ServiceEntry.tsx";

const kinds = activityKindsV3.map((value) => ({
  ...{ value, label: t(`activity.service.kinds.${value}`) },
}));

interface EntryLine {
  readonly kind: "event";
  readonly key: string;
  readonly entry: ActivityV3;
}

/** `at` is the identifier of the only thing about which it is; empty for all. */
export function ServiceActivityPage({ at }: PageProps): ReactNode {
  const filter = useActivityFilter();
  const query = useMemo(
    () => ({ ...filter.query, resource: at }),
    [filter.query, at],
  );
  const source = useMemo(() => sourceOf(query), [query]);
  const activity = usePagedActivity(source);
  const authors = useAuthors();
  const { answer, rows } = activity;
  const zone = useScreensZone();
  const lines = useMemo(
    () =>
      withDays(
        rows.map((entry): EntryLine => ({
          ...{ kind: "event", key: entry.id, entry },
        })),
        ({ entry }) => entry.at,
        zone,
      ),
    [rows, zone],
  );
  return (
    <ActivityFrame
      {...{ filter, activity, kinds, authors }}
      failed={t("activity.service.loadFailed")}
      empty={t("activity.service.empty")}
      one={
        at === ""
          ? null
          : {
              text: onlyText(rows.find(({ name }) => name !== "")?.name ?? ""),
              onAll: () => {
                stayAt("activity");
              },
            }
      }
      onExport={(format) => exportServiceActivity(query, format)}
    >
      <ActivityList {...{ lines, zone, answer }}>
        {({ entry }) => <ServiceEntry entry={entry} />}
      </ActivityList>
    </ActivityFrame>
  );
}

function onlyText(name: string): string {
  return name === ""
    ? t("activity.service.onlyOne")
    : t("activity.service.only", { name });
}

/** Those who were deleted are found by their names. */
function useAuthors() {
  const people = useServiceAnswer<readonly PersonV3[]>(peoplePath).data;
  const keys = useServiceAnswer<readonly ApiKeyV3[]>(keysPath).data;
  return useMemo(
    () => [
      { value: "", label: t("activity.anyone") },
      {
        group: t("activity.service.people"),
        items: (people ?? []).map(({ id, name, email }) => ({
          ...{ value: id, label: name === "" ? email : name },
        })),
      },
      {
        group: t("activity.service.keys"),
        items: (keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        group: t("activity.service.others"),
        items: (["command", "service"] as const).map((value) => ({
          ...{ value, label: t(`activity.service.actors.${value}`) },
        })),
      },
    ],
    [people, keys],
  );
}
