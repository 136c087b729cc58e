// Duration of a takeover: one of the presets, or any number of minutes.

import { assetLimits } from "../../../server/core/asset-limits.ts";
import { NumberInput, Select } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { formats } from "../../locales/language.ts";

interface Props {
  readonly label: string;
  /** Null until it is stopped by hand. */
  readonly seconds: number | null;
  readonly isDisabled?: boolean;
  readonly onChange: (seconds: number | null) => void;
}

/** In seconds. */
const usual: readonly (number | null)[] = [null, 60, 300, 600, 900, 3600];
const untilEnded = "none";
const custom = "custom";
/** Initial value of a custom duration where there was none. */
const firstCustomSeconds = 600;
const maxSeconds = assetLimits.durationSeconds;

export function DurationField(props: Props): ReactNode {
  const { label, seconds, isDisabled = false, onChange } = props;
  const [isCustom, setIsCustom] = useState(false);
  // While being typed, the field may hold an invalid duration; the last valid one stays.
  const [typed, setTyped] = useState<string | number | null>(null);
  const isTyped = isCustom && !isDisabled;
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        maxDropdownHeight={320}
        data={[
          ...withUsual(seconds).map((one) => ({
            value: keyOf(one),
            label:
              one === null ? t("takeover.untilEnded") : formats.length(one),
          })),
          { value: custom, label: t("takeover.customDuration") },
        ]}
        value={isTyped ? custom : keyOf(seconds)}
        disabled={isDisabled}
        onChange={(value) => {
          setIsCustom(value === custom);
          setTyped(null);
          if (value !== custom) onChange(secondsIn(value));
          else if (seconds === null) onChange(firstCustomSeconds);
        }}
      />
      {isTyped ? (
        <NumberInput
          label={t("takeover.minutes")}
          autoFocus
          hideControls
          allowNegative={false}
          decimalScale={2}
          value={typed ?? minutesOf(seconds ?? firstCustomSeconds)}
          onChange={(value) => {
            setTyped(value);
            const next = Math.round(Number(value) * 60);
            if (value !== "" && next >= 1 && next <= maxSeconds) onChange(next);
          }}
          onBlur={() => {
            setTyped(null);
          }}
        />
      ) : null}
    </>
  );
}

/** The presets, including the given duration. */
function withUsual(seconds: number | null): readonly (number | null)[] {
  return usual.includes(seconds)
    ? usual
    : [...usual, seconds].sort((a, b) => (a ?? 0) - (b ?? 0));
}

function minutesOf(seconds: number): number {
  return Math.round((seconds / 60) * 100) / 100;
}

function keyOf(seconds: number | null): string {
  return seconds === null ? untilEnded : String(seconds);
}

function secondsIn(key: string | null): number | null {
  return key === null || key === untilEnded ? null : Number(key);
}
