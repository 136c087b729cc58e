// Where we are in the lineup: lineup, place and command → next asset.

/** The place in the lineup: the asset last stepped to, and where it stood. */
export interface Place {
  readonly assetId: string | null;
  readonly index: number;
}

/** Before the first: one step on from here is the first asset. */
export const startPlace: Place = { assetId: null, index: -1 };

/** So many steps on, or back when negative; null when the lineup is empty. A lost place is found again by where it stood. */
export function step(
  lineup: readonly { readonly id: string }[],
  place: Place,
  by: number,
): Place | null {
  if (lineup.length === 0) return null;
  const found = lineup.findIndex((asset) => asset.id === place.assetId);
  const isLost = found < 0 && place.assetId !== null;
  // What stood behind a lost asset has moved up to its place.
  const from = isLost ? place.index - (by > 0 ? 1 : 0) : found;
  const index = (from + by) % lineup.length;
  return placeAt(lineup, index < 0 ? index + lineup.length : index);
}

/** The place of one asset; null when it is not in the lineup. */
export function placeOf(
  lineup: readonly { readonly id: string }[],
  assetId: string,
): Place | null {
  const index = lineup.findIndex((asset) => asset.id === assetId);
  return index < 0 ? null : placeAt(lineup, index);
}

function placeAt(
  lineup: readonly { readonly id: string }[],
  index: number,
): Place {
  return { assetId: lineup[index]?.id ?? null, index };
}
