// Who made a change, from where, before and after, in the activity log of the player.

import { spawnSync } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ActivityV2 } from "../../../../server/contract/v2/v2-logs.ts";
import { rawRequest } from "../../../support/http/raw-request.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { makeToken } from "../../../support/player/create-token.ts";
import {
  completeBody,
  startPlayer,
} from "../../../support/player/start-player.ts";

const entry = fileURLToPath(
  new URL("../../../../server/player/main.ts", import.meta.url),
);

/** Listening on every address, so that each client has to say who it is. */
async function startOpen() {
  const dataDir = await temporaryFolder();
  const bearer = { Authorization: `Bearer ${makeToken(dataDir, "first")}` };
  const running = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
  const { port } = new URL(running.player.apiAddress);
  const call = async (
    method: string,
    at: string,
    headers: Readonly<Record<string, string>> = bearer,
    body?: object,
  ) => {
    const answer = await rawRequest(`http://127.0.0.1:${port}/api/v2${at}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.status, `${method} ${at}`).toBeLessThan(300);
    return answer;
  };
  const activity = async (query = ""): Promise<readonly ActivityV2[]> => {
    await running.clock.advance(1000);
    return (await call("GET", `/activity?${query}`)).body as ActivityV2[];
  };
  return { ...running, dataDir, bearer, call, activity };
}

it("[V2-792] [V2-793] [V2-794] records who changed what, before and after, also when two change it within a second, without secrets", async () => {
  const { call, activity, bearer } = await startOpen();
  const { body: made } = await call("POST", "/tokens", bearer, {
    name: "shop",
  });
  const shop = { Authorization: `Bearer ${(made as { token: string }).token}` };
  const asset = await call("POST", "/assets", bearer, {
    ...{
      ...completeBody,
      uri: "https://anna:secret@example.org/?token=secret",
    },
    ...{ name: "Poster", custom_headers: { Authorization: "secret" } },
  });
  const { asset_id: id } = asset.body as { asset_id: string };
  const manager = { "X-Vitrine-Manager": "1" };
  const { headers } = await call("POST", "/session", manager, {
    token: bearer.Authorization.slice("Bearer ".length),
  });
  const cookie = [headers["set-cookie"]].flat().join().split(";")[0] ?? "";
  const browser = { ...manager, Cookie: cookie };
  const renamed = (name: string, by: Readonly<Record<string, string>>) =>
    call("PATCH", `/assets/${id}`, by, { name });
  await renamed("A", shop);
  await renamed("B", browser);
  await renamed("C", shop);
  await renamed("D", shop);
  await call("PATCH", `/assets/${id}`, shop, {
    ...{ custom_headers: { Authorization: "another secret" } },
  });
  await call("PATCH", "/device_settings", browser, { player_name: "West" });

  const all = await activity();
  const changes = all
    .filter(({ action }) => action === "changed")
    .map(({ actor, changes: fields }) => [
      [actor?.kind, actor?.name, actor?.address].join(" "),
      ...fields.map(
        ({ field, before, after }) =>
          `${field}: ${String(before)} → ${String(after)}`,
      ),
    ]);
  const byShop = "token shop 127.0.0.1";
  const byBrowser = "browser first 127.0.0.1";
  expect(changes).toEqual([
    [byShop, "name: B → D", "custom_headers: (hidden) → (hidden)"],
    [byBrowser, "name: A → B"],
    [byShop, "name: Poster → A"],
    [byBrowser, "player_name:  → West"],
  ]);
  expect(all.find(({ action }) => action === "added")?.actor).toMatchObject({
    ...{ kind: "token", name: "first" },
  });
  expect(all.find(({ action }) => action === "token-added")).toMatchObject({
    ...{ kind: "access", name: "shop", actor: { name: "first" } },
  });
  expect(all.find(({ action }) => action === "started")?.actor).toBeNull();
  expect(JSON.stringify(all)).not.toContain("secret");

  expect(await activity("actor=browser")).toHaveLength(2);
  expect(await activity("search=SHOP&actor=token")).toHaveLength(3);
  expect(await activity("search=poster&actor=token")).toHaveLength(2);
  const table = await call("GET", "/activity?format=csv&actor=browser");
  expect(table.body).toContain('browser,first,127.0.0.1,"name: ""A"" → ""B"""');
});

it("[V2-792] records changes by the manager of this PC, by local programs, and by the command line", async () => {
  const { player, send, clock, request, dataDir } = await startLocal();
  await player.operate({
    operation: "changeSettings",
    body: { player_name: "Manager" },
  });
  await send("PATCH", "/device_settings", { player_name: "Script" });
  for (const words of [["tokens", "add", "cron"], ["password"]]) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [entry, ...words, "--data-dir", dataDir],
      { input: "long enough password\n", encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  }
  await clock.advance(1000);
  const rows = (await (await request("/activity")).json()) as ActivityV2[];
  const name = os.userInfo().username;
  expect(
    rows.map(({ action, actor }) => [action, actor?.kind, actor?.name]),
  ).toEqual([
    ["password-set", "command-line", name],
    ["token-added", "command-line", name],
    ["changed", "local", ""],
    ["changed", "manager", ""],
    ["started", undefined, undefined],
  ]);
});

async function startLocal() {
  const dataDir = path.join(await temporaryFolder(), "player");
  return { ...(await startPlayer({ dataDir })), dataDir };
}
