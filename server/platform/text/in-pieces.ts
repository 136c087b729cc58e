// Long texts read a piece at a time: between two pieces whoever else waits for this process has a turn.

/** Pauses with each `yield`, and returns what was read. */
export type PieceByPiece<T> = Generator<void, T>;

/** A few milliseconds of work, whatever the characters are. */
export const charactersInPiece = 8 * 1024;

export function readAtOnce<T>(pieces: PieceByPiece<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** `pause` is over when the others had their turn. */
export async function readInPieces<T>(
  pieces: PieceByPiece<T>,
  pause: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    await pause();
  }
}

/** What waits for this process, its sockets too, has a turn. */
export function atNextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** As `map` does it, so many at a time. */
export async function mapInPieces<From, To>(
  items: readonly From[],
  atOnce: number,
  change: (item: From) => To,
): Promise<To[]> {
  const changed: To[] = [];
  for (let first = 0; first < items.length; first += atOnce) {
    if (first > 0) await atNextRound();
    for (const item of items.slice(first, first + atOnce))
      changed.push(change(item));
  }
  return changed;
}
