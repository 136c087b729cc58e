// What a sync needs of the player's library; whoever starts it hands one over.

import type { Held, SyncPlan } from "../../core/sync-plan.ts";
import type { Wanted, WantedApp } from "../../core/sync-wanted.ts";
import type { Aside } from "../../platform/file-part.ts";

/** An account as it was saved; whoever reads it checks it. */
export interface StoredAccount {
  readonly id: string;
  readonly value: unknown;
  readonly memory: unknown;
}

/** A plan that is kept: applied, or waiting to be. */
export interface PlanRecord {
  readonly id: string;
  /** What the cloud said, as one short text. */
  readonly target: string;
  readonly at: number;
  readonly wanted: Wanted;
}

export interface StoredPlan extends PlanRecord {
  readonly isCurrent: boolean;
  readonly isWaiting: boolean;
}

export interface SyncLibrary {
  /** Every file is known that is here: before that, some would be fetched twice. */
  whenWhole(): Promise<void>;
  accounts(): readonly StoredAccount[];
  saveAccount(id: string, value: object): void;
  saveMemory(id: string, memory: object): void;
  /** What it brought goes along, unless it is to stay as local content. */
  dropAccount(id: string, keepsContent: boolean): Promise<void>;
  /** What this account has brought, as it stands. */
  held(accountId: string): Held;
  /** The newest first. */
  plans(accountId: string): readonly StoredPlan[];
  /** What waits outlives a restart; null: nothing does. */
  keepWaiting(accountId: string, plan: PlanRecord | null): void;
  /** One transaction: the rows, the plan as a kept one, and the memory. `isLast`: nothing waits any more. Answers what could not be written, by the cloud's identifiers (V2-550); with `isWhole` it throws `invalid` then, and nothing is written. */
  apply(
    accountId: string,
    plan: SyncPlan,
    record: PlanRecord,
    memory: object,
    isLast: boolean,
    isWhole?: boolean,
  ): Promise<readonly string[]>;
  /** How long what this plan touches still has of its turn on the glass; 0: it is not on the glass. */
  turnLeftMs(accountId: string, plan: SyncPlan): number;
  /** Something else is on the glass, or is there anew; ends the waiting with its answer. */
  onTurn(listener: () => void): () => void;
  /** MD5 of each verified file whose bytes are there. */
  files(): ReadonlySet<string>;
  /** One of these. */
  hasFile(md5: string): boolean;
  /** Takes verified bytes that are media; throws a Failure and discards them else. */
  admit(aside: Aside, md5: string): Promise<void>;
  /** Takes verified bytes that an app is made of, whatever they are. */
  admitPart(aside: Aside, md5: string): Promise<void>;
  /** An app whose files are all here; `md5` is that of its description. */
  admitApp(app: WantedApp, md5: string): Promise<void>;
  /** Forgets verified files that nobody needs. */
  sweep(needed: ReadonlySet<string>): Promise<void>;
  /** Its rows were written by other means: a recovery. */
  onReplaced(listener: () => void): () => void;
  /** Looks for verified files that are no longer on the disk, and tells of them; to be called with each poll. */
  findLost(): Promise<void>;
  /** A person changed, deleted, restored or gave up something of this connection: rows are others by now. */
  onEdited(listener: (accountId: string) => void): () => void;
  /** The MD5 of a verified file whose bytes are not there any more. */
  onLost(listener: (md5: string) => void): () => void;
}
