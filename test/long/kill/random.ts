// Seeded random numbers: the same seed produces the same sequence.

export interface Random {
  /** From 0 to below 1. */
  share(): number;
  /** From 0 to below this. */
  below(most: number): number;
  oneOf<T>(choices: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(share() * most);
  return {
    share,
    below,
    oneOf: (choices) => choices[below(choices.length)] as never,
    shuffled: (items) => {
      const rest = [...items];
      return items.map(() => rest.splice(below(rest.length), 1)[0] as never);
    },
  };
}
