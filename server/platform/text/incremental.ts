// Processes long texts in pieces: between two pieces, other tasks of this process run.

/** Pauses with each `yield`, and returns the result. */
export type PieceByPiece<T> = Generator<void, T>;

/** A few milliseconds of work, whatever the characters are. */
export const charactersInPiece = 8 * 1024;

export function readAtOnce<T>(pieces: PieceByPiece<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** `pause` resolves when other tasks have run. */
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

/** Waiting tasks of this process run first, including its sockets. */
export function atNextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Like `map`, this many at a time. */
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
