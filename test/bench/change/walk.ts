// Every ordered pair of kinds once, in one round trip.

export const kinds = [
  "image",
  "video",
  "webpage",
  "pdf",
  "stream",
  "audio",
] as const;

export type Kind = (typeof kinds)[number];

/** Each kind has two variants, so that it can follow itself and be distinguished. */
export type Variant = 0 | 1;

export interface Stop {
  readonly kind: Kind;
  readonly variant: Variant;
}

/** A round trip that goes from every kind to every kind, itself included, exactly once (Hierholzer's algorithm). */
export function walkAllPairs(of: readonly Kind[] = kinds): readonly Stop[] {
  const left = new Map(of.map((kind) => [kind, [...of]]));
  const path: Kind[] = of.slice(0, 1);
  const walk: Kind[] = [];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const next = left.get(at)?.pop();
    if (next !== undefined) path.push(next);
    else walk.push(path.pop() ?? at);
  }
  // It ends where it began.
  const stops = walk.reverse().slice(0, -1);
  const visits = new Map<Kind, number>();
  return stops.map((kind) => {
    const visit = visits.get(kind) ?? 0;
    visits.set(kind, visit + 1);
    return { kind, variant: (visit % 2) as Variant };
  });
}

export function nameOf({ kind, variant }: Stop): string {
  return `${kind} ${variant}`;
}
