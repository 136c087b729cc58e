// Schedule of an asset: dates, weekdays, hours, and time on screen.

import { Box, Chip, SimpleGrid, Text } from "@mantine/core";
import "./inspector.css";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { useScreensZone } from "../api/api.ts";
import { changeOf } from "../assets/asset-actions.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { playsOn, withDay, withHours } from "./weekdays.ts";
import { NumberField, TextField } from "./Field.tsx";
import { sameOf, type Details } from "./use-details.ts";
import { momentOfWall, formatWallTime, wallTextOf } from "./local-dates.ts";
import { noEndDate } from "../components/no-end-date.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly details: Details;
  readonly kinds: ReadonlySet<AssetView["kind"]>;
}

/** As in the interface: Monday is day 1. */
const weekdays = [
  ...(["monday", "tuesday", "wednesday", "thursday"] as const),
  ...(["friday", "saturday", "sunday"] as const),
] as const;

export function WhenFields({ details, kinds }: Props): ReactNode {
  const zone = useScreensZone();
  const hasOwnLength = kinds.has("video") || kinds.has("audio");
  return (
    <>
      <NumberField
        {...{ details, name: "duration", label: t("inspector.duration") }}
        {...(hasOwnLength ? { help: t("inspector.durationHelp") } : {})}
      />
      <TextField
        {...{ details, name: "start_date", label: t("inspector.startDate") }}
        type="datetime-local"
        show={(value: string | null) => wallTextOf(value, zone)}
        formatMoved={formatWallTime}
        read={(text) => {
          const value = momentOfWall(text, zone);
          return value === null
            ? { wrong: t("inspector.startMissing") }
            : { value };
        }}
      />
      <TextField
        {...{ details, name: "end_date", label: t("inspector.endDate") }}
        type="datetime-local"
        show={(value: string | null) => wallTextOf(value, zone)}
        formatMoved={formatWallTime}
        read={(text) => {
          const value = text === "" ? noEndDate : momentOfWall(text, zone);
          return value === null
            ? { wrong: t("manager.incompleteValue") }
            : { value };
        }}
      />
      <Text c="dimmed" mt={-6} fz={13}>
        {t("inspector.timeZone", { zone })}
      </Text>
      <Days details={details} />
      <Hours details={details} />
    </>
  );
}

function Days({ details }: { readonly details: Details }): ReactNode {
  const { assets = [] } = details;
  // A click holds until it is saved: a further click does not go by the player's earlier response.
  const [clicked, setClicked] = useState<ReadonlyMap<number, Click>>(new Map());
  const stateOf = (day: number): boolean | undefined =>
    clicked.get(day)?.isOn ?? playsOn(assets, day);
  const setDay = async (day: number, isOn: boolean): Promise<void> => {
    const click: Click = { isOn };
    setClicked((all) => new Map(all).set(day, click));
    await details.save(
      ({ play_days: days }) => ({ play_days: withDay(days, day, isOn) }),
      t("inspector.days"),
    );
    setClicked(
      (all) => new Map([...all].filter(([, other]) => other !== click)),
    );
  };
  const states = weekdays.map((_, index) => stateOf(index + 1));
  return (
    <Box component="fieldset">
      <Box component="legend" mb={6} fw={600}>
        {t("inspector.days")}
      </Box>
      <SimpleGrid className="field-days" cols={7} spacing={4}>
        {weekdays.map((weekday, index) => {
          const name = plainMessage(`inspector.weekdays.${weekday}`);
          const state = states[index];
          const isOnly = states.every((other, at) =>
            at === index ? other === true : other === false,
          );
          return (
            <Chip
              key={weekday}
              size="sm"
              checked={state === true}
              data-various={state === undefined}
              onChange={() => {
                // An asset without any day is disabled, not scheduled.
                if (!isOnly)
                  setDay(index + 1, state !== true).catch(notifyInternalError);
              }}
            >
              {/* Shows the first letters; a screen reader gets the whole name. */}
              <span
                aria-label={
                  state === undefined
                    ? `${name}, ${t("inspector.mixed")}`
                    : name
                }
              >
                {name.slice(0, 2)}
              </span>
            </Chip>
          );
        })}
      </SimpleGrid>
      {states.includes(undefined) ? (
        <Text c="dimmed" mt={6} mb={0} fz={13}>
          {t("inspector.daysMixed")}
        </Text>
      ) : null}
    </Box>
  );
}

/** A new one for each click on a day. */
interface Click {
  readonly isOn: boolean;
}

function Hours({ details }: { readonly details: Details }): ReactNode {
  const assets = details.assets ?? [];
  const from = sameOf(assets, "play_time_from");
  const to = sameOf(assets, "play_time_to");
  const together: Details = {
    ...details,
    save: (input, field) =>
      details.save((asset) => withHours(asset, changeOf(input, asset)), field),
  };
  const read = (text: string) => ({ value: text === "" ? null : text });
  const show = (value: string | null) => value?.slice(0, 5) ?? "";
  const isOvernight =
    typeof from === "string" && typeof to === "string" && to < from;
  return (
    <>
      <SimpleGrid cols={2} spacing={12}>
        <TextField
          details={together}
          {...{ name: "play_time_from", label: t("inspector.timeFrom") }}
          {...{ type: "time", show, read }}
        />
        <TextField
          details={together}
          {...{ name: "play_time_to", label: t("inspector.timeTo") }}
          {...{ type: "time", show, read }}
        />
      </SimpleGrid>
      <Text c="dimmed" mt={-6} fz={13}>
        {from === null
          ? t("inspector.allDay")
          : isOvernight
            ? t("inspector.overnight")
            : null}
      </Text>
    </>
  );
}
