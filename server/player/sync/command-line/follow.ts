// Which account the command line means: the one of its address with a key, told anew what the words said.

import path from "node:path";
import { isCredential } from "../../../contract/link.ts";
import { Failure } from "../../../core/failure.ts";
import type {
  SyncAccount,
  SyncAccountWish,
  SyncDesk,
} from "../../../core/sync-state.ts";
import { createAccountTokens } from "../accounts/account-tokens.ts";
import { createSecrets } from "../accounts/secrets.ts";

export interface FollowWish {
  readonly dataDir: string;
  readonly account: SyncAccountWish;
  /** Of it, what the words said; an account that is there keeps everything else. */
  readonly told: Partial<SyncAccountWish>;
  readonly token: string;
}

/** Throws `conflict` where it cannot be told which one is meant. */
export async function follow(
  sync: Pick<SyncDesk, "accounts" | "addAccount" | "changeAccount">,
  { dataDir, account, told, token }: FollowWish,
): Promise<string> {
  const { baseUrl } = account;
  const [known, another] = await withKeys(
    dataDir,
    sync.accounts().filter((one) => one.baseUrl === baseUrl),
  );
  if (another)
    throw new Failure(
      "conflict",
      `There are several accounts of ${baseUrl} here: change the one that is meant through the player's interface or its desk.`,
    );
  const { id } = known
    ? await sync.changeAccount(known.id, told, token)
    : await sync.addAccount(account, token);
  return id;
}

/** A paired account is its screen's own: a key would take its place at the service from it. */
async function withKeys(
  dataDir: string,
  accounts: readonly SyncAccount[],
): Promise<readonly SyncAccount[]> {
  const secrets = createSecrets(path.join(dataDir, "sync", "tokens"), null);
  const tokens = createAccountTokens(secrets);
  const found: SyncAccount[] = [];
  for (const one of accounts) {
    // It may be the credential of a screen, which nobody can give again (V2-347).
    if (await secrets.isLocked(one.id))
      throw new Failure(
        "conflict",
        `The token of ${one.name} is sealed by the desktop app and cannot be opened here: change this account there.`,
      );
    if (!isCredential((await tokens.open(one)) ?? "")) found.push(one);
  }
  return found;
}
