// File addresses where rows are returned and filtered: resolved in their own columns, and nowhere else.

import { expect, it, onTestFinished, vi } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";
import { png } from "../../../support/media/media.ts";
import type {
  ContentClient,
  Row,
} from "../../../support/content/start-content.ts";

const anyId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

eachContent(({ start }) => {
  /** A finished image, as the API returns it. */
  async function addImage(content: ContentClient): Promise<Row> {
    const uploaded = await content.upload(png([1, 2, 3]), { title: "a" });
    const [{ id } = { id: "" }] = (await uploaded.json()) as Row[];
    return vi.waitUntil(
      async () =>
        (await content.rows(`/v4/assets?id=eq.${id}&status=eq.finished`))[0],
      { interval: 20 },
    );
  }

  const idsWhere = async (
    content: ContentClient,
    filter: string,
  ): Promise<readonly string[]> =>
    (await content.rows(`/v4/assets?select=id&order=id&${filter}`)).map(
      ({ id }) => id,
    );

  it("[V4-231] finds an asset by the address that was returned, bare, quoted, in lists and among others", async () => {
    const content = await start();
    const { id, ...row } = await addImage(content);
    await content.add("/v4/assets", { title: "b" });
    const url = encodeURIComponent(String(row["asset_url"]));
    const small = encodeURIComponent(String(row["thumbnail_uri"]));
    const bare = `${content.address}/files/${id}`;
    for (const filter of [
      ...[`asset_url=eq.${url}`, `thumbnail_uri=eq.${small}`],
      ...[`asset_url=eq.${bare}`, `asset_url=in.(${url},x)`],
      ...[`asset_url=in.("${url}")`, `or=(asset_url.eq."${url}",id.eq.x)`],
      ...[`asset_url=eq(any).{"${url}"}`, `thumbnail_uri=in.(x,"${small}")`],
      `select=id&id=eq.${id}&asset_url=not.isdistinct.${url}`,
      `asset_url=eq.${url.replace(/signature.*/, "signature%3Dother")}`,
    ])
      expect([filter, await idsWhere(content, filter)]).toEqual([filter, [id]]);
    for (const filter of [
      `id=eq.${id}&asset_url=neq.${url}`,
      `id=eq.${id}&asset_url=not.in.("${url}")`,
      `asset_url=eq.${url.replace(id, anyId)}`,
      `thumbnail_uri=eq.${url}`,
    ])
      expect([filter, await idsWhere(content, filter)]).toEqual([filter, []]);
  });

  it("[V4-231] matches patterns, words and order against the address as it is returned", async () => {
    const content = await start();
    const { id } = await addImage(content);
    for (const [filter, isFound] of [
      [`asset_url=like.${content.address}/files/*`, true],
      [`asset_url=ilike.*/FILES/${id}`, true],
      [`asset_url=match.files/[0-9A-Z]{26}$`, true],
      [`thumbnail_uri=like.*/thumbnail`, true],
      [`asset_url=plfts.files ${id}`, true],
      [`asset_url=gt.${content.address}`, true],
      [`asset_url=like.*vitrine*`, false],
      [`asset_url=gt.i`, false],
      [`asset_url=is.null`, false],
    ] as const)
      expect([filter, await idsWhere(content, filter)]).toEqual([
        ...[filter, isFound ? [id] : []],
      ]);
    const [other] = await content.add("/v4/assets", { title: "b" });
    expect(
      (await content.rows("/v4/assets?select=id&order=asset_url.desc")).map(
        (row) => row.id,
      ),
    ).toEqual([id, other?.id]);
  });

  it("[V4-8] takes an address in a filter on any other column literally", async () => {
    const content = await start();
    const far = `https://media.example.net/files/${anyId}?a=1`;
    const created = await content.add("/v4/assets", [
      { title: far },
      { title: "b" },
    ]);
    const [first, second] = created.map(({ id }) => id);
    const requests = encodeURIComponent(far);
    expect(await idsWhere(content, `title=eq.${requests}`)).toEqual([first]);
    expect(await idsWhere(content, `title=in.("${requests}")`)).toEqual([
      first,
    ]);
    const gone = await content.request(
      `/v4/assets?id=in.(${first},${second})&title=neq.${requests}`,
      { method: "DELETE" },
    );
    expect(gone.status).toBe(204);
    expect(await idsWhere(content, "id=not.is.null")).toEqual([first]);
  });

  it("[V4-27] [V4-230] returns text that looks like a stored address as it was sent", async () => {
    // An address stays the same for the rest of the hour.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    const content = await start();
    const reported = `vitrine-file:${anyId}`;
    const { id, ...row } = await addImage(content);
    const sent = {
      ...{ title: reported, js_injection: reported },
      ...{ metadata: { asset_url: reported }, headers: { "X-A": reported } },
    };
    const changed = await content.request(`/v4/assets?id=eq.${id}`, {
      ...{ method: "PATCH", body: JSON.stringify(sent) },
      headers: {
        "Content-Type": "application/json",
        Prefer: "return=representation",
      },
    });
    expect(await changed.json()).toEqual([{ id, ...row, ...sent }]);
    const [shown] = await content.rows(
      `/v4/assets?id=eq.${id}&select=title,a:asset_url::text,metadata->asset_url`,
    );
    expect(shown).toEqual({
      title: reported,
      a: row["asset_url"],
      asset_url: reported,
    });
    const csv = await content.request(`/v4/assets?select=title,asset_url`, {
      headers: { Accept: "text/csv" },
    });
    expect(await csv.text()).toBe(
      `title,asset_url\n${reported},${String(row["asset_url"])}\n`,
    );
    const inV3 = await content.request(`/api/v3/assets/${id}/`);
    expect(await inV3.json()).toMatchObject({
      ...sent,
      asset_url: row["asset_url"],
    });
  });
});
