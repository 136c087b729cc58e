// Columns of addresses in SQL: as an answer shows them, and as a filter sees them (V4-230, V4-231).

import { inRows, mark } from "./addresses.ts";
import { literal, sql, type Sql } from "../sql.ts";

/** To be made out on the way out; what anybody else wrote lacks the mark and stays as it is. */
export function shownAddress(stored: Sql): Sql {
  return ofFile(stored, sql`${literal(mark)} || ${stored}`);
}

/** As clients read it but for the signature, which is another every hour. */
export function plainAddress(stored: Sql, base: string): Sql {
  return ofFile(
    stored,
    sql`CAST(${filesAt(base)} AS TEXT) || substr(${stored}, ${inRows.length + 1})`,
  );
}

/** An address that was read, as it compares with a plain one. */
export function withoutSignature(address: string, base: string): string {
  return address.startsWith(filesAt(base))
    ? address.replace(/\?.*/s, "")
    : address;
}

function filesAt(base: string): string {
  return `${base}/files/`;
}

/** Pages stay where they are, and so do their addresses. */
function ofFile(stored: Sql, shown: Sql): Sql {
  return sql`CASE WHEN substr(${stored}, 1, ${inRows.length}) = ${literal(inRows)} THEN ${shown} ELSE ${stored} END`;
}
