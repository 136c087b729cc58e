// Connects a content service: the connection stays once the service has responded; if it is rejected, it is removed again.

import type {
  SyncAccountV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { t } from "../../../locales/messages.ts";
import { operate } from "../../api/operations.ts";
import { serviceAddressOf } from "../../components/address.ts";

export interface ConnectionInput {
  readonly base_url: string;
  readonly token: string;
  readonly labels: string;
}

export type Attempt =
  | {
      readonly isConnected: true;
      readonly connection: SyncAccountV2;
      readonly version: string;
    }
  | {
      readonly isConnected: false;
      readonly code: string;
      readonly message: string;
    };

/** The first connection to the service at this address; null for a new service. */
export async function connectedTo(
  address: string,
): Promise<SyncAccountV2 | null> {
  const targetHref = URL.parse(serviceAddressOf(address))?.href;
  const accounts = await operate("listSyncAccounts", {});
  const existing = accounts.find(
    ({ kind, base_url: base }) =>
      kind !== "plan" && URL.parse(base)?.href === targetHref,
  );
  return existing ?? null;
}

const pollIntervalMs = 400;
/** Every single request has a shorter timeout than this. */
const maxMs = 60_000;

/**
 * Nothing is applied before an operator has reviewed it: the connection starts by requiring approval. Throws a Refusal with a
 * message per field.
 */
export async function tryToConnect(
  input: ConnectionInput,
  signal: AbortSignal,
): Promise<Attempt> {
  const connection = await operate("createSyncAccount", {
    body: {
      ...{
        base_url: serviceAddressOf(input.base_url),
        token: input.token,
        mode: "ask",
      },
      ...(input.labels.trim() === "" ? {} : { labels: input.labels }),
    },
  });
  const { account_id: id } = connection;
  try {
    const status = await answeredStatus(id, signal);
    if (status.version !== null && status.problem === null)
      return { isConnected: true, connection, version: status.version };
    await forget(id);
    return {
      isConnected: false,
      code: status.problem?.code ?? "unavailable",
      message: status.problem?.message ?? "",
    };
  } catch (error) {
    await forget(id);
    throw error;
  }
}

async function answeredStatus(
  id: string,
  signal: AbortSignal,
): Promise<SyncStatusV2> {
  const lateAt = performance.now() + maxMs;
  for (;;) {
    signal.throwIfAborted();
    const { accounts } = await operate("readSync", {});
    const status = accounts.find(({ account_id }) => account_id === id);
    if (!status) throw new Error(t("connections.form.removed"));
    const hasAnswered = status.last_contact !== null && status.version !== null;
    if (hasAnswered || status.problem !== null || performance.now() > lateAt)
      return status;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

async function forget(id: string): Promise<void> {
  await operate("deleteSyncAccount", { parameters: { id } }).catch(
    () => undefined,
  );
}
