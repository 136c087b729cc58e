// Proofs with a short form in every run of the tests, and a long one (`npm run long`).

export const isLong = process.env["VITRINE_LONG"] === "1";
