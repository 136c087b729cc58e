// What the week of a screen of a content service shows beyond that of a player (V3-186).

import { createContext, useContext } from "react";

export interface ServiceWeek {
  /** On how many screens the playlist plays. */
  readonly screenCountOf: (playlistId: string) => number;
  /** The name of a label or a screen to which playlists are assigned; null: there is none of this identifier. */
  readonly groupNameOf: (id: string) => string | null;
  /** Null: the time zone of the screen. */
  readonly zoneText: string | null;
}

/** Null: the schedule of a player. */
export const ServiceWeekContext = createContext<ServiceWeek | null>(null);

export function useServiceWeek(): ServiceWeek | null {
  return useContext(ServiceWeekContext);
}
