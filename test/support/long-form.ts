// Proofs with a short form in every run of the tests, and a long one (`npm run long`).

export const isLong = process.env["VITRINE_LONG"] === "1";

/** In the short form, only the first of many similar cases. */
export function firstOf<Case>(
  cases: readonly Case[],
  count: number,
): readonly Case[] {
  return isLong ? cases : cases.slice(0, count);
}
