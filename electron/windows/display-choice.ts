// Which of the displays the glass is on: the one it belongs to, and another only while that is away.

export interface DisplayPreference {
  /** The display the glass belongs to, whether it is there or not; null until one is known. */
  readonly home: number | null;
  /** Which one otherwise, counted from 0. */
  readonly index: number;
}

/** A display keeps its identity when others come and go; without any that is wished for the main one serves. */
export function chooseDisplay<Display extends { readonly id: number }>(
  displays: readonly Display[],
  { home, index }: DisplayPreference,
  primary: Display,
): Display {
  return displays.find(({ id }) => id === home) ?? displays[index] ?? primary;
}

/** Where it belongs from now on: once the display that was asked for is there, always there. */
export function homeOf(
  displays: readonly { readonly id: number }[],
  { home, index }: DisplayPreference,
): number | null {
  return home ?? displays[index]?.id ?? null;
}
