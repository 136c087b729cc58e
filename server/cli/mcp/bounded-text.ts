// JSON of a result within a limit, so that an MCP client can read it whole.

const maxLength = 40_000;

/** A long list is cut after an element and says how many there are in all; anything else is cut as text. */
export function boundedText(data: unknown, total?: number): string {
  if (Array.isArray(data))
    return listText(data as readonly unknown[], total ?? data.length);
  const text = JSON.stringify(data, null, 1);
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength)}\n… cut here; ${text.length - maxLength} more characters.`;
}

function listText(list: readonly unknown[], total: number): string {
  let shown = 0;
  let length = 0;
  for (const each of list) {
    length += JSON.stringify(each, null, 1).length + 2;
    if (length > maxLength) break;
    shown += 1;
  }
  const items = list.slice(0, shown);
  const text = { count: total, items };
  return JSON.stringify(
    shown === total ? text : { ...text, omitted: total - shown },
    ...([null, 1] as const),
  );
}
