// The list of what happened: only what is seen is drawn, older events come as one scrolls.

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
import type { ActivityV2 } from "../../../server/contract/v2-history.ts";
import {
  settingFields,
  type SettingName,
} from "../../../server/contract/v2-settings.ts";
import { addressOf } from "../place.ts";
import { formats, texts } from "../texts/texts.ts";
import { isCount, linesOf } from "./lines.ts";

const words = texts.activity;

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
  readonly isAskingMore: boolean;
  readonly onMore: () => void;
}

/** As in activity.css. */
const dayHeight = 44;
const eventHeight = 48;
/** So far ahead of the end older ones are asked for. */
const aheadLines = 40;

export function ActivityList(props: Props): ReactNode {
  const { events, isMore, isAskingMore, onMore } = props;
  const place = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(events), [events]);
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
    if (isMore && !isAskingMore && last > lines.length - aheadLines) onMore();
  }, [isMore, isAskingMore, last, lines.length, onMore]);

  return (
    // Scrolled by keyboard where no link in it has the focus.
    <div
      className="activity-scroll"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={words.list}
    >
      <div
        role="list"
        className="activity-list"
        aria-label={words.list}
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
                <h2 className="activity-day">{dayName(line.moment)}</h2>
              ) : (
                <EventLine {...line} />
              )}
            </div>
          );
        })}
      </div>
      {isAskingMore ? (
        <p className="activity-more quiet" role="status">
          {words.more}
        </p>
      ) : null}
    </div>
  );
}

function dayName(moment: number): string {
  const day = new Date(moment).toDateString();
  const dayMs = 86_400_000;
  if (day === new Date().toDateString()) return words.today;
  if (day === new Date(Date.now() - dayMs).toDateString())
    return words.yesterday;
  return formats.day(moment);
}

interface EventProps {
  readonly event: ActivityV2;
  readonly isDrill: boolean;
  readonly count: number;
}

function EventLine({ event, isDrill, count }: EventProps): ReactNode {
  const { kind, what, asset_id: assetId, time } = event;
  const Sign = icons[kind] ?? IconDeviceTv;
  const name = count > 1 ? "" : nameOf(event);
  const reason = isCount(event) ? "" : saysOf(event);
  return (
    <div
      className="activity-line"
      data-tone={kind === "fault" ? "fault" : "plain"}
    >
      <time dateTime={time} className="quiet">
        <bdi>{formats.time(Date.parse(time))}</bdi>
      </time>
      <Sign size={18} stroke={1.75} aria-hidden className="activity-sign" />
      <p className="activity-words">
        {isDrill ? (
          <>
            <strong className="activity-mark">{words.drillMark}</strong>{" "}
          </>
        ) : null}
        <span className="activity-what">
          {count > 1
            ? `${words.many[kind]?.(count) ?? kind} ${words.what[what] ?? what}`
            : (words.whole[`${kind} ${what}`] ??
              `${words.one[kind] ?? kind} ${words.what[what] ?? what}`)}
          {name === "" && reason !== "" ? ":" : ""}
        </span>{" "}
        {name === "" ? null : assetId !== null && what !== "removed" ? (
          <a href={addressOf("library", assetId)} title={words.openAsset}>
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi className="activity-name">{name}</bdi>
        )}
        {name === "" || reason === "" ? " " : ": "}
        {reason === "" ? null : <bdi className="quiet">{reason}</bdi>}
      </p>
    </div>
  );
}

/** What was changed of an asset or a playlist is told by the names of its fields. */
function saysOf({ kind, what, says }: ActivityV2): string {
  const isFields = kind === "asset" || kind === "playlist";
  if (!isFields || what !== "changed") return says;
  return says
    .split(", ")
    .map((field) => words.fields[field] ?? field)
    .join(", ");
}

/** A setting is called as on its own page. */
function nameOf({ kind, name }: ActivityV2): string {
  if (kind !== "settings") return name;
  const wireName = Object.hasOwn(settingFields, name)
    ? settingFields[name as SettingName].wireName
    : name;
  return texts.settings.fields[wireName]?.name ?? wireName;
}
