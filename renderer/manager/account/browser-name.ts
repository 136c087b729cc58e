// The names of a browser and of its operating system, as far as it names them.

/** Others name themselves besides what they are built on: the first that matches counts. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

export function browserName(agent: string): {
  readonly browser: string | null;
  readonly system: string | null;
} {
  const named = (list: typeof browsers): string | null =>
    list.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
