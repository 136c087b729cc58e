// Limits of an app: number of files and unpacked bytes, the same for an uploaded archive, a sync and an offline bundle.

/** Far more than any app for a screen needs, and far less than would cause trouble. */
export const maxAppFiles = 5000;
export const maxAppBytes = 1024 ** 3;
