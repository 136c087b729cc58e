// Length of the player's password (V2-779).

/** In characters. Short ones could be guessed within the limit on wrong attempts. */
export const passwordLength = { least: 10, most: 200 } as const;

/** Without the spaces at its ends, which copying leaves behind. Returns why it cannot be set, as the end of a sentence, or null. */
export function passwordFault(password: string): string | null {
  const { least, most } = passwordLength;
  const length = [...password.trim()].length;
  return length < least || length > most
    ? `must have ${least} to ${most} characters`
    : null;
}
