// The days of a week as seven switches, with presets for the usual selections.

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { language } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { sameDays, weekFromMonday } from "./weekly-windows.ts";

interface Props {
  readonly days: readonly number[];
  readonly onDays: (days: readonly number[]) => void;
  readonly autoFocus?: boolean;
}

const workdays = [1, 2, 3, 4, 5];
const weekend = [6, 0];
/** The 4th of January 1970 was a Sunday. */
const someSunday = 3;
const dayMs = 86_400_000;

function names(weekday: "short" | "long"): readonly string[] {
  const format = new Intl.DateTimeFormat(language, {
    weekday,
    timeZone: "UTC",
  });
  return weekFromMonday
    .toSorted((a, b) => a - b)
    .map((day) => format.format((someSunday + day) * dayMs));
}

export const shortDays = names("short");
export const longDays = names("long");

export function DayChips({ days, onDays, autoFocus }: Props): ReactNode {
  const usual = [
    [t("playlists.schedule.everyDay"), weekFromMonday],
    [t("playlists.schedule.workdays"), workdays],
    [t("playlists.schedule.weekend"), weekend],
  ] as const;
  return (
    <Group align="stretch" gap="8px 16px">
      <Group
        align="stretch"
        gap={4}
        role="group"
        aria-label={t("playlists.schedule.days")}
      >
        {usual.map(([name, chosen], index) => (
          <Button
            key={name}
            h={36}
            px={12}
            variant={sameDays(days, chosen) ? "filled" : "default"}
            aria-pressed={sameDays(days, chosen)}
            autoFocus={autoFocus === true && index === 0}
            onClick={() => {
              onDays(chosen);
            }}
          >
            {name}
          </Button>
        ))}
      </Group>
      <Group
        align="stretch"
        gap={4}
        role="group"
        aria-label={t("playlists.schedule.days")}
      >
        {weekFromMonday.map((day) => (
          <button
            key={day}
            type="button"
            className="chip day-chip"
            aria-pressed={days.includes(day)}
            // What is visible is its name (WCAG 2.5.3).
            title={longDays[day]}
            onClick={() => {
              onDays(
                weekFromMonday.filter((one) =>
                  one === day ? !days.includes(day) : days.includes(one),
                ),
              );
            }}
          >
            {shortDays[day]}
          </button>
        ))}
      </Group>
    </Group>
  );
}
