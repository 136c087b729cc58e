// A list of what happened: virtualised, older events are loaded while scrolling.

import { Text } from "@mantine/core";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import { dayMs, wallClockOf } from "../../../server/core/wall-clock.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import type { DayLine, EventKey } from "./activity-days.ts";

interface Props<Event> {
  readonly lines: readonly (DayLine | Event)[];
  readonly zone: string;
  /** Of the request for older events. */
  readonly answer: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
  >;
  readonly children: (event: Event) => ReactNode;
}

/** As in activity.css. */
const dayHeight = 44;
const eventHeight = 48;
/** Number of lines before the end at which older events are requested. */
const aheadLines = 40;

export function ActivityList<Event extends EventKey>(
  props: Props<Event>,
): ReactNode {
  const { lines, zone, answer, children } = props;
  const place = useRef<HTMLDivElement>(null);
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
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  useEffect(() => {
    const isNear = last > lines.length - aheadLines;
    if (hasNextPage && !isFetchingNextPage && isNear)
      fetchNextPage().catch(notifyInternalError);
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, lines.length]);

  return (
    // Can be scrolled by keyboard when no link in it has the focus.
    <div
      className="page-scroll"
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
              aria-setsize={hasNextPage ? -1 : lines.length}
              aria-posinset={index + 1}
              ref={virtual.measureElement}
              data-index={index}
              className="activity-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.kind === "day" ? (
                <h2 className="activity-day quiet">
                  {dayName(line.day, zone)}
                </h2>
              ) : (
                children(line)
              )}
            </div>
          );
        })}
      </div>
      {isFetchingNextPage ? (
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
