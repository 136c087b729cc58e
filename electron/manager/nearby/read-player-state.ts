// Reads what a player in the network tells without credentials: one bounded request (V2-766).

import { get, type IncomingMessage } from "node:http";
import { get as getTls } from "node:https";
import * as z from "zod";
import { cleanName } from "../../../server/contract/discovery/announcement.ts";
import type { NearbyPlayerState } from "../../../server/contract/ipc/ipc-nearby.ts";

export interface PlayerState {
  readonly state: NearbyPlayerState;
  readonly shown: string | null;
}

const timeoutMs = 2_000;
const maxBytes = 64 * 1024;

const info = z.object({ viewlog: z.string() });

export interface PlayerEndpoint {
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

export async function readPlayerState(
  endpoint: PlayerEndpoint,
): Promise<PlayerState> {
  try {
    const { status, text } = await read(endpoint);
    if (status === 401) return { state: "sign-in", shown: null };
    const parsed = info.safeParse(JSON.parse(text));
    // Something else than a player is there.
    if (status !== 200 || !parsed.success) return unreachable;
    return { state: "open", shown: cleanName(parsed.data.viewlog) };
  } catch {
    return unreachable;
  }
}

const unreachable: PlayerState = { state: "unreachable", shown: null };

/** Redirects are not followed. */
function read({ address: host, port, isTls }: PlayerEndpoint): Promise<{
  readonly status: number;
  readonly text: string;
}> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const path = "/api/v2/info";
    const request = (isTls ? getTls : get)(
      {
        ...{ host, port, path, signal },
        // A connection that is kept would stay open for a player that is never asked again.
        agent: false,
        // Nothing secret is sent, and nothing that it sends is trusted; players generate certificates that nobody knows.
        rejectUnauthorized: false,
      },
      (response: IncomingMessage) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (text.length > maxBytes)
            response.destroy(new Error("The response is too long."));
        });
        response.on("error", reject);
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, text });
        });
      },
    );
    request.on("error", reject);
  });
}
