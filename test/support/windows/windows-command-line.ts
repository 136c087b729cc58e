// Command lines as Windows stores and parses them.

/** As Electron joins them (FormatCommandLineString of its shell/browser/browser_win.cc). */
export function commandLineOf(program: string, args: readonly string[]) {
  return [program, ...args].join(" ");
}

/** As CommandLineToArgvW does: the program first, whose backslashes never escape anything. */
export function wordsOf(line: string): string[] {
  const [, quoted, bare, rest = ""] =
    /^(?:"([^"]*)"|(\S*))\s*([^]*)$/.exec(line) ?? [];
  const words = [quoted ?? bare ?? ""];
  let word: string | null = null;
  let isInside = false;
  for (const [, slashes = "", sign = ""] of rest.matchAll(/(\\*)([^\\]|$)/g)) {
    if (sign === '"') {
      word = (word ?? "") + "\\".repeat(slashes.length >> 1);
      if (slashes.length % 2 === 1) word += sign;
      else isInside = !isInside;
      continue;
    }
    if (slashes !== "") word = (word ?? "") + slashes;
    if (sign === "" || (/\s/.test(sign) && !isInside)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + sign;
  }
  return words;
}
