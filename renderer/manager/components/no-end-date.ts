// Which end dates mean "no end date": how one is stored, and from how far in the future on a date is taken for one (V2-723). Pure.

/** The player's notation of "until further notice". */
export const noEndDate = "9999-01-01T00:00:00Z";

/** Nobody schedules this far ahead; a later end was written to mean that there is none. */
const openEndedAfterMs = 20 * 365 * 24 * 3600 * 1000;

/** Whether an end at that moment means no end, as the year 9999 does. */
export function isOpenEnded(endsAt: number, moment: number): boolean {
  return endsAt >= moment + openEndedAfterMs;
}

/** An input field shows every date up to here, so that what is stored can be edited. */
const maxShownInFieldsMs = Date.UTC(9000, 0, 1);

/** Whether an input field is empty for an end at that moment. */
export function isEmptyInFields(endsAt: number): boolean {
  return endsAt >= maxShownInFieldsMs;
}
