// Proofs with a short form in every run of the tests, and a long one (`npm run long`).

export const isLong = process.env["VITRINE_LONG"] === "1";

/** All cases in the long form; otherwise the first of them, where each starts or waits for a whole app. */
export function casesOf<T>(
  cases: readonly T[],
  { short }: { readonly short: number },
): readonly T[] {
  return isLong ? cases : cases.slice(0, short);
}
