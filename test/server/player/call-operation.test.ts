// API operations called in-process, as the manager calls them.

import { describe, expect, it } from "vitest";
import type { PlayerEvent } from "../../../server/player/player.ts";
import {
  startPlayer,
  completeBody,
} from "../../support/player/start-player.ts";

describe("in-process operations", () => {
  it("do what any client can, by the same rules", async () => {
    const { player, list } = await startPlayer();
    const created = await player.operate({
      operation: "createAsset",
      body: { ...completeBody, name: "Lobby" },
    });
    expect(created).toMatchObject({ isDone: true, answer: { name: "Lobby" } });
    const [asset] = await list();
    const id = asset?.asset_id ?? "";
    const changed = await player.operate({
      operation: "changeAsset",
      parameters: { id },
      body: { name: "Café / 2 %" },
    });
    expect(changed).toMatchObject({ answer: { name: "Café / 2 %" } });
    const gone = await player.operate({
      operation: "deleteAsset",
      parameters: { id },
    });
    expect(gone).toEqual({ isDone: true, answer: null });
    expect(await list()).toEqual([]);
  });

  it("pass query parameters on, and path parameters encoded", async () => {
    const { player } = await startPlayer();
    const why = await player.operate({
      operation: "readWhy",
      parameters: { at: "2030-05-01T10:00:00Z" },
    });
    expect(why).toMatchObject({
      answer: { time: "2030-05-01T10:00:00Z", due: [] },
    });
    const none = await player.operate({
      operation: "readAsset",
      parameters: { id: "../tokens" },
    });
    expect(none).toMatchObject({ isDone: false, code: "not-found" });
  });

  it("return an error with its message and the messages of the fields", async () => {
    const { player } = await startPlayer();
    const errorResponse = await player.operate({
      operation: "createAsset",
      body: { ...completeBody, duration: "soon" },
    });
    expect(errorResponse).toMatchObject({
      isDone: false,
      code: "invalid",
      fields: { duration: [expect.any(String)] },
    });
    await expect(player.operate({ operation: "toString" })).rejects.toThrow(
      "Unknown operation toString.",
    );
    await expect(player.operate({ operation: "readAsset" })).rejects.toThrow(
      "id is required.",
    );
  });

  it("are authenticated where credentials are required, and authenticate nobody else", async () => {
    const { player, request, send } = await startPlayer();
    await send("POST", "/tokens", { name: "desk" });
    await send("PATCH", "/device_settings", { api_token_required: true });
    expect((await request("/now")).status).toBe(401);
    const now = await player.operate({ operation: "readNow" });
    expect(now).toMatchObject({ isDone: true });
  });

  it("deliver events as they happen", async () => {
    const { player, add } = await startPlayer();
    const received: PlayerEvent[] = [];
    player.onPlayerEvent((playerEvent) => received.push(playerEvent));
    await add();
    expect(received.map(({ name }) => name)).toContain("changed");
  });
});
