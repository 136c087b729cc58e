// Playlists by priority: of those that are due, the ones with the highest priority play, in rotation.

/** The highest priority first; within a priority the order stays. */
export function priorityLevelsOf<T extends { readonly priority: number }>(
  playlists: readonly T[],
): readonly (readonly T[])[] {
  const levels = new Map<number, T[]>();
  for (const playlist of playlists) {
    const level = levels.get(playlist.priority);
    if (level) level.push(playlist);
    else levels.set(playlist.priority, [playlist]);
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level);
}
