// Counts connections, requests and transfers of each address that uses the site server, so that none of them gets more than its part.

export const siteServerLimits = {
  connections: 96,
  connectionsOfOne: 32,
  /** New connections of one address in a second; each costs a handshake. */
  handshakesPerSecond: 50,
  requestsPerSecond: 200,
  transfers: 32,
  transfersOfOne: 16,
} as const;

export interface ClientCounts {
  /** Counts a new connection, unless the address has too many. */
  connect(address: string): boolean;
  disconnect(address: string): void;
  /** Counts a request, unless there were too many in this second. */
  request(address: string): boolean;
  /** Counts a transfer, unless there are too many. */
  beginTransfer(address: string): boolean;
  endTransfer(address: string): void;
}

interface Counted {
  connections: number;
  transfers: number;
  secondAt: number;
  handshakes: number;
  requests: number;
}

export function createClientCounts(monotonic: () => number): ClientCounts {
  /** Only of addresses with a connection or a transfer, or with one in this second. */
  const clients = new Map<string, Counted>();
  let transfers = 0;

  function of(address: string): Counted {
    const now = monotonic();
    const known = clients.get(address);
    if (known && now - known.secondAt < 1000) return known;
    const counted: Counted = {
      ...(known ?? { connections: 0, transfers: 0 }),
      ...{ secondAt: now, handshakes: 0, requests: 0 },
    };
    clients.set(address, counted);
    // Few addresses of a local network are ever here at once.
    for (const [other, counts] of clients) {
      const isUsed = counts.connections > 0 || counts.transfers > 0;
      if (!isUsed && now - counts.secondAt >= 1000 && other !== address)
        clients.delete(other);
    }
    return counted;
  }

  return {
    connect: (address) => {
      const counted = of(address);
      counted.handshakes += 1;
      if (
        counted.handshakes > siteServerLimits.handshakesPerSecond ||
        counted.connections >= siteServerLimits.connectionsOfOne
      )
        return false;
      counted.connections += 1;
      return true;
    },
    disconnect: (address) => {
      of(address).connections -= 1;
    },
    request: (address) => {
      const counted = of(address);
      counted.requests += 1;
      return counted.requests <= siteServerLimits.requestsPerSecond;
    },
    beginTransfer: (address) => {
      const counted = of(address);
      if (
        transfers >= siteServerLimits.transfers ||
        counted.transfers >= siteServerLimits.transfersOfOne
      )
        return false;
      transfers += 1;
      counted.transfers += 1;
      return true;
    },
    endTransfer: (address) => {
      transfers -= 1;
      of(address).transfers -= 1;
    },
  };
}
