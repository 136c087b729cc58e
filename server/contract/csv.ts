// Rows as comma-separated values (RFC 4180), safe to be opened by a spreadsheet.

type Cell = string | number | boolean | null;

/** The columns are those of the first row, and in its order; no rows are an empty text. */
export function csvOf(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return "";
  const columns = Object.keys(first);
  const lines = rows.map((row) =>
    columns.map((column) => cellOf(row[column] ?? null)).join(),
  );
  return [columns.map(cellOf).join(), ...lines, ""].join("\r\n");
}

function cellOf(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  // A text that begins like a formula would be reckoned out.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
