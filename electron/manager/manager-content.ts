// Calls of the manager about the content service that this PC hosts: forwarded to the host, or to the service's own interface.

import type { HostScreenView } from "../../server/contract/content-host.ts";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import type { ContentHost } from "../hosting/content-host.ts";
import type { ManagerCalls } from "../ipc.ts";

type ContentCalls = Pick<
  ManagerCalls,
  | "readHosting"
  | "changeHosting"
  | "listHostKeys"
  | "makeHostKey"
  | "revokeHostKey"
  | "listHostScreens"
  | "claimHostScreen"
>;

/** It runs on this machine: what takes longer is stuck. */
const maxMs = 10_000;

export function contentCalls(host: ContentHost): ContentCalls {
  return {
    readHosting: () => host.view(),
    changeHosting: (change) => host.change(change),
    listHostKeys: () => host.call("listKeys", null),
    makeHostKey: async ({ name }) => ({
      key: await host.call("addKey", { name }),
    }),
    revokeHostKey: ({ id }) => host.call("revokeKey", { id }),
    listHostScreens: async () => {
      const [screens, counts] = await Promise.all([
        request(host, "GET", "/api/v3/screens/"),
        // The lists of version 3 do not have them (V3-80).
        request(host, "GET", "/v4.1/screens?select=id,item_counts"),
      ]);
      const countsOf = new Map(
        (counts as readonly WireScreen[]).map((one) => [one.id, one]),
      );
      return (screens as readonly WireScreen[]).map((screen) =>
        screenView({ ...countsOf.get(screen.id), ...screen }),
      );
    },
    claimHostScreen: async ({ pin, name }) => {
      const claimed = await request(host, "POST", "/api/v3/screens/", {
        ...{ pin, name },
      });
      return screenView(claimed as WireScreen);
    },
  };
}

/** Fields as version 3 spells them; fields that a service omits are unknown. */
interface WireScreen {
  readonly id: string;
  readonly name?: string;
  readonly status?: string;
  readonly in_sync?: boolean;
  readonly item_counts?: HostScreenView["items"];
  readonly is_enabled?: boolean;
  readonly last_ping?: string | null;
  readonly groups?: readonly { readonly name?: string }[];
}

function screenView(screen: WireScreen): HostScreenView {
  return {
    id: screen.id,
    name: screen.name ?? screen.id,
    status: screen.status ?? "Offline",
    isInSync: screen.in_sync ?? false,
    items: screen.item_counts ?? null,
    isEnabled: screen.is_enabled ?? true,
    lastPing: screen.last_ping ?? null,
    groups: (screen.groups ?? []).flatMap(({ name }) => name ?? []),
  };
}

async function request(
  host: ContentHost,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { address, key } = host.access();
  const answer = await fetch(new URL(path, address), {
    method,
    headers: {
      Authorization: `Token ${key}`,
      "Content-Type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(maxMs),
  });
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return value;
  throw new Failure(
    answer.status === 429 ? "too-many" : "invalid",
    sentenceIn(value) ?? `The content service answered ${answer.status}.`,
  );
}

/** The first sentence in an error response, whichever field contains it. */
function sentenceIn(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (typeof value !== "object" || value === null) return null;
  for (const inner of Object.values(value)) {
    const sentence = sentenceIn(inner);
    if (sentence !== null) return sentence;
  }
  return null;
}
