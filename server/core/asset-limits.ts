// Limits of an asset: one list for the player, its sync and the content service, so that each accepts what the others accept.

export const assetLimits = {
  /**
   * Code points of a name on the player: long enough for any name a person writes, short enough for a list of ten thousand. The
   * service keeps longer titles, which are cut here.
   */
  nameLetters: 1000,
  /** Code points of a title at the service. */
  titleLetters: 4096,
  /** The longest address that browsers still accept. */
  addressLetters: 8192,
  /** The longest time on screen: a year. */
  durationSeconds: 31_536_000,
  /** Enough to log in to a page and tidy it up, libraries included. */
  scriptLetters: 1_048_576,
  /** Length of a User-Agent header. */
  userAgentLetters: 4096,
  /** As many as the peer of version 2 accepts. */
  headers: 20,
  headerNameLetters: 100,
  headerValueLetters: 4096,
  /** Length of its JSON: a library of ten thousand assets fits well into memory. */
  metadataLetters: 65_536,
  metadataDepth: 20,
} as const;

/** How long an image or a page is shown if nobody gave it a duration. */
export const defaultDurationSeconds = 10;
