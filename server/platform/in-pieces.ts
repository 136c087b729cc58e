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
