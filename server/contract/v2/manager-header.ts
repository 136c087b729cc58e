// Header with which the manager in a browser marks its own requests, against forged ones (V2-775).

/** A page of another site cannot send it: that needs a preflight, which no origin gets with this header. */
export const managerHeader = { name: "x-vitrine-manager", value: "1" } as const;
