// Chooses the display for the playback window: its home display, and another one only while that is disconnected.

export interface DisplayPreference {
  /** The home display, whether it is connected or not; null until one is known. */
  readonly home: number | null;
  /** The display to use otherwise, counted from 0. */
  readonly index: number;
}

/** A display keeps its id when others are connected and disconnected; without any that is preferred, the main one is used. */
export function chooseDisplay<Display extends { readonly id: number }>(
  displays: readonly Display[],
  { home, index }: DisplayPreference,
  primary: Display,
): Display {
  return displays.find(({ id }) => id === home) ?? displays[index] ?? primary;
}

/** The home display from now on: once the requested display is connected, always that one. */
export function homeOf(
  displays: readonly { readonly id: number }[],
  { home, index }: DisplayPreference,
): number | null {
  return home ?? displays[index]?.id ?? null;
}
