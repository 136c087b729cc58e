// A week or a day of a screen: lanes by priority, and beneath them any moment of it with what plays and why.

import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Text,
  TextInput,
} from "@mantine/core";
import {
  IconChevronLeft,
  IconChevronRight,
  IconSearch,
} from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type { ScheduleInput } from "../../../server/core/schedule/schedule.ts";
import { useMoment } from "../components/use-moment.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import type { Library } from "../lineup/schedule-inputs.ts";
import { direction, formats } from "../../locales/language.ts";
import { isNarrow } from "../place/narrow-window.ts";
import { t } from "../../locales/messages.ts";
import { type Axis } from "./time-axis.ts";
import { Lanes } from "./lanes/Lanes.tsx";
import type { Lane } from "./lanes/lanes.ts";
import { MomentPanel } from "./MomentPanel.tsx";
import "./schedule.css";
import { useLanes } from "./lanes/use-lanes.ts";
import {
  daysFrom,
  mondayOf,
  momentOf,
  wallOf,
} from "../components/screen-time/week.ts";

type Scale = "week" | "day";
const daysOf: Readonly<Record<Scale, number>> = { week: 7, day: 1 };
/** More lanes than fit on the screen at once. */
const fewEnough = 10;
const dayMs = 86_400_000;
/** On a phone, the times of a week would be lines of a few pixels. */
const initialScale = (): Scale => (isNarrow() ? "day" : "week");
const none: readonly Lane[] = [];
/** The now line is a minute wide at most. */
const intervalMs = 15_000;

interface Props {
  readonly library: Library;
  /** What has lanes: all of it, or the part that concerns a screen. */
  readonly planned: ScheduleInput;
  readonly note: ReactNode;
  /** Precedes the other actions. */
  readonly choice?: ReactNode;
  /** In the place of the lanes, where there are none. */
  readonly empty?: ReactNode;
}

export function WeekPlan(props: Props): ReactNode {
  const { library, planned, note, choice, empty } = props;
  const { zone } = library.screen;
  const now = useMoment(intervalMs);
  const [scale, setScale] = useState<Scale>(initialScale);
  const [firstDay, setFirstDay] = useState(() =>
    scale === "week" ? mondayOf(now, zone) : wallOf(now, zone).day,
  );
  /** Null follows the clock. */
  const [chosenMoment, setChosenMoment] = useState<number | null>(null);
  const [searchText, setSearchText] = useState("");
  const axis: Axis = useMemo(
    () => ({ firstDay, days: daysOf[scale] }),
    [firstDay, scale],
  );
  const days = useMemo(
    () => daysFrom(axis.firstDay, axis.days, zone),
    [axis, zone],
  );
  const laid = useLanes(
    planned,
    momentOf(axis.firstDay, 0, zone),
    momentOf(axis.firstDay + axis.days, 0, zone),
  );
  const lanes = laid.lanes?.lanes ?? none;
  const search = searchText.trim().toLocaleLowerCase();
  const selected = useMemo(
    () =>
      lanes.filter(({ playlist }) =>
        (playlist?.name ?? t("schedule.localAssets"))
          .toLocaleLowerCase()
          .includes(search),
      ),
    [lanes, search],
  );
  const moment = chosenMoment ?? now;
  const show = (day: number, shown: Scale) => {
    setFirstDay(
      shown === "week" ? mondayOf(momentOf(day, dayMs / 2, zone), zone) : day,
    );
    setScale(shown);
  };
  return (
    <PageFrame
      title={t("schedule.title")}
      isFilled
      note={note}
      about={
        <Range from={axis.firstDay} until={axis.firstDay + axis.days - 1} />
      }
      actions={
        <>
          {choice}
          {lanes.length > fewEnough ? (
            <TextInput
              type="search"
              w={180}
              aria-label={t("schedule.search")}
              placeholder={t("schedule.search")}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={searchText}
              onChange={(event) => {
                setSearchText(event.currentTarget.value);
              }}
            />
          ) : null}
          <WeekNavigation
            scale={scale}
            onBy={(by) => {
              setFirstDay(firstDay + by * axis.days);
            }}
            onToday={() => {
              setChosenMoment(null);
              show(wallOf(now, zone).day, scale);
            }}
          />
          <SegmentedControl
            aria-label={t("schedule.scale")}
            value={scale}
            data={[
              { value: "week", label: t("schedule.week") },
              { value: "day", label: t("schedule.day") },
            ]}
            onChange={(value) => {
              show(wallOf(moment, zone).day, value === "day" ? "day" : "week");
            }}
          />
        </>
      }
    >
      {empty ?? null}
      {empty ? null : laid.lanes ? (
        <div className="schedule line-above">
          <Lanes
            library={library}
            lanes={selected}
            spans={laid.lanes.spans}
            axis={axis}
            days={days}
            now={now}
            moment={moment}
            onMoment={setChosenMoment}
            onDay={(day) => {
              show(day, "day");
            }}
          />
          <MomentPanel
            library={library}
            moment={moment}
            isNow={chosenMoment === null}
            onMoment={(nextMoment) => {
              setChosenMoment(nextMoment);
              const { day } = wallOf(nextMoment ?? now, zone);
              if (day < firstDay || day >= firstDay + axis.days)
                show(day, scale);
            }}
          />
        </div>
      ) : (
        <Text className="after-a-moment" c="dimmed" p={24} role="status">
          {t("schedule.progress", {
            done: laid.done,
            count: planned.playlists.length,
          })}
        </Text>
      )}
    </PageFrame>
  );
}

function Range({
  from,
  until,
}: {
  readonly from: number;
  readonly until: number;
}): ReactNode {
  return from === until
    ? formats.calendarDay(from * dayMs)
    : formats.calendarDays(from * dayMs, until * dayMs);
}

interface WeekNavigationProps {
  readonly scale: Scale;
  readonly onBy: (by: number) => void;
  readonly onToday: () => void;
}

function WeekNavigation({
  scale,
  onBy,
  onToday,
}: WeekNavigationProps): ReactNode {
  const [Before, After] =
    direction === "rtl"
      ? [IconChevronRight, IconChevronLeft]
      : [IconChevronLeft, IconChevronRight];
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon
        aria-label={t(`schedule.previous.${scale}`)}
        onClick={() => {
          onBy(-1);
        }}
      >
        <Before size={20} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={onToday}>
        {t("schedule.today")}
      </Button>
      <ActionIcon
        aria-label={t(`schedule.next.${scale}`)}
        onClick={() => {
          onBy(1);
        }}
      >
        <After size={20} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
