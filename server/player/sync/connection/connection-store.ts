// Stores the connections of this player: rows that are validated when read, and tokens stored separately.

import { randomBytes } from "node:crypto";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { isCredential } from "../../../contract/link/link.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import {
  emptyMemory,
  type ConnectionMemory,
} from "../../../core/sync-connection/connection-state.ts";
import {
  allAssetsModes,
  cloudVersions,
  connectionDefaults,
  planHostEnding,
  syncModes,
  type ConnectionKind,
  type SyncConnection,
  type SyncConnectionInput,
} from "../../../core/sync-plan/sync-state.ts";
import * as z from "zod";
import type { ConnectionTokens } from "../store/secret-store.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { StoredConnection } from "../store/sync-rows.ts";

export interface ConnectionStore {
  all(): readonly SyncConnection[];
  /** Throws `not-found`. */
  get(id: string): SyncConnection;
  add(input: SyncConnectionInput, token: string): Promise<SyncConnection>;
  change(
    id: string,
    change: Partial<SyncConnectionInput>,
    token: string | undefined,
  ): Promise<SyncConnection>;
  remove(id: string, keepsContent: boolean): Promise<void>;
  memoryOf(id: string): ConnectionMemory;
  /** Reads rows that were written by something else. */
  readAgain(): Promise<void>;
}

const mostConnections = 50;
const dayTime = z.number().min(0).lt(86_400_000);

