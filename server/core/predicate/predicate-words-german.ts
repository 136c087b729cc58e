// A predicate in plain German: "montags bis freitags 11:30 bis 14:00 ab 1. Juni".

import { listed, type PredicateWords } from "./predicate-words.ts";

export const germanPredicateWords: PredicateWords = {
  always: "immer",
  never: "nie",
  weekdays: [
    ...["sonntags", "montags", "dienstags", "mittwochs"],
    ...["donnerstags", "freitags", "samstags"],
  ],
  // For many people "werktags" includes Saturday.
  workdays: "montags bis freitags",
  weekend: "am Wochenende",
  months: [
    ...["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"],
    ...["August", "September", "Oktober", "November", "Dezember"],
  ],
  date: (day, month, year) =>
    year === null ? `${day}. ${month}` : `${day}. ${month} ${year}`,
  dateAndTime: (date, time) => `${date} um ${time}`,
  days: (first, last) => `${first} bis ${last}`,
  at: (time) => `um ${time}`,
  times: (from, until) => `${from} bis ${until}`,
  on: (date) => `am ${date}`,
  from: (what) => `ab ${what}`,
  until: (what) => `bis ${what}`,
  upTo: (date) => `bis einschließlich ${date}`,
  span: (from, until) => `vom ${from} bis ${until}`,
  except: (what) => `außer ${what}`,
  and: (parts) => listed(parts, "und"),
  or: (parts) => listed(parts, "oder"),
  narrowed: (parts) => parts.join(" "),
  grouped: (what) => `(${what})`,
};
