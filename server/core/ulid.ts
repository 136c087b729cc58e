// ULIDs: created from a timestamp and random bytes, and recognized.

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const momentLength = 10;
const randomLength = 16;

/** Identifiers created within the same millisecond still differ and sort in order of creation. */
export type MakeUlid = (moment: number) => string;

/** `randomBytes` returns that many integers from 0 to 255, uniformly distributed. */
export function createUlids(
  randomBytes: (count: number) => ArrayLike<number>,
): MakeUlid {
  let last = -1;
  let lastText = "";
  let digits: number[] = [];
  return (moment) => {
    // After the clock is set back, later identifiers must not sort before earlier ones.
    const at = Math.max(moment, last);
    digits =
      at === last && canGrow(digits) ? nextOf(digits) : digitsOf(randomBytes);
    if (at !== last) lastText = momentText(at);
    last = at;
    return lastText + textOf(digits);
  };
}

function textOf(digits: readonly number[]): string {
  let text = "";
  for (const digit of digits) text += alphabet.charAt(digit);
  return text;
}

const pattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function isUlid(text: string): boolean {
  return pattern.test(text);
}

/** The first that can be created at this moment, for comparisons. */
export function ulidsFrom(moment: number): string {
  return momentText(moment).padEnd(momentLength + randomLength, "0");
}

function momentText(moment: number): string {
  let text = "";
  let rest = Math.floor(moment);
  for (let place = 0; place < momentLength; place += 1) {
    text = `${alphabet[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function digitsOf(randomBytes: (count: number) => ArrayLike<number>): number[] {
  const bytes = randomBytes(randomLength);
  const digits: number[] = [];
  for (let at = 0; at < randomLength; at += 1)
    digits.push((bytes[at] ?? 0) % 32);
  return digits;
}

function canGrow(digits: readonly number[]): boolean {
  return digits.some((digit) => digit < 31);
}

function nextOf(digits: readonly number[]): number[] {
  const place = digits.findLastIndex((digit) => digit < 31);
  return digits.map((digit, at) => {
    if (at < place) return digit;
    return at === place ? digit + 1 : 0;
  });
}