/** A row from an archive may contain anything, and this machine sends requests to its address. */
const storedInput = z.object({
  name: z.string().max(1000),
  baseUrl: z.string().regex(/^https?:\/\/[^\s?#@]+$/i),
  version: z.enum(["auto", ...cloudVersions]).catch("auto"),
  labels: z.array(z.string()).catch([]),
  screenId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .nullable()
    .catch(null),
  assetGroups: z.array(z.string()).catch([]),
  allAssets: z.enum(allAssetsModes).catch("off"),
  mode: z.enum(syncModes).catch("ask"),
  applyAtMs: dayTime.catch(connectionDefaults.applyAtMs),
  pollSeconds: z.int().min(1).max(86_400).catch(connectionDefaults.pollSeconds),
  rateLimit: z.int().min(1).nullable().catch(null),
  fetchFromMs: dayTime.nullable().catch(null),
  fetchUntilMs: dayTime.nullable().catch(null),
  letsItemsEnd: z.boolean().catch(false),
  isEnabled: z.boolean().catch(false),
  isCertificateSkipped: z.boolean().catch(false),
  proxyUrl: z
    .string()
    .regex(/^http:\/\/[^\s?#@]+$/i)
    .nullable()
    .catch(null),
});

/** Stored next to the settings; null if it was written before this was recorded. */
const storedKind = z.object({ isPaired: z.boolean().nullable().catch(null) });

const plan = z.string().nullable().catch(null);

const storedMemory = z.object({
  version: z.enum(cloudVersions).nullable().catch(null),
  prefix: z.enum(["", "/api"]).nullable().catch(null),
  ...{ wanted: plan, postponed: plan, approved: plan, trusted: plan },
  seenAt: z.number().catch(0),
  trustsNext: z.boolean().catch(false),
  lastContactAt: z.number().nullable().catch(null),
  lastAppliedAt: z.number().nullable().catch(null),
  unendedRuns: z.int().min(0).max(1000).catch(0),
});

/** As older versions wrote it. */
const oldMemory = z.object({ putOff: plan });

function memoryFrom(stored: unknown): ConnectionMemory {
  const reading = storedMemory.safeParse(stored ?? {});
  if (!reading.success) return emptyMemory;
  const old = oldMemory.safeParse(stored);
  const postponed =
    reading.data.postponed ?? (old.success ? old.data.putOff : null);
  return { ...reading.data, postponed };
}

export async function openConnectionStore(
  library: SyncLibrary,
  tokens: ConnectionTokens,
): Promise<ConnectionStore> {
  let connectionsById = new Map<string, SyncConnection>();
  let lastTask: Promise<unknown> = Promise.resolve();

  /** One after the other: each starts from what the one before left (V2-363). */
  function runInOrder<T>(act: () => Promise<T>): Promise<T> {
    const acting = lastTask.then(act);
    lastTask = acting.catch(() => undefined);
    return acting;
  }

  async function read(
    { id, value }: StoredConnection,
    into: Map<string, SyncConnection>,
  ): Promise<void> {
    const reading = storedInput.safeParse(value);
    if (!reading.success || !/^[0-9a-f]{8}$/.test(id)) return;
    const token = await tokens.open({ id, ...reading.data });
    const tokenKept = token === null ? null : tokens.keptAs;
    // The token may exist but be sealed and locked (V2-365).
    const isPaired = token === null ? wasPaired(value) : isCredential(token);
    const kind = kindOf(reading.data.baseUrl, isPaired ?? false);
    const { tokensGiven } = connectionsById.get(id) ?? { tokensGiven: 0 };
    into.set(id, { id, kind, ...reading.data, tokenKept, tokensGiven });
  }

  /** Replaces everything in one step: a connection that is only being reread never seems to be gone. */
  async function readAgain(): Promise<void> {
    const byId = new Map<string, SyncConnection>();
    for (const stored of library.connections()) await read(stored, byId);
    connectionsById = byId;
  }

  function get(id: string): SyncConnection {
    const connection = connectionsById.get(id);
    if (!connection)
      throw new Failure(
        "not-found",
        composeSentence(generalSentences["id-unknown"], {
          kind: "connection",
          id,
        }),
      );
    return connection;
  }

  function save(connection: SyncConnection): SyncConnection {
    const {
      id,
      kind: _,
      tokenKept: __,
      tokensGiven: ___,
      ...input
    } = connection;
    const isPaired = connection.kind === "screen";
    library.saveConnection(id, { ...input, isPaired });
    connectionsById.set(id, connection);
    return connection;
  }

  /** Token first: a connection that exists can be polled with it. If the row is rejected, the previous token is restored. */
  async function saveWith(
    input: SyncConnectionInput & Pick<SyncConnection, "id">,
    token: string,
  ): Promise<SyncConnection> {
    const putBack = await tokens.keep(input, token);
    const kind = kindOf(input.baseUrl, isCredential(token));
    const tokensGiven = (connectionsById.get(input.id)?.tokensGiven ?? 0) + 1;
    try {
      return save({ ...input, kind, tokenKept: tokens.keptAs, tokensGiven });
    } catch (error) {
      await putBack().catch(() => undefined);
      throw error;
    }
  }

  async function add(
    input: SyncConnectionInput,
    token: string,
  ): Promise<SyncConnection> {
    if (connectionsById.size >= mostConnections)
      throw new Failure(
        "conflict",
        composeSentence(connectionSentences.limit, { limit: mostConnections }),
      );
    assertHours(input);
    return saveWith({ id: randomBytes(4).toString("hex"), ...input }, token);
  }

  async function change(
    id: string,
    input: Partial<SyncConnectionInput>,
    token: string | undefined,
  ): Promise<SyncConnection> {
    const before = get(id);
    const after = { ...before, ...input };
    assertHours(after);
    if (isPlan(after.baseUrl) && after.isEnabled)
      throw fieldFailure("is_enabled", connectionSentences["plan-address"]);
    // A token belongs to the host it was issued for and is not sent to another.
    const isElsewhere =
      new URL(after.baseUrl).origin !== new URL(before.baseUrl).origin;
    if (isElsewhere && token === undefined && before.tokenKept !== null)
      throw fieldFailure("token", connectionSentences["token-for-host"]);
    if (token !== undefined) return saveWith(after, token);
    const isPaired = before.kind === "screen" && !isElsewhere;
    return save({ ...after, kind: kindOf(after.baseUrl, isPaired) });
  }

  /** The tokens show it, as long as they can be opened. */
  function notePaired(): void {
    for (const { id, value } of library.connections()) {
      const connection = connectionsById.get(id);
      if (!connection || connection.tokenKept === null) continue;
      if (wasPaired(value) === (connection.kind === "screen")) continue;
      try {
        save(connection);
      } catch {
        // The disk cannot write: the next start tries again.
      }
    }
  }

  async function remove(id: string, keepsContent: boolean): Promise<void> {
    get(id);
    await library.dropConnection(id, keepsContent);
    connectionsById.delete(id);
    await tokens.forget(id);
  }

  await readAgain();
  // A disk that cannot write must not prevent the start.
  for (const connection of connectionsById.values())
    await tokens.bind(connection).catch(() => undefined);
  await readAgain();
  notePaired();
  return {
    all: () => [...connectionsById.values()],
    get,
    add: (input, token) => runInOrder(() => add(input, token)),
    change: (id, input, token) => runInOrder(() => change(id, input, token)),
    remove: (id, keepsContent) => runInOrder(() => remove(id, keepsContent)),
    memoryOf: (id) => {
      const stored = library.connections().find((one) => one.id === id);
      return memoryFrom(stored?.memory);
    },
    readAgain: () => runInOrder(readAgain),
  };
}

function isPlan(baseUrl: string): boolean {
  return new URL(baseUrl).hostname.endsWith(planHostEnding);
}

function kindOf(baseUrl: string, isPaired: boolean): ConnectionKind {
  if (isPlan(baseUrl)) return "plan";
  return isPaired ? "screen" : "cloud";
}

function wasPaired(value: unknown): boolean | null {
  const reading = storedKind.safeParse(value);
  return reading.success ? reading.data.isPaired : null;
}

function assertHours({ fetchFromMs, fetchUntilMs }: SyncConnectionInput): void {
  if ((fetchFromMs === null) === (fetchUntilMs === null)) return;
  throw fieldFailure(
    fetchFromMs === null ? "download_from" : "download_until",
    connectionSentences["hours-pair"],
  );
}
