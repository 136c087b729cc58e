// Why a screen is not right, as sentences: made when its state is judged (L-40), and found again for emails in other languages
// (V4-415).

/** By code; a name in braces stands for a detail. */
export const stateReasons = {
  silent: "The player does not respond.",
  "never-seen": "The player has not connected yet.",
  blank: "The screen is blank instead of showing {planned}.",
  frozen: "The screen is frozen instead of showing {planned}.",
  wrong: "The screen shows something other than {planned}.",
  "not-ready": "Nothing that is due can be shown{first}.",
  failed: "{count} of {wanted} items failed{first}.",
  "one-missing": "{count} of {wanted} items is missing{first}.",
  missing: "{count} of {wanted} items are missing{first}.",
} as const;

/** In the place of `{planned}` where it has no name. */
export const unnamedContent = "its content";

/** In the place of `{first}`, unless it is empty: the first item concerned, and why. */
export const firstItem = ": “{name}”: {why}";
