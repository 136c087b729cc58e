// Names of time zones that version 3 accepts.

/** Whether it is an IANA name such as Europe/Berlin; offsets are none. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
