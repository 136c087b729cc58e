// Limits on the bodies of requests, in versions 3 and 4: bytes, values, nesting, form fields (V4-40).

export const bodyLimits = {
  bodyBytes: 16 * 1024 * 1024,
  /** A body nested deeper than this carries no data. */
  jsonDepth: 100,
  /** Values of a body on all levels together: ten thousand rows of twenty columns. */
  jsonValues: 200_000,
  formFields: 1000,
} as const;
