// What a screen shows at any moment and why, as its content service computes it with the screen's labels, time zone and content.

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { IconCalendarTime, IconCalendarWeek } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type { ScreenScheduleV3 } from "../../../../server/contract/v3/v3-screen-schedule.ts";
import type { Candidate } from "../../../../server/core/schedule/schedule.ts";
import { t } from "../../../locales/messages.ts";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { useMoment } from "../../components/use-moment.ts";
import { isOpenEnded } from "../../components/no-end-date.ts";
import { questionKey } from "../../api/manager-queries.ts";
import { placeFromText, placeToText } from "../../predicates/input-formats.ts";
import { formatIn } from "../../components/screen-time/screen-time-formats.ts";
import { momentOf, wallOf } from "../../components/screen-time/week.ts";
import { WhyTable } from "../../lineup/WhyTable.tsx";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { can } from "../../place/abilities.ts";
import { addressOf } from "../../place/navigation.ts";
import { DueNames } from "../../lineup/DueNames.tsx";
import { candidateOf } from "./screen-candidates.ts";
import { bridge } from "../../transport/bridge.ts";

export function ScreenSchedule({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Group className="details-actions" gap={8}>
        <Button
          variant="default"
          leftSection={<IconCalendarTime size={18} aria-hidden />}
          onClick={() => {
            setIsOpen(true);
          }}
        >
          {t("screens.schedule.open")}
        </Button>
        {can("people") ? (
          <Button
            component="a"
            variant="default"
            leftSection={<IconCalendarWeek size={18} aria-hidden />}
            href={addressOf("schedule", item.screen.id)}
          >
            {t("screens.schedule.week")}
          </Button>
        ) : null}
      </Group>
      <Modal
        opened={isOpen}
        onClose={() => {
          setIsOpen(false);
        }}
        size="xl"
        title={t("screens.schedule.title", { name: item.screen.name })}
      >
        <Moment item={item} />
      </Modal>
    </>
  );
}

const minuteMs = 60_000;
/** The service is asked once the time that is typed rests. */
const restMs = 250;
/** A year is typed digit by digit: until it has four, it is not the intended one. */
const fourDigitYear = /^[1-9]\d{3}-/;

function Moment({ item }: { readonly item: ScreenItem }): ReactNode {
  const { serviceId, screen } = item;
  const zone = screen.timezone || "UTC";
  const [typed, setTyped] = useState<string | null>(null);
  const now = Math.floor(useMoment(minuteMs) / minuteMs) * minuteMs;
  const place =
    typed !== null && fourDigitYear.test(typed) ? placeFromText(typed) : null;
  const moment = place ? momentOf(place.day, place.timeMs, zone) : now;
  const [asked] = useDebouncedValue(new Date(moment).toISOString(), restMs);
  const input = { serviceId, screenId: screen.id, at: asked };
  const schedule = useQuery({
    queryKey: [...questionKey("readScreenSchedule"), input],
    queryFn: () => bridge().readScreenSchedule(input),
    placeholderData: keepPreviousData,
    ...{ staleTime: minuteMs, retry: false },
  });
  const { day, timeMs } = wallOf(moment, zone);
  return (
    <Stack gap={16}>
      <Group align="end" gap={8}>
        <TextInput
          type="datetime-local"
          label={t("screens.schedule.moment", { zone })}
          value={typed ?? placeToText(day, timeMs)}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
        <Button
          variant={typed === null ? "filled" : "default"}
          aria-pressed={typed === null}
          onClick={() => {
            setTyped(null);
          }}
        >
          {t("schedule.now")}
        </Button>
      </Group>
      {schedule.data ? (
        <Plan schedule={schedule.data} />
      ) : schedule.isError ? (
        <QueryError sentence={t("screens.schedule.failed")} query={schedule} />
      ) : (
        <Text className="after-a-moment" c="dimmed">
          {t("manager.loading")}
        </Text>
      )}
    </Stack>
  );
}

const none: readonly never[] = [];

function Plan({
  schedule,
}: {
  readonly schedule: ScreenScheduleV3;
}): ReactNode {
  const { due, until, timezone, time } = schedule;
  const candidates = useMemo<readonly Candidate[]>(
    () => schedule.candidates.map(candidateOf),
    [schedule],
  );
  const rules = useMemo(
    () =>
      new Map(
        schedule.candidates.map(({ playlist, predicate }) => [
          ...([playlist?.id ?? "", predicate] as const),
        ]),
      ),
    [schedule],
  );
  const changesAt = until === null ? null : Date.parse(until);
  return (
    <>
      {schedule.is_enabled ? null : <Text>{t("screens.why.disabled")}</Text>}
      {due.length === 0 ? (
        <Text>{t("schedule.nothingDue")}</Text>
      ) : (
        <DueNames
          due={due.map(({ item_id: id, name, playlist }) => ({
            ...{ id, name, playlist: playlist?.title ?? null },
          }))}
        />
      )}
      <p className="quiet">
        {changesAt === null || isOpenEnded(changesAt, Date.parse(time))
          ? t("schedule.noChanges")
          : t("schedule.nextChange", {
              time: formatIn(timezone).dayAndTime(changesAt),
            })}
      </p>
      <WhyTable
        {...{ candidates, rules, zone: timezone }}
        reported={none}
        isCovered={false}
      />
    </>
  );
}
