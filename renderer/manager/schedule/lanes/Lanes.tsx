// The lanes: what is on the screen at the top, then every playlist with its times, the now line and the preview time.

import { Box, Flex } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, type ReactNode } from "react";
import type { Span } from "../../../../server/core/schedule/schedule.ts";
import type { Library } from "../../lineup/schedule-inputs.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { PlaylistPermission } from "../../playlist-actions/PlaylistPermission.tsx";
import { t } from "../../../locales/messages.ts";
import { lengthOf, placeOf, stretchOf, type Axis } from "../time-axis.ts";
import { AxisHead } from "../AxisHead.tsx";
import { LaneRow } from "./LaneRow.tsx";
import type { Lane } from "./lanes.ts";
import { styleOf } from "./style.ts";
import {
  wallOf,
  wallPieces,
  type Day,
} from "../../components/screen-time/week.ts";

interface Props {
  readonly library: Library;
  readonly lanes: readonly Lane[];
  readonly spans: readonly Span[];
  readonly axis: Axis;
  readonly days: readonly Day[];
  readonly now: number;
  readonly moment: number;
  readonly onMoment: (moment: number) => void;
  readonly onDay: (day: number) => void;
}

const rowPx = 42;

export function Lanes(props: Props): ReactNode {
  const { library, lanes, spans, axis, days, now, moment } = props;
  const { zone } = library.screen;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => lanes[index]?.playlist?.id ?? "local",
    overscan: 8,
  });
  const byId = useMemo(
    () => new Map(library.playlists.map((one) => [one.playlist_id, one])),
    [library.playlists],
  );
  return (
    <section
      className="lanes"
      aria-label={t("schedule.lanes")}
      data-days={axis.days}
    >
      <div className="lanes-scroll scrolls" ref={scroller}>
        <AxisHead {...props} zone={zone} />
        <OnScreen spans={spans} axis={axis} zone={zone} />
        <ol
          role="list"
          className="lane-list"
          style={{ blockSize: rows.getTotalSize() }}
        >
          {rows.getVirtualItems().map(({ index, start, key }) => {
            const lane = lanes[index];
            if (!lane) return null;
            const wire = byId.get(lane.playlist?.id ?? "") ?? null;
            const row = (
              <LaneRow
                key={key}
                lane={lane}
                wire={wire}
                axis={axis}
                days={days}
                zone={zone}
                screenGroups={library.screen.groups}
                startPx={start}
              />
            );
            return wire ? (
              <PlaylistPermission key={key} playlist={wire}>
                {row}
              </PlaylistPermission>
            ) : (
              row
            );
          })}
          <Line at={now} axis={axis} zone={zone} className="now-line" />
          {moment === now ? null : (
            <Line at={moment} axis={axis} zone={zone} className="moment-line" />
          )}
        </ol>
      </div>
      <Legend />
    </section>
  );
}

interface LineProps {
  readonly at: number;
  readonly axis: Axis;
  readonly zone: string;
  readonly className: string;
}

/** From the top of the lanes to their end; nothing where the moment is on another day. */
function Line({ at, axis, zone, className }: LineProps): ReactNode {
  const { day, timeMs } = wallOf(at, zone);
  const share = placeOf(axis, day, timeMs) / lengthOf(axis);
  if (share < 0 || share > 1) return null;
  return (
    <li className="lane-line" role="presentation">
      <div
        className={className}
        style={{ insetInlineStart: `${share * 100}%` }}
      />
    </li>
  );
}

interface OnScreenProps {
  readonly spans: readonly Span[];
  readonly axis: Axis;
  readonly zone: string;
}

/** A row of names: what plays on the screen over time. */
function OnScreen({ spans, axis, zone }: OnScreenProps): ReactNode {
  const named = useMemo(() => joined(spans), [spans]);
  return (
    <Box
      className="lane-row"
      pos="sticky"
      bg="var(--ground)"
      style={{
        zIndex: 5,
        insetBlockStart: "60px",
        borderBlockEnd: "2px solid var(--line)",
      }}
    >
      <div className="lane-name">
        <strong>{t("schedule.onScreen")}</strong>
      </div>
      <div className="lane-track on-screen">
        {named.flatMap(({ from, until, name }) =>
          wallPieces(from, until, zone).flatMap((piece, index) => {
            const stretch = stretchOf(axis, piece);
            if (!stretch) return [];
            return (
              <div
                key={`${from}:${index}`}
                className="on-screen-part"
                data-due={name !== ""}
                title={name === "" ? t("schedule.nothing") : name}
                style={styleOf(stretch, axis)}
              >
                <span>
                  <span className="one-line" dir="auto">
                    {name}
                  </span>
                </span>
              </div>
            );
          }),
        )}
      </div>
    </Box>
  );
}

/** Neighbours of the same name are merged: which of its items can play does not matter here. */
function joined(
  spans: readonly Span[],
): readonly { from: number; until: number; name: string }[] {
  const parts: { from: number; until: number; name: string }[] = [];
  for (const { from, until, playlists } of spans) {
    const name = playlists
      .map((one) =>
        one.playlistId === null ? t("schedule.localAssets") : one.name,
      )
      .join(" + ");
    const last = parts.at(-1);
    if (last?.name === name) last.until = until;
    else parts.push({ from, until, name });
  }
  return parts;
}

// Legend of the lanes' patterns, and how to draw a time.

function Legend(): ReactNode {
  const mayDraw = useMayRequest()("PATCH", "/playlists/:id");
  return (
    <Flex
      className="legend line-above quiet"
      wrap="wrap"
      align="center"
      gap="4px 16px"
      py={6}
      px={16}
      fz={12}
    >
      {(["plays", "outranked", "cannot"] as const).map((state) => (
        <Flex
          display="inline-flex"
          align="center"
          gap={6}
          component="span"
          key={state}
        >
          <i className="stretch" data-state={state} aria-hidden />
          {t(`schedule.legend.${state}`)}
        </Flex>
      ))}
      {mayDraw ? (
        <Flex
          display="inline-flex"
          align="center"
          gap={6}
          component="span"
          ms="auto"
        >
          {t("schedule.drawHint")}
        </Flex>
      ) : null}
    </Flex>
  );
}
