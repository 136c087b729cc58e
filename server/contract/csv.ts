// Rows as comma-separated values (RFC 4180), safe to open in a spreadsheet.

type Cell = string | number | boolean | null;

/** Without `columns` they are taken from the first row, in its order; without rows the result is then an empty text. */
export function csvOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[] = columnsOf(rows),
): string {
  if (columns.length === 0) return "";
  const lines = rows.map((row) =>
    columns.map((column) => cellOf((row[column] ?? null) as Cell)).join(),
  );
  return [columns.map(cellOf).join(), ...lines, ""].join("\r\n");
}

function columnsOf<Row extends object>(
  rows: readonly Row[],
): readonly (keyof Row & string)[] {
  return Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
}

function cellOf(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  // A spreadsheet would evaluate text that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
