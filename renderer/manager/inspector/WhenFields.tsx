// When an asset plays: dates, weekdays, hours, and for how long.

import { Chip } from "@mantine/core";
import type { ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { useAnswer } from "../operations.ts";
import { texts } from "../texts/texts.ts";
import { NumberField, TextField } from "./Field.tsx";
import { sameOf, type Details } from "./use-details.ts";
import { forGood, momentOfWall, wallTextOf } from "./wall-dates.ts";

interface Props {
  readonly details: Details;
  readonly kinds: ReadonlySet<AssetView["kind"]>;
}

export function WhenFields({ details, kinds }: Props): ReactNode {
  const zone =
    useAnswer("readInfo", {}).data?.clock.timezone ??
    new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hasOwnLength = kinds.has("video") || kinds.has("audio");
  return (
    <>
      <NumberField
        {...{ details, name: "duration", label: texts.inspector.duration }}
        {...(hasOwnLength ? { help: texts.inspector.durationHelp } : {})}
      />
      <TextField
        {...{ details, name: "start_date", label: texts.inspector.startDate }}
        type="datetime-local"
        show={(value: string | null) => wallTextOf(value, zone)}
        read={(text) => {
          const value = momentOfWall(text, zone);
          return value === null ? { wrong: zone } : { value };
        }}
      />
      <TextField
        {...{ details, name: "end_date", label: texts.inspector.endDate }}
        type="datetime-local"
        show={(value: string | null) => wallTextOf(value, zone)}
        read={(text) => ({ value: momentOfWall(text, zone) ?? forGood })}
      />
      <p className="quiet field-note">{texts.inspector.zone(zone)}</p>
      <Days details={details} />
      <Hours details={details} />
    </>
  );
}

function Days({ details }: { readonly details: Details }): ReactNode {
  const days = sameOf(details.assets ?? [], "play_days");
  return (
    <fieldset className="field-set">
      <legend>{texts.inspector.days}</legend>
      <div className="field-days">
        {texts.inspector.dayNames.map((name, index) => {
          const day = index + 1;
          const isOn = days?.includes(day) ?? false;
          return (
            <Chip
              key={name}
              size="sm"
              checked={isOn}
              onChange={() => {
                const next = isOn
                  ? (days ?? []).filter((other) => other !== day)
                  : [...(days ?? []), day];
                // On no day at all is disabled, not scheduled.
                if (next.length > 0)
                  void details.save({ play_days: next }, texts.inspector.days);
              }}
            >
              {/* The first letters; its whole name to those who listen. */}
              <span aria-label={name}>{name.slice(0, 2)}</span>
            </Chip>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Both or none: one alone takes the edge of the day for the other. */
function Hours({ details }: { readonly details: Details }): ReactNode {
  const assets = details.assets ?? [];
  const from = sameOf(assets, "play_time_from");
  const to = sameOf(assets, "play_time_to");
  const together: Details = {
    ...details,
    save: (change, field) => {
      const [name, value] = Object.entries(change)[0] ?? ["", null];
      const isFrom = name === "play_time_from";
      if (value === null)
        return details.save(
          { play_time_from: null, play_time_to: null },
          field,
        );
      const other = isFrom ? (to ?? "23:59:59") : (from ?? "00:00:00");
      return details.save(
        {
          [name]: value,
          [isFrom ? "play_time_to" : "play_time_from"]: other,
        },
        field,
      );
    },
  };
  const read = (text: string) => ({ value: text === "" ? null : text });
  const show = (value: string | null) => value?.slice(0, 5) ?? "";
  const isOvernight =
    typeof from === "string" && typeof to === "string" && to < from;
  return (
    <>
      <div className="field-pair">
        <TextField
          details={together}
          {...{ name: "play_time_from", label: texts.inspector.timeFrom }}
          {...{ type: "time", show, read }}
        />
        <TextField
          details={together}
          {...{ name: "play_time_to", label: texts.inspector.timeTo }}
          {...{ type: "time", show, read }}
        />
      </div>
      <p className="quiet field-note">
        {from === null
          ? texts.inspector.allDay
          : isOvernight
            ? texts.inspector.overnight
            : null}
      </p>
    </>
  );
}
