// The tools of the MCP server: the client of the SDK starts the real program and talks to it on stdio.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { boundedText } from "../../../server/cli/mcp/bounded-text.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { claimedPlayer } from "../../support/content/linked-player.ts";
import { oneService } from "../../support/content/one-service.ts";
import { reportOf } from "../../support/content/screen-reports.ts";
import { png } from "../../support/media/media.ts";
import { programWords } from "../../support/program-words.ts";

describe("vitrine-cli mcp", () => {
  const newTeam = oneService();

  async function connected(key: string, address: string, ...words: string[]) {
    const [node, script] = programWords("cli");
    const client = new Client({ name: "test", version: "1.0.0" });
    afterThisTest(() => client.close());
    await client.connect(
      new StdioClientTransport({
        ...{ command: node, args: [script, "mcp", ...words] },
        env: { VITRINE_SERVICE: address, VITRINE_KEY: key },
      }),
    );
    const call = async (name: string, given: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: given });
      const content = result.content as readonly {
        readonly type: string;
        readonly text?: string;
        readonly data?: string;
      }[];
      const text = content[0]?.text ?? "";
      const isError = result["isError"] === true;
      return { isError, content, text, json: () => JSON.parse(text) };
    };
    return { client, call };
  }

  it("answers what is on the screens in Hamburg and why, and cannot change anything", async () => {
    const { v3, address } = await newTeam();
    const harbor = await claimedPlayer(v3, "Harbor");
    await claimedPlayer(v3, "Munich");
    await v3.make("/groups/", {
      ...{ name: "Hamburg", screens: [{ id: harbor.screenId }] },
    });
    await harbor.beat({ report: reportOf() });
    await fetch(`${address}/link/v1/screenshot`, {
      ...{ method: "PUT", body: new Uint8Array(png([9, 9, 9])) },
      headers: { Authorization: `Bearer ${harbor.credential}` },
    });
    const { client, call } = await connected(v3.key, address);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).sort();
    expect(names).toEqual([
      ...["assets_list", "assets_show", "playlists_list", "playlists_show"],
      ...["screens_list", "screens_screenshot", "screens_show", "screens_why"],
      "takeover_list",
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.properties).not.toHaveProperty("dryRun");
    }
    expect(client.getInstructions()).toContain("Nothing can be changed");
    const list = await call("screens_list", { label: "Hamburg" });
    expect(list.json()).toMatchObject({
      count: 1,
      items: [{ name: "Harbor", showing: { explanation: "“Lunch” is due." } }],
    });
    const one = await call("screens_list", { limit: 1 });
    expect(one.json()).toMatchObject({ count: 2, omitted: 1 });
    const why = await call("screens_why", { screen: "Harbor" });
    expect(why.json()).toMatchObject({
      now: { showing: { name: "Menu" } },
      ...{ due: [], candidates: [] },
    });
    const shot = await call("screens_screenshot", { screen: "Harbor" });
    expect(shot.content[1]).toMatchObject({ type: "image" });
    expect(shot.content[1]?.data).toBe(png([9, 9, 9]).toString("base64"));
    const missing = await call("screens_why", { screen: "Nowhere" });
    expect([missing.isError, missing.text]).toEqual([
      ...[true, expect.stringContaining("Nowhere")],
    ]);
    const denied = await call("assets_remove", { asset: "A" });
    expect(denied.isError).toBe(true);
  });

  it("changes something only with --allow-writes and without the dry run, and reads no files", async () => {
    const { v3, address } = await newTeam();
    const { screenId } = await claimedPlayer(v3, "Lobby");
    await v3.make("/groups/", { name: "Hamburg" });
    const { call } = await connected(v3.key, address, "--allow-writes");
    const given = { screens: ["Lobby"], add: ["Hamburg"] };
    const plan = await call("screens_labels", given);
    expect(plan.json()).toEqual({
      ...{ dry_run: true, changes: [`Add the label "Hamburg" to 1 screen.`] },
    });
    const groupsOf = async () => (await v3.get(`/screens/${screenId}/`)).groups;
    const before = await groupsOf();
    const done = await call("screens_labels", { ...given, dryRun: false });
    expect(done.json().items).toEqual([
      { id: screenId, name: "Lobby", labels: ["Hamburg"] },
    ]);
    expect(await groupsOf()).toHaveLength(before.length + 1);
    const source = import.meta.filename;
    const file = await call("assets_add", { source, dryRun: false });
    expect([file.isError, file.text]).toEqual([
      ...[true, expect.stringContaining("http or https address")],
    ]);
    const wrong = await call("screens_list", { limit: 0 });
    expect(wrong.isError).toBe(true);
  });
});

describe("a long result", () => {
  it("is cut after an element, and says how many are left out", () => {
    const list = Array.from({ length: 5000 }, (_, id) => ({ id, name: "A" }));
    const text = boundedText(list);
    expect(text.length).toBeLessThan(60_000);
    const { count, items, omitted } = JSON.parse(text) as {
      readonly count: number;
      readonly items: readonly unknown[];
      readonly omitted: number;
    };
    expect([count, items.length + omitted]).toEqual([5000, 5000]);
    expect(items.length).toBeGreaterThan(500);
    expect(boundedText({ text: "x".repeat(100_000) }).length).toBeLessThan(
      41_000,
    );
    expect(boundedText([1])).toBe('{\n "count": 1,\n "items": [\n  1\n ]\n}');
  });
});
