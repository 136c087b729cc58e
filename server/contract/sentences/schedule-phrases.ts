// Parts of the sentences about what is not scheduled: the playlist that plays instead, and the hours of an asset (V2-850).

/** In the place of `{playlist}`. */
export const playlistPhrases = {
  "local-assets": "the local assets",
  playlist: "the playlist {name}",
} as const;

/** In the place of `{hours}`. The first that fits counts. */
export const hoursPhrases = {
  "every-day": "on every day",
  "days-and-times": "on {days} from {from} to {until}",
  days: "on {days}",
  times: "from {from} to {until}",
} as const;

/** From Monday on, as in `{days}`: `Mon, Tue`. */
export const dayNames = [
  ...(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const),
] as const;
