// Everyday use by the convention's own client library, over a real socket.

import { PostgrestClient } from "@supabase/postgrest-js";
import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";

eachDatabase((database) => {
  it("[V4-3] [V4-14] [V4-23] serves the client library unchanged", async () => {
    const v4 = await serveV4(database);
    const client = new PostgrestClient(`${v4.url}/v4.1`, {
      headers: { Authorization: "Token KEY" },
    });
    const group = await client
      .from("asset-groups")
      .insert({ title: "Lobby" })
      .select()
      .single();
    expect(group.error).toBeNull();
    const id = group.data?.id as string;

    const created = await client
      .from("assets")
      .insert([
        { title: "one", asset_group_id: id, metadata: { tags: ["a"] } },
        { title: "two", asset_group_id: id, metadata: { tags: ["b"] } },
        { title: "three", asset_group_id: null, metadata: {} },
      ])
      .select("id,title");
    expect([
      created.status,
      created.data?.map(({ title }) => title as string),
    ]).toEqual([...[201, ["one", "two", "three"]]]);

    const page = await client
      .from("assets")
      .select("title, group:asset_groups!inner(title)", { count: "exact" })
      .eq("group.title", "Lobby")
      .in("title", ["one", "two", "a,b(c)"])
      .order("title", { ascending: false })
      .range(0, 0);
    expect([page.status, page.count, page.data]).toEqual([
      ...[206, 2, [{ title: "two", group: { title: "Lobby" } }]],
    ]);

    const found = await client
      .from("assets")
      .select("title")
      .or('title.ilike.*THR*,metadata->tags.cs.["a"]')
      .not("title", "is", null)
      .order("title");
    expect(found.data).toEqual([{ title: "one" }, { title: "three" }]);

    const head = await client
      .from("assets")
      .select("*", { count: "exact", head: true });
    expect([head.count, head.data]).toEqual([3, null]);

    const changed = await client
      .from("assets")
      .update({ title: "ONE" })
      .eq("id", created.data?.[0]?.id as string)
      .select("title")
      .maybeSingle();
    expect(changed.data).toEqual({ title: "ONE" });
    const none = await client
      .from("assets")
      .select()
      .eq("title", "x")
      .maybeSingle();
    expect([none.data, none.error]).toEqual([null, null]);
    const single = await client.from("assets").select().single();
    expect(single.error?.code).toBe("PGRST116");

    const unsafe = await client.from("assets").delete().eq("title", "two");
    expect([unsafe.status, unsafe.error?.code]).toEqual([400, "PGRST100"]);
    const removed = await client.from("asset-groups").delete().eq("id", id);
    expect([removed.status, removed.error]).toEqual([204, null]);
    const left = await client.from("assets").select("title").csv();
    expect(left.data).toBe("title\nthree\n");
    const wrong = await client.from("assets").select("nope");
    expect([wrong.status, wrong.error?.code]).toEqual([400, "42703"]);
  });
});
