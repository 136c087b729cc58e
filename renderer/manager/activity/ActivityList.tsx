// The activity list: virtualised, older events are loaded while scrolling.

import { Text } from "@mantine/core";
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
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import {
  settingFields,
  type SettingName,
} from "../../../server/contract/v2/v2-settings.ts";
import { dayMs, wallClockOf } from "../../../server/core/wall-clock.ts";
import { useScreensZone } from "../api/api.ts";
import { addressOf } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { messageFor, t } from "../../locales/messages.ts";
import { isCount, linesOf } from "./activity-lines.ts";
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

interface Props {
  readonly events: readonly ActivityV2[];
  readonly isMore: boolean;
  readonly isFetchingMore: boolean;
  readonly onMore: () => void;
}

/** As in activity.css. */
const dayHeight = 44;
const eventHeight = 48;
/** Number of lines before the end at which older events are requested. */
const aheadLines = 40;

export function ActivityList(props: Props): ReactNode {
  const { events, isMore, isFetchingMore, onMore } = props;
  const place = useRef<HTMLDivElement>(null);
  const zone = useScreensZone();
  const lines = useMemo(() => linesOf(events, zone), [events, zone]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: (index) =>
      lines[index]?.kind === "day" ? dayHeight : eventHeight,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (isMore && !isFetchingMore && last > lines.length - aheadLines) onMore();
  }, [isMore, isFetchingMore, last, lines.length, onMore]);

  return (
    // Can be scrolled by keyboard when no link in it has the focus.
    <div
      className="activity-scroll"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={t("activity.list")}
    >
      <div
        role="list"
        className="activity-list"
        aria-label={t("activity.list")}
        style={{ blockSize: virtual.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={isMore ? -1 : lines.length}
              aria-posinset={index + 1}
              ref={virtual.measureElement}
              data-index={index}
              className="activity-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.kind === "day" ? (
                <h2 className="activity-day">{dayName(line.day, zone)}</h2>
              ) : (
                <EventLine {...line} />
              )}
            </div>
          );
        })}
      </div>
      {isFetchingMore ? (
        <Text c="dimmed" py={12} ta="center" role="status">
          {t("activity.loadingMore")}
        </Text>
      ) : null}
    </div>
  );
}

function dayName(day: number, zone: string): string {
  const { day: today } = wallClockOf(zone).wallTimeAt(Date.now());
  if (day === today) return t("activity.today");
  return day === today - 1
    ? t("activity.yesterday")
    : formats.calendarDay(day * dayMs);
}

interface EventProps {
  readonly event: ActivityV2;
  readonly isDrill: boolean;
  readonly count: number;
  readonly events: readonly ActivityV2[];
}

function EventLine({ event, isDrill, count, events }: EventProps): ReactNode {
  const { kind, action, asset_id: assetId, time, actor, changes } = event;
  const Sign = icons[kind] ?? IconDeviceTv;
  const name = count > 1 ? "" : nameOf(event);
  const reason = isCount(event) ? "" : detailsOf(event);
  return (
    <div
      className="activity-line"
      data-tone={kind === "fault" && action !== "uncovered" ? "fault" : "plain"}
    >
      <time dateTime={time} className="quiet">
        <bdi>{formats.time(Date.parse(time))}</bdi>
      </time>
      <Sign size={18} stroke={1.75} aria-hidden className="activity-sign" />
      <div className="activity-words">
        {isDrill ? (
          <>
            <strong className="activity-mark">
              {t("activity.drill")}
            </strong>{" "}
          </>
        ) : null}
        <span className="activity-what">
          {eventText(event, count)}
          {name === "" && reason !== "" ? ":" : ""}
        </span>{" "}
        {name === "" ? null : assetId !== null && action !== "removed" ? (
          <a
            href={addressOf("library", assetId)}
            title={t("activity.openAsset")}
          >
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi className="activity-name">{name}</bdi>
        )}
        {name === "" || reason === "" ? " " : ": "}
        {reason === "" ? null : <bdi className="quiet">{reason}</bdi>}
        {actor === null && changes.length === 0 ? null : (
          <Origin
            who={actor && actorText(actor)}
            events={isCount(event) ? [] : events}
          />
        )}
      </div>
    </div>
  );
}

/** Who made the change and, when opened, the values before and after it: of many things on one line, with their names. */
function Origin(props: {
  readonly who: string | null;
  readonly events: readonly ActivityV2[];
}): ReactNode {
  const { who } = props;
  const events = props.events.filter(({ changes }) => changes.length > 0);
  if (events.length === 0)
    return <bdi className="activity-origin quiet">{who}</bdi>;
  return (
    <details className="activity-origin quiet">
      <summary>
        <bdi>{who ?? t("activity.changes")}</bdi>
      </summary>
      <dl className="activity-changes" aria-label={t("activity.changes")}>
        {events.flatMap(({ activity_id: id, name, changes }) =>
          changes.map(({ field, before, after }) => (
            <div key={`${id} ${field}`}>
              <dt>
                {events.length > 1 ? (
                  <>
                    <bdi>{name}</bdi> ·{" "}
                  </>
                ) : null}
                {fieldText(field)}
              </dt>
              <dd>
                <bdi>{valueText(before)}</bdi> <span aria-hidden>→</span>{" "}
                <bdi>{valueText(after)}</bdi>
              </dd>
            </div>
          )),
        )}
      </dl>
    </details>
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

function valueText(value: string | number | boolean | null): string {
  return value === null || value === "" ? "–" : String(value);
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
