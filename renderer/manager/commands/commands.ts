// Commands of the command bar: pages, actions, playlists, assets. Searched by words, best match first.

export interface Command {
  readonly id: string;
  readonly group: "actions" | "pages" | "playlists" | "assets" | "settings";
  readonly name: string;
  readonly about?: string;
  /** Additional search terms, not displayed. */
  readonly words?: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** More than this is never read: typing one more word is faster. */
const maxOfGroup = 7;

/** Every word of the query has to match; prefix matches come first. */
export function findCommands(
  commands: readonly Command[],
  query: string,
): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const counts = new Map<Command["group"], number>();
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank > 0);
  // Stable: equal ranks keep their order.
  ranked.sort((a, b) => b.rank - a.rank);
  return ranked.flatMap(({ command }) => {
    const count = counts.get(command.group) ?? 0;
    counts.set(command.group, count + 1);
    return count < maxOfGroup ? [command] : [];
  });
}

/** 0 is no match. */
function rankOf(command: Command, words: readonly string[]): number {
  const name = bare(command.name).toLowerCase();
  const all = `${name} ${command.words?.toLowerCase() ?? ""}`;
  let rank = 1;
  for (const word of words) {
    if (!all.includes(word)) return 0;
    if (name.startsWith(word)) rank += 3;
    else if (name.includes(` ${word}`)) rank += 2;
    else if (name.includes(word)) rank += 1;
  }
  return rank;
}

/** Without the Unicode isolates around a text of another direction. */
function bare(name: string): string {
  return name.startsWith("\u2068") ? name.slice(1) : name;
}
