// Address of the player's API on this machine.

export interface ApiPlace {
  readonly apiHost: string;
  readonly apiPort: number;
}

export function apiAddress({ apiHost, apiPort }: ApiPlace): string {
  const everywhere = apiHost === "0.0.0.0" || apiHost === "::";
  const host = everywhere
    ? "127.0.0.1"
    : apiHost.includes(":")
      ? `[${apiHost}]`
      : apiHost;
  return `http://${host}:${apiPort}`;
}
