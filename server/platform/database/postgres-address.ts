// How connections to PostgreSQL are opened: its address with the settings of the session that the service relies on.

import type pg from "pg";

/**
 * The database or its user may have other defaults, with which waiting writers would read what was there before they waited, and
 * times and decimals would be written differently (V4-345).
 */
const sessionOptions = [
  ...["TimeZone=UTC", "DateStyle=ISO", "IntervalStyle=postgres"],
  ...["extra_float_digits=1", "standard_conforming_strings=on"],
  ...["transform_null_equals=off", "lock_timeout=0"],
  ...["default_transaction_isolation=read\\ committed"],
  "default_transaction_deferrable=off",
].map((option) => `-c ${option}`);

/** The operator's own options come first: of two for one setting, the last counts. */
export function addressed(url: string): pg.ClientConfig {
  const address = URL.canParse(url) ? new URL(url) : null;
  const own = address?.searchParams.get("options");
  const options = [...(own ? [own] : []), ...sessionOptions].join(" ");
  if (!address || !own) return { connectionString: url, options };
  // The driver would take only those of the address.
  address.searchParams.delete("options");
  return { connectionString: address.href, options };
}
