// The weekdays of several assets, each turned on or off by itself: a click says nothing about the other six. Pure.

interface WithDays {
  readonly play_days: readonly number[];
}

/** Undefined where some play on it and some do not. */
export function playsOn(
  assets: readonly WithDays[],
  day: number,
): boolean | undefined {
  const isOn = assets[0]?.play_days.includes(day) ?? false;
  return assets.every(({ play_days: days }) => days.includes(day) === isOn)
    ? isOn
    : undefined;
}

/** Its last day stays: on no day at all is disabled, not scheduled. */
export function withDay(
  days: readonly number[],
  day: number,
  isOn: boolean,
): readonly number[] {
  const others = days.filter((other) => other !== day);
  if (isOn) return [...others, day].sort((one, other) => one - other);
  return others.length > 0 ? others : days;
}
