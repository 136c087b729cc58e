// The accounts of this player: rows that are checked when they are read, and tokens that lie elsewhere.

import { randomBytes } from "node:crypto";
import { Failure, fieldFailure } from "../core/failure.ts";
import {
  cloudVersions,
  plainAccount,
  syncModes,
  type SyncAccount,
  type SyncAccountWish,
} from "../core/sync-state.ts";
import * as z from "zod";
import type { AccountTokens } from "./account-tokens.ts";
import type { StoredAccount, SyncLibrary } from "./library.ts";

export interface Accounts {
  all(): readonly SyncAccount[];
  /** Throws `not-found`. */
  get(id: string): SyncAccount;
  add(wish: SyncAccountWish, token: string): Promise<SyncAccount>;
  change(
    id: string,
    change: Partial<SyncAccountWish>,
    token: string | undefined,
  ): Promise<SyncAccount>;
  remove(id: string, keepsContent: boolean): Promise<void>;
  token(id: string): Promise<string | null>;
  memoryOf(id: string): AccountMemory;
  /** Its rows were written by other means. */
  readAgain(): Promise<void>;
}

/** What outlives a restart beside the plans. */
export interface AccountMemory {
  readonly version: (typeof cloudVersions)[number] | null;
  readonly prefix: string | null;
  /** What the cloud said that is not to be applied. */
  readonly putOff: string | null;
  readonly lastContactAt: number | null;
  readonly lastAppliedAt: number | null;
}

const mostAccounts = 50;
const dayTime = z.number().min(0).lt(86_400_000);

/** A row that came with an archive may say anything; its address is asked by this machine. */
const storedWish = z.object({
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
  mode: z.enum(syncModes).catch("ask"),
  applyAtMs: dayTime.catch(plainAccount.applyAtMs),
  pollSeconds: z.int().min(1).max(86_400).catch(plainAccount.pollSeconds),
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

const storedMemory = z.object({
  version: z.enum(cloudVersions).nullable().catch(null),
  prefix: z.enum(["", "/api"]).nullable().catch(null),
  putOff: z.string().nullable().catch(null),
  lastContactAt: z.number().nullable().catch(null),
  lastAppliedAt: z.number().nullable().catch(null),
});

export async function openAccounts(
  library: SyncLibrary,
  tokens: AccountTokens,
): Promise<Accounts> {
  let known = new Map<string, SyncAccount>();

  async function read(
    { id, value }: StoredAccount,
    into: Map<string, SyncAccount>,
  ): Promise<void> {
    const reading = storedWish.safeParse(value);
    if (!reading.success || !/^[0-9a-f]{8}$/.test(id)) return;
    const token = await tokens.open({ id, ...reading.data });
    const tokenKept = token === null ? null : tokens.keptAs;
    into.set(id, { id, ...reading.data, tokenKept });
  }

  /** In one step: nobody sees an account gone that is only being read. */
  async function readAgain(): Promise<void> {
    const found = new Map<string, SyncAccount>();
    for (const stored of library.accounts()) await read(stored, found);
    known = found;
  }

  function get(id: string): SyncAccount {
    const account = known.get(id);
    if (!account) throw new Failure("not-found", `There is no account ${id}.`);
    return account;
  }

  function save(account: SyncAccount): SyncAccount {
    const { id, tokenKept: _, ...wish } = account;
    library.saveAccount(id, wish);
    known.set(id, account);
    return account;
  }

  await readAgain();
  // A disk that takes nothing is no reason not to begin.
  for (const account of known.values())
    await tokens.bind(account).catch(() => undefined);
  await readAgain();
  return {
    all: () => [...known.values()],
    get,
    add: async (wish, token) => {
      if (known.size >= mostAccounts)
        throw new Failure(
          "conflict",
          `There are ${mostAccounts} accounts already.`,
        );
      assertHours(wish);
      const id = randomBytes(4).toString("hex");
      // The token first: an account that is there can be asked with it.
      await tokens.keep({ id, ...wish }, token);
      return save({ id, ...wish, tokenKept: tokens.keptAs });
    },
    change: async (id, change, token) => {
      const before = get(id);
      const after = { ...before, ...change };
      assertHours(after);
      // A token belongs to where it was given for: no other host is told it.
      const isElsewhere =
        new URL(after.baseUrl).origin !== new URL(before.baseUrl).origin;
      if (isElsewhere && token === undefined && before.tokenKept !== null)
        throw fieldFailure(
          "token",
          "Another host needs its own token: send it along.",
        );
      if (token !== undefined) await tokens.keep(after, token);
      return save({
        ...after,
        tokenKept: token === undefined ? before.tokenKept : tokens.keptAs,
      });
    },
    remove: async (id, keepsContent) => {
      get(id);
      await library.dropAccount(id, keepsContent);
      known.delete(id);
      await tokens.forget(id);
    },
    token: async (id) => {
      const account = known.get(id);
      return account ? tokens.open(account) : null;
    },
    memoryOf: (id) => {
      const stored = library.accounts().find((one) => one.id === id);
      const reading = storedMemory.safeParse(stored?.memory ?? {});
      return reading.success ? reading.data : emptyMemory;
    },
    readAgain,
  };
}

const emptyMemory: AccountMemory = {
  ...{ version: null, prefix: null, putOff: null },
  ...{ lastContactAt: null, lastAppliedAt: null },
};

function assertHours({ fetchFromMs, fetchUntilMs }: SyncAccountWish): void {
  if ((fetchFromMs === null) === (fetchUntilMs === null)) return;
  throw fieldFailure(
    fetchFromMs === null ? "fetch_from" : "fetch_until",
    "fetch_from and fetch_until come together, or not at all.",
  );
}
