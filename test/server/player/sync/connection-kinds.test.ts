// The kind of a connection decides which service is polled, whether or not its token can be opened here and now.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  connectionDefaults,
  planHostEnding,
} from "../../../../server/core/sync-plan/sync-state.ts";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import type { Seal } from "../../../../server/player/sync/sync.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { keyring, lockedKeyring } from "../../../support/machine/keyring.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { claimed } from "../../../support/sync/pairing.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";

const startService = oneService();

const sealedBy = (seal: Seal | null, dataDir: string) =>
  startFullSync({ sync: { seal }, player: { dataDir } });

const label = { collection: "labels", action: "create", fields: { name: "A" } };

describe("[V2-365] a paired connection", () => {
  it("is a screen's also when its credential cannot be opened", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const desktop = await sealedBy(keyring, dataDir);
    const { connectionId } = await claimed(
      desktop,
      service.address,
      service.v3,
    );
    const at = `/sync/accounts/${connectionId}`;
    await desktop.stopAll();
    for (const seal of [null, lockedKeyring]) {
      const other = await sealedBy(seal, dataDir);
      const changed = await other.send("PATCH", at, { name: "Window" });
      expect(changed.body).toMatchObject({
        kind: "screen",
        token_storage: null,
      });
      const errorResponse = await other.send("POST", `${at}/changes`, label);
      expect(errorResponse.status).toBe(409);
      await other.stopAll();
    }
    const again = await sealedBy(keyring, dataDir);
    expect(await (await again.request(at)).json()).toMatchObject({
      ...{ kind: "screen", name: "Window", token_storage: "sealed" },
    });
    const key = { token: "a-key" };
    expect((await again.send("PATCH", at, key)).body.kind).toBe("cloud");
    await again.stopAll();
    const other = await sealedBy(null, dataDir);
    expect(await (await other.request(at)).json()).toMatchObject({
      kind: "cloud",
    });
    await other.stopAll();
  });

  it("is stored as such where it was not before", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const desktop = await sealedBy(keyring, dataDir);
    const { connectionId } = await claimed(
      desktop,
      service.address,
      service.v3,
    );
    await desktop.stopAll();
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database.exec(
      "UPDATE sync_accounts SET value = json_remove(value, '$.isPaired')",
    );
    database.close();
    // Not known yet, and what is saved meanwhile does not count.
    const before = await sealedBy(lockedKeyring, dataDir);
    await before.sync.changeConnection(connectionId ?? "", { name: "Window" });
    await before.stopAll();
    await (await sealedBy(keyring, dataDir)).stopAll();
    const { sync, stopAll } = await sealedBy(lockedKeyring, dataDir);
    expect(sync.connection(connectionId ?? "").kind).toBe("screen");
    await stopAll();
  });

  it("is none any more at another host", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const desktop = await sealedBy(keyring, dataDir);
    const { connectionId } = await claimed(
      desktop,
      service.address,
      service.v3,
    );
    await desktop.stopAll();
    const { sync, stopAll } = await sealedBy(null, dataDir);
    const moved = await sync.changeConnection(connectionId ?? "", {
      baseUrl: "http://127.0.0.1:9",
    });
    expect(moved.kind).toBe("cloud");
    await stopAll();
  });
});

describe("[V2-365] a connection of an offline bundle", () => {
  it("becomes a service's as soon as it has an address to poll, and a bundle's without one", async () => {
    const first = await startFullSync();
    const { dataDir } = first;
    const baseUrl = `http://0a1b2c3d.0123456789abcdef${planHostEnding}`;
    const { id } = await first.sync.addConnection(
      { ...connectionDefaults, name: "Stick", baseUrl, isEnabled: false },
      "none",
    );
    await first.stopAll();
    // As a backup brings it to another machine.
    await rm(path.join(dataDir, "sync", "tokens", `${id}.token`));
    const { sync, stopAll } = await startFullSync({ player: { dataDir } });
    expect(sync.connection(id)).toMatchObject({
      kind: "plan",
      tokenKept: null,
    });
    const requests = { baseUrl: "http://127.0.0.1:9" };
    expect((await sync.changeConnection(id, requests)).kind).toBe("cloud");
    expect((await sync.changeConnection(id, { baseUrl })).kind).toBe("plan");
    await stopAll();
  });
});
