// Errors of version 4: each kind of refusal with its code and status, created in one place.

import type { FieldSentences } from "../../core/failure.ts";

export interface RefusalAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** By field, as version 3 returns them; the four keys of version 4 carry them as text. */
  readonly fields?: FieldSentences;
  /** In addition to the four keys, where clients look for it. */
  readonly type?: readonly string[];
}

export class Refusal extends Error {
  readonly answer: RefusalAnswer;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Partial<
      Pick<RefusalAnswer, "details" | "hint" | "headers" | "fields" | "type">
    > = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.answer = {
      ...{ status, code, message, details: null, hint: null, headers: {} },
      ...more,
    };
  }
}

/** Includes the position of the error in the text, counted from 1. */
export function badSyntax(
  what: string,
  text: string,
  column: number,
  details: string,
): Refusal {
  return new Refusal(
    400,
    "PGRST100",
    `"failed to parse ${what} (${text.slice(0, 200)})" (line 1, column ${column})`,
    { details },
  );
}

export function badQuery(message: string, details: string | null): Refusal {
  return new Refusal(400, "PGRST100", message, { details });
}

export function badBody(message: string, status = 400): Refusal {
  return new Refusal(status, "PGRST102", message);
}

export function badRange(details: string, total: number | null): Refusal {
  return new Refusal(416, "PGRST103", "Requested range not satisfiable", {
    details,
    headers: total === null ? {} : { "Content-Range": `*/${total}` },
  });
}

export function tooComplex(details: string): Refusal {
  return new Refusal(400, "54001", "The request is too complex", { details });
}

/** PostgreSQL's own codes, with the status its REST convention assigns (V4-33). */
export function refusedValue(
  sqlState: string,
  message: string,
  details: string | null = null,
): Refusal {
  return new Refusal(statusOfState(sqlState), sqlState, message, { details });
}

export function noSuch(what: string): Refusal {
  return refusedValue(
    "23503",
    `insert or update violates foreign key constraint: there is no such ${what}`,
  );
}

export function unknownColumn(table: string, column: string): Refusal {
  return refusedValue("42703", `column ${table}.${column} does not exist`);
}

export function noSuchOperator(operator: string, type: string): Refusal {
  return refusedValue(
    "42883",
    `operator does not exist: ${type} ${operator} ${type}`,
  );
}

export function badInput(type: string, text: string): Refusal {
  return refusedValue(
    "22P02",
    `invalid input syntax for type ${type}: "${text.slice(0, 200)}"`,
  );
}

export function unknownBodyColumn(column: string, table: string): Refusal {
  return new Refusal(
    400,
    "PGRST204",
    `Could not find the '${column.slice(0, 200)}' column of '${table}' in the schema cache`,
  );
}

export function mayNotWrite(table: string, message?: string): Refusal {
  return new Refusal(
    403,
    "42501",
    message ?? `permission denied for table ${table}`,
  );
}

export function statusOfState(sqlState: string): number {
  const statuses: Readonly<Record<string, number>> = {
    "23505": 409,
    "23503": 409,
    "42883": 404,
    "42501": 403,
    "25006": 503,
    "53100": 507,
    "54000": 400,
    "54001": 400,
    "57014": 503,
    "55P03": 503,
    "40001": 503,
    "40P01": 503,
    XX001: 503,
    XX002: 503,
  };
  const classes: Readonly<Record<string, number>> = {
    "08": 503,
    "53": 503,
    "57": 503,
    "40": 503,
    XX: 500,
    "58": 503,
    "25": 500,
  };
  return statuses[sqlState] ?? classes[sqlState.slice(0, 2)] ?? 400;
}
