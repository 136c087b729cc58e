// Parses the arguments of npm run dist: targets and flags.

export const targets = [
  ...(["dir", "tar.gz", "deb", "AppImage", "rpm"] as const),
  ...(["nsis", "portable"] as const),
] as const;
export type Target = (typeof targets)[number];

export interface Order {
  readonly targets: readonly Target[];
  /** Allows packaging the fallback Electron: the package is then marked TEST. */
  readonly isTestBuild: boolean;
}

export type OrderReading =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly message: string };

/** `dir deb --test-build`; without a target, the folder. */
export function readOrder(words: readonly string[]): OrderReading {
  const flags = words.filter((word) => word.startsWith("-"));
  const unknownFlag = flags.find((flag) => flag !== "--test-build");
  if (unknownFlag !== undefined)
    return {
      ok: false,
      message: `Unknown option ${unknownFlag}. Options: --test-build.`,
    };
  const names = words.filter((word) => !word.startsWith("-"));
  const unknown = names.find((name) => !isTarget(name));
  if (unknown !== undefined)
    return {
      ok: false,
      message: `There is no target "${unknown}". Available: ${targets.join(", ")}.`,
    };
  const targetNames = names.filter(isTarget);
  return {
    ok: true,
    order: {
      targets: targetNames.length === 0 ? ["dir"] : [...new Set(targetNames)],
      isTestBuild: flags.length > 0,
    },
  };
}

function isTarget(name: string): name is Target {
  return (targets as readonly string[]).includes(name);
}
