// Predicates that were written and not applied yet: they wait here while another page is open. Pure.

export interface Unapplied {
  /** What was written of it, or what the player goes by. */
  textOf(playlistId: string, stored: string): string;
  note(playlistId: string, stored: string, text: string): void;
}

/** What was written over another predicate than the one there is now is worth nothing any more. */
export function createUnapplied(): Unapplied {
  const waiting = new Map<
    string,
    { readonly stored: string; readonly text: string }
  >();
  return {
    textOf: (playlistId, stored) => {
      const kept = waiting.get(playlistId);
      return kept?.stored === stored ? kept.text : stored;
    },
    note: (playlistId, stored, text) => {
      if (text === stored) waiting.delete(playlistId);
      else waiting.set(playlistId, { stored, text });
    },
  };
}
