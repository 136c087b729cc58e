// How much an asset may bring: one list for the player, its sync and the content service, so that what one of them takes the others take too.

export const assetLimits = {
  /** Code points of a name on the player; the service keeps longer titles, which are cut here. */
  nameLetters: 1000,
  /** Code points of a title at the service. */
  titleLetters: 4096,
  /** Enough to log a page in and tidy it up, libraries included. */
  scriptLetters: 1_048_576,
  /** What a browser says of itself. */
  userAgentLetters: 4096,
  /** As many as the peer of version 2 takes. */
  headers: 20,
  headerNameLetters: 100,
  headerValueLetters: 4096,
  /** Of its JSON: a library of ten thousand stays well in memory. */
  metadataLetters: 65_536,
  metadataDepth: 20,
} as const;
