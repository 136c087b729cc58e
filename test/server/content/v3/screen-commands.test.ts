// Commands for one screen and for many, and their results, over real sockets, on both databases.

import { describe, expect, it } from "vitest";
import {
  screenActionV3,
  screenCommandStateV3,
  type ScreenCommandStateV3,
} from "../../../../server/contract/v3/v3-screens.ts";
import type { HeartbeatLink } from "../../../../server/contract/link/link.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  stableRevision,
} from "../../../support/content/linked-player.ts";

const commandsPath = ({ screenId }: { readonly screenId: string }) =>
  `/screens/${screenId}/commands/`;

const listOf = async (
  client: ClientV3,
  query = "",
): Promise<readonly ScreenCommandStateV3[]> =>
  screenCommandStateV3
    .array()
    .parse(await client.get(`/screens/commands/${query}`));

const refusalOf = async (client: ClientV3, path: string, body: unknown) => {
  const { status, json } = await client.call("POST", path, body);
  return [status, json];
};

eachV3((service) => {
  describe("for one screen", () => {
    it("[V3-82] [L-42] is returned with who sent it, until when it can be carried out, and its state", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const command = screenCommandStateV3.parse(
        await client.make(commandsPath(player), { kind: "identify" }),
      );
      expect(command).toMatchObject({
        ...{ screen_id: player.screenId, kind: "identify", arguments: {} },
        ...{ issued_by: "test", state: "waiting", message: null },
        state_at: command.created_at,
      });
      const lastsMs = ({ created_at, expires_at }: ScreenCommandStateV3) =>
        Date.parse(expires_at) - Date.parse(created_at);
      expect(lastsMs(command)).toBe(600_000);
      const short = await client.make(commandsPath(player), {
        ...{ kind: "identify", expires_in: 10 },
      });
      expect(lastsMs(short as ScreenCommandStateV3)).toBe(10_000);
      expect(await listOf(client)).toEqual([short, command]);
    });

    it("[L-41] [V3-82] its arguments reach the player as they were sent", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const [asset] = await client.add("/v4/assets", { title: "A" });
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const all = [
        { kind: "show", arguments: { asset_id: asset?.id } },
        { kind: "takeover", arguments: { asset_id: asset?.id, until } },
        {
          kind: "takeover",
          arguments: { text: "Fire drill", reason: "Drill" },
        },
        { kind: "takeover", arguments: { url: "https://example.org/a" } },
        { kind: "end-takeover" },
      ];
      for (const body of all) await client.make(commandsPath(player), body);
      const { commands } = await player.news("");
      expect(
        commands.map(({ kind, arguments: given }) => ({
          ...{ kind, arguments: given },
        })),
      ).toEqual(all.map((body) => ({ arguments: {}, ...body })));
    });

    it.each<[string, unknown]>([
      ["kind", { kind: "dance" }],
      ["arguments", { kind: "reboot", arguments: { force: true } }],
      ["arguments", { kind: "show", arguments: "A" }],
      ["arguments", { kind: "show", arguments: { asset_id: "none" } }],
      ["arguments", { kind: "takeover", arguments: { text: "A", untill: 1 } }],
      ["arguments.asset_id", { kind: "show" }],
      ["arguments.asset_id", { kind: "show", arguments: { asset_id: 5 } }],
      ["arguments.text", { kind: "takeover" }],
      ["arguments.text", { kind: "takeover", arguments: { text: " " } }],
      [
        "arguments.text",
        { kind: "takeover", arguments: { text: "A", url: "http://a/" } },
      ],
      ["arguments.url", { kind: "takeover", arguments: { url: "file:///a" } }],
      [
        "arguments.until",
        { kind: "takeover", arguments: { text: "A", until: "tomorrow" } },
      ],
      [
        "arguments.until",
        {
          kind: "takeover",
          arguments: { text: "A", until: "2020-01-01T00:00:00Z" },
        },
      ],
      ["expires_in", { kind: "look", expires_in: 9 }],
      ["expires_in", { kind: "look", expires_in: 601 }],
      ["expires_in", { kind: "look", expires_in: "soon" }],
    ])("[V3-82] [L-41] names %s in %j", async (field, body) => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      expect(await refusalOf(client, commandsPath(player), body)).toEqual([
        400,
        { [field]: [expect.any(String) as string] },
      ]);
      expect(await listOf(client)).toEqual([]);
    });

    it("[L-42] is received, then done, or failed with the reason; the first result counts", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const order = async () =>
        (await client.make(commandsPath(player), { kind: "next" }))
          .id as string;
      const [one, two] = [await order(), await order()];
      const report = async (body: Partial<HeartbeatLink>) => {
        const { commands } = await player.beat(body);
        const shown = await listOf(client);
        return [
          commands.map(({ id }) => id),
          ...[one, two].map((id) => {
            const found = shown.find((each) => each.id === id);
            return [found?.state, found?.message];
          }),
        ];
      };
      expect(await report({ received: [one] })).toEqual([
        ...[
          [one, two],
          ["received", null],
          ["waiting", null],
        ],
      ]);
      expect(
        await report({
          received: [one, two],
          done: [
            { id: one, is_done: true, message: "all fine" },
            { id: two, is_done: false, message: "Nothing is due." },
          ],
        }),
      ).toEqual([[], ["done", null], ["failed", "Nothing is due."]]);
      expect(
        await report({
          received: [one, two],
          done: [
            { id: one, is_done: false, message: "no" },
            { id: two, is_done: true },
          ],
        }),
      ).toEqual([[], ["done", null], ["failed", "Nothing is due."]]);
    });

    it("[L-9] [L-42] ends a held request while it waits, and not any more once it is received", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const revision = await stableRevision(player);
      const { id } = await client.make(commandsPath(player), { kind: "look" });
      const news = await player.news(`revision=${revision}&wait=30`);
      expect(news.commands).toMatchObject([{ id }]);
      await player.beat({ received: [id as string] });
      const held = player.news(`revision=${revision}&wait=30`);
      await expect
        .poll(() => client.get(`/screens/${player.screenId}/`))
        .toMatchObject({ ws_open: true });
      const next = await client.make(commandsPath(player), { kind: "next" });
      // Both are listed: a player that started anew learns of the first one, too.
      expect((await held).commands.map((command) => command.id)).toEqual([
        ...[id, next.id],
      ]);
    });

    it("[L-11] [V3-82] is 404 for a screen that is not there", async () => {
      const client = await service.client();
      const path = "/screens/none/commands/";
      expect((await refusalOf(client, path, { kind: "look" }))[0]).toBe(404);
    });
  });

  describe("for many screens", () => {
    it("[V3-82] is one action with a command for each screen, once for those named twice", async () => {
      const client = await service.client();
      const players = [];
      for (const name of ["A", "B", "C", "D"])
        players.push(await claimedPlayer(client, name));
      const [a, b, c, d] = players.map(({ screenId }) => screenId);
      const group = await client.make("/groups/", {
        ...{ name: "G", screens: [{ id: b }, { id: c }] },
      });
      const send = async (to: object) =>
        screenActionV3.parse(
          await client.make("/screens/commands/", { kind: "look", ...to }),
        );
      const screensOf = ({
        id,
        commands,
      }: {
        id: string;
        commands: readonly ScreenCommandStateV3[];
      }) => {
        expect(new Set(commands.map(({ action_id }) => action_id))).toEqual(
          new Set([id]),
        );
        return commands.map(({ screen_id }) => screen_id);
      };
      const action = await send({ screens: [a, b, b], groups: [group.id] });
      expect(screensOf(action)).toEqual([a, b, c].sort());
      const objects = { screens: [{ id: d }], groups: [{ id: group.id }] };
      expect(screensOf(await send(objects))).toEqual([b, c, d].sort());
      expect(screensOf(await send({ groups: ["all-screens"] }))).toEqual(
        [a, b, c, d].sort(),
      );
      expect(await listOf(client, `?action=${action.id}`)).toHaveLength(3);
      expect((await players[0]?.news(""))?.commands).toHaveLength(2);
    });

    it("[V3-82] is sent to all of them or to none, and to at least one", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      const empty = await client.make("/groups/", { name: "Empty" });
      for (const [field, body] of [
        ["screens", { kind: "look" }],
        ["screens", { kind: "look", groups: [empty.id] }],
        ["screens", { kind: "look", screens: [screenId, "none"] }],
        ["screens", { kind: "look", screens: screenId }],
        ["screens", { kind: "look", screens: [5] }],
        ["groups", { kind: "look", screens: [screenId], groups: ["none"] }],
        // Its own label is no group.
        ["groups", { kind: "look", groups: [screenId] }],
        ["kind", { screens: [screenId] }],
        ["arguments.asset_id", { kind: "show", screens: [screenId] }],
      ] as const)
        expect(await refusalOf(client, "/screens/commands/", body)).toEqual([
          400,
          { [field]: [expect.any(String) as string] },
        ]);
      expect(await listOf(client)).toEqual([]);
    });
  });

  describe("of two teams", () => {
    it("[V3-82] [V3-83] neither sees, commands nor names anything of the other", async () => {
      const [ours, theirs] = [await service.client(), await service.client()];
      const player = await claimedPlayer(ours);
      const other = await claimedPlayer(theirs);
      const [asset] = await theirs.add("/v4/assets", { title: "Theirs" });
      const group = await theirs.make("/groups/", {
        ...{ name: "G", screens: [{ id: other.screenId }] },
      });
      const { id } = await theirs.make(commandsPath(other), { kind: "look" });
      expect(
        (await refusalOf(ours, commandsPath(other), { kind: "look" }))[0],
      ).toBe(404);
      for (const [field, body] of [
        [
          "screens",
          { kind: "look", screens: [player.screenId, other.screenId] },
        ],
        [
          "groups",
          { kind: "look", screens: [player.screenId], groups: [group.id] },
        ],
        [
          "arguments",
          {
            kind: "show",
            screens: [player.screenId],
            arguments: { asset_id: asset?.id },
          },
        ],
      ] as const)
        expect(await refusalOf(ours, "/screens/commands/", body)).toEqual([
          400,
          { [field]: [expect.any(String) as string] },
        ]);
      for (const query of ["", `?id=${id}`, `?screen=${other.screenId}`])
        expect(await listOf(ours, query)).toEqual([]);
      await ours.make("/screens/commands/", {
        ...{ kind: "next", groups: ["all-screens"] },
      });
      expect((await other.news("")).commands).toMatchObject([{ id }]);
      // A player reports results of its own screen's commands only.
      await player.beat({ done: [{ id, is_done: true }] });
      expect(await listOf(theirs)).toMatchObject([{ id, state: "waiting" }]);
    });

    it("[L-15] the credential of a player reads commands and sends none", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const body = { kind: "look", screens: [player.screenId] };
      for (const path of ["/screens/commands/", commandsPath(player)])
        expect(
          (await player.request("POST", `/api/v3${path}`, body)).status,
        ).toBe(403);
      const read = await player.request("GET", "/api/v3/screens/commands/");
      expect([read.status, await read.json()]).toEqual([200, []]);
    });
  });

  describe("listed", () => {
    it("[V3-83] newest first, by action, screen and identifier, each of which can be repeated", async () => {
      const client = await service.client();
      const [a, b] = [
        await claimedPlayer(client, "A"),
        await claimedPlayer(client, "B"),
      ];
      const ids: string[] = [];
      for (const player of [a, b, a])
        ids.push(
          (await client.make(commandsPath(player), { kind: "look" }))
            .id as string,
        );
      const idsIn = async (query: string) =>
        (await listOf(client, query)).map(({ id }) => id);
      const [first = "", second = "", third = ""] = ids;
      expect(await idsIn("")).toEqual([third, second, first]);
      expect(await idsIn(`?screen=${a.screenId}`)).toEqual([third, first]);
      expect(await idsIn(`?screen=${a.screenId}&screen=${b.screenId}`)).toEqual(
        [third, second, first],
      );
      expect(await idsIn(`?id=${first}&id=${second}`)).toEqual([second, first]);
      expect(await idsIn(`?id=${first}&screen=${b.screenId}`)).toEqual([]);
      expect(await idsIn("?action=none&unknown=1")).toEqual([]);
      const bad = await client.call("GET", "/screens/commands/?id=");
      expect([bad.status, Object.keys(bad.json as object)]).toEqual([
        400,
        ["id"],
      ]);
    });

    it("[V3-83] at most 500, however many there are", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      for (let at = 0; at < 51; at += 1)
        await Promise.all(
          Array.from({ length: 10 }, () =>
            client.make("/screens/commands/", {
              kind: "look",
              screens: [screenId],
            }),
          ),
        );
      expect(await listOf(client)).toHaveLength(500);
    });

    it("[V3-45] [V3-83] not any more once their screen is deleted", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await client.make(commandsPath(player), { kind: "look" });
      await client.call("DELETE", `/screens/${player.screenId}/`);
      expect(await listOf(client)).toEqual([]);
    });
  });
});
