// From our own service into the player, end to end.

import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/folder.ts";
import { picture } from "../../support/media.ts";
import { startContent, type Row } from "../../support/start-content.ts";
import { startSync } from "../../support/start-sync.ts";

describe("a sync", () => {
  it("brings a playlist with its picture", async () => {
    const content = await startContent(await temporaryFolder());
    const [asset] = (await (
      await content.upload(picture([1, 2, 3]), { title: "Red" })
    ).json()) as Row[];
    for (;;) {
      const [row] = await content.rows(`/v4.1/assets?id=eq.${asset?.id}`);
      if (row?.["status"] === "finished") break;
    }
    const [playlist] = await content.add("/v4.1/playlists", {
      title: "Lobby",
      predicate: "TRUE",
    });
    await content.add("/v4.1/playlist-items", {
      playlist_id: playlist?.id,
      asset_id: asset?.id,
      duration: 7,
    });
    const [all] = await content.rows("/v4.1/labels?type=eq.all-screens");
    await content.add("/v4.1/labels/playlists", {
      playlist_id: playlist?.id,
      label_id: all?.id,
    });
    const running = await startSync();
    await running.connect({ baseUrl: content.address });
    const status = running.sync.status()[0];
    expect(status).toMatchObject({
      isInSync: true,
      problem: null,
      version: "v4.1",
      troubles: [],
    });
    const list = await running.list();
    expect(list).toMatchObject([
      { name: "Red", mimetype: "image", is_processing: false },
    ]);
    console.log(
      JSON.stringify(status, null, 1),
      list,
      await (await running.ask("/playlists")).json(),
    );
  });
});
