// The same content over v4.1, 4.0 and 3 of our own service: version detected, content read, and the same on the screen.

import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";
import {
  startContent,
  type Row,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

interface Filled extends StartedContent {
  readonly ids: Readonly<Record<string, string>>;
}

/** Two playlists, one of them for the lobby alone; an image, a page and a document; a group. */
async function fill(): Promise<Filled> {
  const content = await startContent(await temporaryFolder());
  const [group] = await content.add("/v4.1/asset-groups", { title: "Menus" });
  const uploaded = async (
    bytes: Buffer,
    title: string,
    fields: Record<string, string> = {},
  ): Promise<string> => {
    const answer = await content.upload(bytes, { title, ...fields });
    const [row] = (await answer.json()) as Row[];
    return row?.id ?? "";
  };
  const red = await uploaded(png([255, 0, 0]), "Red");
  const menu = await uploaded(png([0, 255, 0]), "Menu", {
    asset_group_id: group?.id ?? "",
  });
  const [page] = await content.add("/v4.1/assets", {
    ...{ title: "Page", source_url: "https://example.org/page" },
    ...{ disable_verification: true, headers: { "X-One": "1" } },
  });
  const all = await content.rows("/v4.1/labels?type=eq.all-screens");
  const [lobby] = await content.add("/v4.1/labels", { name: 'The "Lobby", 1' });
  const listOf = async (
    title: string,
    label: string,
    assetIds: readonly (readonly [string, number])[],
    more = {},
  ): Promise<void> => {
    const [list] = await content.add("/v4.1/playlists", {
      ...{ title, predicate: "TRUE", ...more },
    });
    for (const [asset_id, duration] of assetIds)
      await content.add("/v4.1/playlist-items", {
        ...{ playlist_id: list?.id, asset_id, duration },
      });
    await content.add("/v4.1/labels/playlists", {
      ...{ playlist_id: list?.id, label_id: label },
    });
  };
  await listOf("Everywhere", all[0]?.id ?? "", [
    [red, 7],
    [page?.id ?? "", 20],
    [red, 3],
  ]);
  await listOf("Lobby", lobby?.id ?? "", [[menu, 5]], { priority: true });
  await expect
    .poll(() => content.rows("/v4.1/assets?status=neq.finished"))
    .toEqual([]);
  return { ...content, ids: { red, menu, page: page?.id ?? "" } };
}

describe("[V2-204] through every version of a service", () => {
  it("the result is the same, and the newest version is detected automatically", async () => {
    const content = await fill();
    const results: unknown[] = [];
    for (const version of ["auto", "v4.1", "v4", "v3"] as const) {
      const { connect, sync, request, list } = await startSync();
      const id = await connect({ baseUrl: content.address, version });
      const [status] = sync.status();
      expect(status).toMatchObject({ isInSync: true, problem: null });
      expect(status?.version).toBe(version === "auto" ? "v4.1" : version);
      const strip = (text: string): string => text.replaceAll(`${id}-`, "");
      const lists = (await (await request("/playlists")).json()) as {
        items: { asset_id: string; duration: number }[];
      }[];
      results.push({
        assets: (await list()).map((asset) => ({
          ...{ id: strip(asset.asset_id), name: asset.name },
          ...{ mimetype: asset.mimetype, headers: asset.custom_headers },
        })),
        items: lists.map(({ items }) =>
          items.map(({ asset_id, duration }) => [strip(asset_id), duration]),
        ),
      });
    }
    expect(results[0]).toMatchObject({
      assets: [
        { name: "Red", mimetype: "image" },
        { name: "Page", mimetype: "webpage", headers: { "X-One": "1" } },
      ],
      items: [
        [
          [content.ids["red"], 7],
          [content.ids["page"], 20],
          [content.ids["red"], 3],
        ],
      ],
    });
    for (const result of results) expect(result).toEqual(results[0]);
  });

  it("[V2-211] a label by name adds its playlists, in v3 as a group, and an unknown one is reported", async () => {
    const content = await fill();
    for (const version of ["v4.1", "v4", "v3"] as const) {
      const { connect, sync, list, request } = await startSync();
      await connect({
        ...{ baseUrl: content.address, version },
        labels: ['The "Lobby", 1', "nowhere"],
      });
      expect((await list()).map(({ name }) => name).sort()).toEqual([
        "Menu",
        "Page",
        "Red",
      ]);
      expect(sync.status()[0]).toMatchObject({
        isInSync: true,
        itemFailures: [{ name: "nowhere" }],
      });
      const lists = (await (await request("/playlists")).json()) as {
        name: string;
        priority: number;
      }[];
      expect(lists.map(({ name, priority }) => [name, priority])).toEqual([
        ["Everywhere", 0],
        ["Lobby", 1],
      ]);
    }
  });

  it("[V2-211] asset groups alone bring their assets, which play by themselves", async () => {
    const content = await fill();
    for (const version of ["v4.1", "v4", "v3"] as const) {
      const { connect, stage, list } = await startSync();
      await connect({
        ...{ baseUrl: content.address, version },
        assetGroups: ["Menus"],
      });
      expect((await list()).map(({ name }) => name)).toEqual(["Menu"]);
      await expect.poll(() => stage.visible()?.name).toBe("Menu");
    }
  });

  it("[V2-216] shows of a document the enabled pages, rotated as they are", async () => {
    const content = await startContent(await temporaryFolder());
    const document = await pdf(
      [0, 1, 2].map((red) => ({ colour: [red, 0, 0] as const })),
    );
    const answer = await content.upload(document, { title: "Doc" });
    const [row] = (await answer.json()) as Row[];
    const pages = (): Promise<Row[]> =>
      content.rows(
        `/v4.1/assets?pdf_asset_id=eq.${row?.id}&order=pdf_page_number`,
      );
    await expect.poll(async () => (await pages()).length).toBe(3);
    await expect
      .poll(() => content.rows("/v4.1/assets?status=neq.finished"))
      .toEqual([]);
    const [first, second, third] = await pages();
    const patch = (id: string | undefined, change: unknown): Promise<unknown> =>
      content.request(`/v4.1/assets?id=eq.${id}`, {
        ...{ method: "PATCH", body: JSON.stringify(change) },
        headers: { "Content-Type": "application/json" },
      });
    await patch(second?.id, { pdf_page_enabled: false });
    for (const page of [first, third])
      await patch(page?.id, { pdf_page_rotation: 90 });
    const [list] = await content.add("/v4.1/playlists", { title: "P" });
    await content.add("/v4.1/playlist-items", {
      ...{ playlist_id: list?.id, asset_id: row?.id, duration: 9 },
    });
    const [all] = await content.rows("/v4.1/labels?type=eq.all-screens");
    await content.add("/v4.1/labels/playlists", {
      ...{ playlist_id: list?.id, label_id: all?.id },
    });
    const { connect, syncNow, request, list: assets } = await startSync();
    await connect({ baseUrl: content.address });
    expect(await assets()).toMatchObject([
      { name: "Doc", mimetype: "application/pdf", pages: [1, 3], rotation: 90 },
    ]);

    // With different rotations, each run of pages is an item of its own, in the document's order.
    for (const [page, change] of [
      [second, { pdf_page_enabled: true }],
      [third, { pdf_page_rotation: 270 }],
      [first, { pdf_page_rotation: 270 }],
    ] as const)
      await patch(page?.id, change);
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
    const runs = await assets();
    expect(runs).toMatchObject(
      [
        { pages: [1], rotation: 270 },
        { pages: [2], rotation: 0 },
        { pages: [3], rotation: 270 },
      ].map((run) => ({ ...run, mimetype: "application/pdf" })),
    );
    const files = new Set(
      (await content.rows("/v4.1/assets?type=eq.pdf")).map(({ md5 }) => md5),
    );
    expect(files.size).toBe(1);
    const [playlist] = (await (await request("/playlists")).json()) as {
      items: { asset_id: string; duration: number }[];
    }[];
    expect(
      playlist?.items.map((item) => [item.asset_id, item.duration]),
    ).toEqual(runs.map((run) => [run.asset_id, 9]));
  });
});

describe("[V2-209] our own service", () => {
  it("answers a poll without changes with 304, below /api too", async () => {
    const content = await fill();
    const { connect, syncNow, sync } = await startSync();
    await connect({ baseUrl: content.address });
    const applied = sync.status()[0]?.lastAppliedAt;
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(sync.status()[0]?.lastAppliedAt).toBe(applied);
    const list = "/api/v4.1/labels?select=*,playlists(*)";
    const first = await content.request(list);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\//);
    const again = await content.request(list, {
      headers: { "If-None-Match": tag },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});
