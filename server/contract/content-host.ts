// What the coat and the content service it hosts on this PC say to each other, and what the desk sees of it.

import type { ItemCount } from "../core/sync-plan/sync-state.ts";

/** Where the hosted service may be reached from. */
export type HostReach = "this-pc" | "network";

/** What the operator chose; kept beside the player's store. */
export interface HostingSettings {
  readonly isOn: boolean;
  readonly port: number;
  readonly reach: HostReach;
  /** Files of a certificate and its key, as PEM: keys never cross a network in the clear. */
  readonly certificate: string | null;
  readonly certificateKey: string | null;
}

export type HostingState = "off" | "starting" | "on" | "failed";

export interface HostingView extends HostingSettings {
  readonly state: HostingState;
  /** Where it answers while it is on. */
  readonly address: string | null;
  readonly dataDir: string;
  /** Why it is not on although it should be. */
  readonly reason: string | null;
  readonly sinceMs: number | null;
  /** How often it ended by itself and was started again since it was switched on. */
  readonly restarts: number;
}

/** A key as it is listed; the key itself is told only to whoever makes it. */
export interface HostKeyView {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A screen of the hosted service, in the words of version 3 (V3-41, V3-80). */
export interface HostScreenView {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly isInSync: boolean;
  /** As its player counted them last; null where it did not say. */
  readonly items: ItemCount | null;
  readonly isEnabled: boolean;
  readonly lastPing: string | null;
  readonly groups: readonly string[];
}

/** What the service is started with. */
export interface HostedStart {
  readonly dataDir: string;
  readonly port: number;
  readonly host: string;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly version: string;
  readonly sqliteBinding?: string | undefined;
}

export interface HostedCalls {
  /** `managerKey` is for the desk of this PC alone, and dies with this run. */
  start: {
    input: HostedStart;
    answer: { readonly address: string; readonly managerKey: string };
  };
  listKeys: { input: null; answer: readonly HostKeyView[] };
  addKey: { input: { readonly name: string }; answer: string };
  revokeKey: { input: { readonly id: string }; answer: null };
  stop: { input: null; answer: null };
}

export type HostedCall = keyof HostedCalls;

export interface HostedQuestion {
  readonly number: number;
  readonly call: HostedCall;
  readonly input: unknown;
}

export type HostedAnswer =
  | { readonly number: number; readonly ok: true; readonly value: unknown }
  | {
      readonly number: number;
      readonly ok: false;
      /** A failure's code, or `bug`. */
      readonly code: string;
      readonly message: string;
    };

/** What the hosted service has its program do with processes that read foreign media: only that one can start them. */
export type MediaRelayRequest = { readonly process: number } & (
  | { readonly start: true }
  | { readonly post: unknown }
  | { readonly kill: true }
);

export type MediaRelayReport = { readonly process: number } & (
  | { readonly message: unknown }
  /** A code, null where it was killed; or none could be started. */
  | { readonly exit: number | null | "not-started" }
);
