// Secrets sealed by the desktop app, met by processes that cannot open them: rejected with a message, and never lost.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { PairingV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import {
  createSecrets,
  type Seal,
} from "../../../../server/player/sync/store/secret-store.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { keyring, lockedKeyring } from "../../../support/machine/keyring.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { imported, keysOf } from "../../../support/sync/offline-bundles.ts";
import { runSync } from "../../../support/sync/serve-sync.ts";
import {
  startFullSync,
  type RunningFullSync,
} from "../../../support/sync/start-full-sync.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneService();

const sealedBy = (seal: Seal | null, dataDir: string) =>
  startFullSync({ sync: { seal }, player: { dataDir } });
const secretIn = (dataDir: string, name: string): Promise<string> =>
  readFile(path.join(dataDir, "sync", "tokens", `${name}.token`), "utf8");
const pairingOf = async (running: RunningFullSync): Promise<PairingV2> =>
  (await running.request("/sync/pairing")).json() as Promise<PairingV2>;

describe("a sealed secret", () => {
  it("[V2-347] differs from a missing one: without the seal, with a locked keyring, and where the file is damaged", async () => {
    const dir = await temporaryFolder();
    const sealed = createSecrets(dir, keyring);
    await sealed.keep("one", "secret");
    expect(await sealed.open("one")).toBe("secret");
    expect(await sealed.isLocked("one")).toBe(false);
    for (const seal of [null, lockedKeyring]) {
      const others = createSecrets(dir, seal);
      expect(await others.open("one")).toBeNull();
      expect(await others.isLocked("one")).toBe(true);
      expect(await others.isLocked("none")).toBe(false);
    }
  });

  it.each([
    ["without the seal", null],
    ["with the keyring locked", lockedKeyring],
  ])(
    "[V2-347] signs offline bundles as before, after it was requested for %s",
    async (_, seal) => {
      const dataDir = await temporaryFolder();
      const desktop = await sealedBy(keyring, dataDir);
      const { own } = await keysOf(desktop);
      await desktop.stopAll();
      const before = await secretIn(dataDir, "plan-key");
      const other = await sealedBy(seal, dataDir);
      const refusal = {
        status: 409,
        body: {
          detail: expect.stringContaining(
            "encrypted by the desktop app",
          ) as string,
        },
      };
      expect(await other.send("GET", "/sync/keys", undefined)).toMatchObject(
        refusal,
      );
      expect(await imported(other, Buffer.from("no plan"))).toMatchObject(
        refusal,
      );
      await other.stopAll();
      expect(await secretIn(dataDir, "plan-key")).toBe(before);
      expect((await keysOf(await sealedBy(keyring, dataDir))).own).toBe(own);
    },
  );

  it("[V2-347] is rejected on the command line with a message", async () => {
    const dataDir = await temporaryFolder();
    const desktop = await sealedBy(keyring, dataDir);
    await keysOf(desktop);
    await desktop.stopAll();
    const before = await secretIn(dataDir, "plan-key");
    const reported = await runSync(["keys", "--data-dir", dataDir]);
    expect(reported).toMatchObject({ code: 1, output: "" });
    expect(reported.complained).toMatch(
      /^The key that signs .* trust again\.\n$/,
    );
    expect(await secretIn(dataDir, "plan-key")).toBe(before);
  });

  it("[V2-347] of a pairing waits with its PIN, and is claimed once it can be opened", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const desktop = await sealedBy(keyring, dataDir);
    const { body } = await desktop.send("POST", "/sync/pairing", {
      base_url: service.address,
    });
    const { pin } = body as PairingV2;
    await desktop.stopAll();
    const before = await secretIn(dataDir, "pairing");
    const other = await sealedBy(null, dataDir);
    await vi.waitUntil(
      async () => (await pairingOf(other)).problem !== null,
      pollOptions,
    );
    expect(await pairingOf(other)).toMatchObject({
      ...{ state: "waiting", pin },
      problem: expect.stringContaining("cannot be read") as string,
    });
    await other.stopAll();
    expect(await secretIn(dataDir, "pairing")).toBe(before);
    const again = await sealedBy(keyring, dataDir);
    await service.v3.make("/screens/", { pin });
    await vi.waitUntil(
      async () => (await pairingOf(again)).state === "claimed",
      pollOptions,
    );
  });
});
