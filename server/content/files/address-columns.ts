// SQL for columns of file addresses: as answers show them, and as filters compare them (V4-230, V4-231).

import { inRows, mark } from "./signed-addresses.ts";
import { literal, sql, type Sql } from "../sql.ts";

/** Marked for resolution in the response; an address written by anybody else lacks the mark and stays as it is. */
export function shownAddress(stored: Sql): Sql {
  return ofFile(stored, sql`${literal(mark)} || ${stored}`);
}

/** As clients read it but without the signature, which changes every hour. */
export function plainAddress(stored: Sql, base: string): Sql {
  return ofFile(
    stored,
    sql`CAST(${filesAt(base)} AS TEXT) || substr(${stored}, ${inRows.length + 1})`,
  );
}

/** An address a client has read, in the form that compares with a plain one. */
export function withoutSignature(address: string, base: string): string {
  return address.startsWith(filesAt(base))
    ? address.replace(/\?.*/s, "")
    : address;
}

function filesAt(base: string): string {
  return `${base}/files/`;
}

/** Addresses of web pages are used as they are. */
function ofFile(stored: Sql, shown: Sql): Sql {
  return sql`CASE WHEN substr(${stored}, 1, ${inRows.length}) = ${literal(inRows)} THEN ${shown} ELSE ${stored} END`;
}
