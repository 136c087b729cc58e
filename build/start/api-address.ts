// Address of the player's API on this machine.

export interface ApiPlace {
  readonly apiHost: string;
  readonly apiPort: number;
  /** With it, HTTP is for this machine only. */
  readonly httpsPort?: number | undefined;
}

export function apiAddress({ apiHost, apiPort, httpsPort }: ApiPlace): string {
  const everywhere = apiHost === "0.0.0.0" || apiHost === "::";
  const isHere = everywhere || httpsPort !== undefined;
  const host = isHere
    ? "127.0.0.1"
    : apiHost.includes(":")
      ? `[${apiHost}]`
      : apiHost;
  return `http://${host}:${apiPort}`;
}
