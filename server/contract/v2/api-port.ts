// The port of the local player interface.

/** Clients of version 2 expect a player on it. */
export const defaultApiPort = 8080;
