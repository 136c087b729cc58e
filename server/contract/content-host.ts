// Messages between the main process and the content service it hosts on this PC, and the manager's view of that service.

/** Where the hosted service is reachable from. */
export type HostReach = "this-pc" | "network";

/** Chosen by the operator; stored next to the player's database. */
export interface HostingSettings {
  readonly isOn: boolean;
  readonly port: number;
  readonly reach: HostReach;
  /** Paths of a certificate and its key, as PEM: API keys never cross a network unencrypted. */
  readonly certificate: string | null;
  readonly certificateKey: string | null;
}

export type HostingState = "off" | "starting" | "on" | "failed";

export interface HostingView extends HostingSettings {
  readonly state: HostingState;
  /** Its address while it is running. */
  readonly address: string | null;
  readonly dataDir: string;
  /** Why it is not running although it is enabled. */
  readonly reason: string | null;
  readonly sinceMs: number | null;
  /** How often it exited unexpectedly and was restarted since it was enabled. */
  readonly restarts: number;
}

/** A key in the list; the key itself is returned only when it is created. */
export interface HostKeyView {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** Start configuration of the service. */
export interface HostedStart {
  readonly dataDir: string;
  readonly port: number;
  readonly host: string;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly version: string;
  readonly isDiscoverable: boolean;
  readonly sqliteBinding?: string | undefined;
  /** The folder of the manager that it serves to browsers. */
  readonly managerDir: string;
}

export interface HostedCalls {
  /** `managerKey` is for the manager of this PC only, and is valid for this run only. */
  start: {
    input: HostedStart;
    answer: { readonly address: string; readonly managerKey: string };
  };
  listKeys: { input: null; answer: readonly HostKeyView[] };
  addKey: { input: { readonly name: string }; answer: string };
  revokeKey: { input: { readonly id: string }; answer: null };
  /** A link for an administrator: a new one, or one who sets a new password. */
  invite: { input: { readonly email: string }; answer: string };
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

/**
 * Requests from the hosted service to its parent about processes that read untrusted media: only the parent can start
 * them.
 */
export type MediaRelayRequest = { readonly process: number } & (
  | { readonly start: true }
  | { readonly post: unknown }
  | { readonly kill: true }
);

export type MediaRelayReport = { readonly process: number } & (
  | { readonly message: unknown }
  /** The exit code; null when it was killed, `not-started` when no process could be started. */
  | { readonly exit: number | null | "not-started" }
);
