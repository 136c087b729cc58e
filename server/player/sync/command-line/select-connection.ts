// Selects or creates the connection that the command line refers to: the one with its address and a token, updated with the given
// flags.

import path from "node:path";
import { isCredential } from "../../../contract/link/link.ts";
import { Failure } from "../../../core/failure.ts";
import type {
  SyncConnection,
  SyncConnectionInput,
} from "../../../core/sync-plan/sync-state.ts";
import {
  createConnectionTokens,
  createSecrets,
  type Seal,
} from "../store/secret-store.ts";
import type { Sync } from "../connection/connections.ts";

export interface FollowOptions {
  readonly dataDir: string;
  readonly seal: Seal | null;
  readonly connection: SyncConnectionInput;
  /** Selects one of several connections to the same address, and names a new one; null: no name was given. */
  readonly name: string | null;
  /** The settings given as flags; an existing connection keeps all others. */
  readonly given: Partial<SyncConnectionInput>;
  readonly token: string;
}

/** Throws `conflict` if it is ambiguous which connection is meant. */
export async function follow(
  sync: Pick<Sync, "connections" | "addConnection" | "changeConnection">,
  { dataDir, seal, connection, name, given, token }: FollowOptions,
): Promise<string> {
  const { baseUrl } = connection;
  const all = sync.connections().filter((one) => one.baseUrl === baseUrl);
  const meant = all.filter((one) => name === null || one.name === name);
  const [existing, another] = await withKeys(dataDir, seal, meant);
  if (another)
    throw new Failure(
      "conflict",
      name === null
        ? `There are several connections to ${baseUrl}; choose one with --name (${namesOf(meant)}).`
        : `There are several connections to ${baseUrl} named ${JSON.stringify(name)}; give them different names in the manager.`,
    );
  const { id } = existing
    ? await sync.changeConnection(existing.id, given, token)
    : await sync.addConnection(connection, token);
  return id;
}

function namesOf(connections: readonly SyncConnection[]): string {
  const names = new Set(connections.map((one) => JSON.stringify(one.name)));
  return [...names].sort().join(", ");
}

/** A paired connection belongs to its screen: a token would replace its credential. */
async function withKeys(
  dataDir: string,
  seal: Seal | null,
  connections: readonly SyncConnection[],
): Promise<readonly SyncConnection[]> {
  const secrets = createSecrets(path.join(dataDir, "sync", "tokens"), seal);
  const tokens = createConnectionTokens(secrets);
  const matches: SyncConnection[] = [];
  for (const one of connections) {
    // It may be the credential of a screen, which cannot be issued again (V2-347).
    if (await secrets.isLocked(one.id))
      throw new Failure(
        "conflict",
        `The token of ${one.name} is encrypted by the desktop app and cannot be read here; change this connection there.`,
      );
    if (!isCredential((await tokens.open(one)) ?? "")) matches.push(one);
  }
  return matches;
}
