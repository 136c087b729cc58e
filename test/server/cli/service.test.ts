// The command line against a real content service.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { claimedPlayer } from "../../support/content/linked-player.ts";
import { oneService } from "../../support/content/one-service.ts";
import { reportOf } from "../../support/content/screen-reports.ts";
import { cliFor } from "../../support/cli/run-cli.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { png } from "../../support/media/media.ts";

const realFetch = globalThis.fetch;

describe("vitrine-cli with a content service", () => {
  const newTeam = oneService();

  async function newCli(now?: () => number) {
    const team = await newTeam();
    const { address, v3 } = team;
    const env = { VITRINE_SERVICE: `${address}/`, VITRINE_KEY: v3.key };
    return { v3, cli: cliFor(env, now), address };
  }

  it("lists what is on the screens with a label, and why", async () => {
    const { v3, cli } = await newCli();
    const harbor = await claimedPlayer(v3, "Harbor");
    await claimedPlayer(v3, "Munich");
    await v3.make("/groups/", {
      ...{ name: "Hamburg", screens: [{ id: harbor.screenId }] },
    });
    await v3.make("/playlists/", {
      ...{ title: "Lunch", predicate: "FALSE" },
      groups: [{ id: "all-screens" }],
    });
    await harbor.beat({ report: reportOf() });
    const list = await cli.json("screens", "list", "--label", "hamburg");
    expect(list).toMatchObject([
      {
        ...{ name: "Harbor", labels: ["Hamburg"], next: "Soup" },
        showing: { name: "Menu", explanation: "“Lunch” is due." },
      },
    ]);
    const table = await cli("screens", "list");
    expect(table.output.split("\n")).toHaveLength(3);
    expect(table.output).toMatch(/^NAME +STATE +SINCE +SHOWS +LABELS +ID\n/);
    const why = await cli("screens", "why", "harbor");
    expect(why.code).toBe(0);
    expect(why.output).toContain("“Lunch” is due.");
    expect(why.output).toContain("Nothing is due.");
    expect(why.output).toMatch(
      /Lunch +Its schedule rule does not apply: FALSE/,
    );
    const { candidates, now } = await cli.json(
      ...["screens", "why", harbor.screenId, "--at", "2026-05-01T10:00Z"],
    );
    expect(now).toBeNull();
    expect(candidates[0].reason.code).toBe("predicate-false");
    const { output } = await cli("screens", "show", "Harbor");
    expect(output).toMatch(/Labels: +Hamburg/);
  });

  it("changes labels, and nothing with --dry-run", async () => {
    const { v3, cli } = await newCli();
    const { screenId } = await claimedPlayer(v3, "Lobby");
    await v3.make("/groups/", { name: "Hamburg" });
    const words = ["screens", "labels", "Lobby", "--add", "Hamburg"];
    expect(await cli.json(...words, "--dry-run")).toEqual({
      ...{ dry_run: true, changes: [`Add the label "Hamburg" to 1 screen.`] },
    });
    const before = await cli.json("screens", "labels", "Lobby");
    expect(before).toEqual([{ id: screenId, name: "Lobby", labels: [] }]);
    expect(await cli.json(...words)).toMatchObject([{ labels: ["Hamburg"] }]);
    const removed = ["screens", "labels", "Lobby", "--remove", "Hamburg"];
    expect(await cli.json(...removed)).toMatchObject([{ labels: [] }]);
  });

  it("adds a file and an address, puts them into a playlist and removes them", async () => {
    const { cli } = await newCli();
    const folder = await temporaryFolder();
    const file = join(folder, "sale.png");
    writeFileSync(file, png([200, 0, 0]));
    const added = await cli.json("assets", "add", file, "--folder", "Sales");
    expect(added).toMatchObject({ title: "sale.png", folder_name: "Sales" });
    await expect
      .poll(async () => (await cli.json("assets", "show", "sale.png")).status)
      .toBe("finished");
    await cli.json("playlists", "create", "Lunch", "--label", "All Screens");
    const words = ["Lunch", "sale.png"];
    const filled = await cli.json(
      ...["playlists", "add", ...words, "--duration", "7.5"],
    );
    expect(filled.assets).toEqual([
      { id: added.id, title: "sale.png", duration: 7.5 },
    ]);
    const emptied = await cli.json("playlists", "remove", ...words);
    expect(emptied.assets).toEqual([]);
    const again = await cli("playlists", "remove", ...words);
    expect([again.code, again.complained]).toEqual([
      ...[5, `"sale.png" is not in the playlist "Lunch".`],
    ]);
    await cli.json("assets", "remove", "sale.png");
    expect(await cli.json("assets", "list")).toEqual([]);
  });

  it("adds to a playlist that others change at the same moment, and loses nothing of theirs", async () => {
    const { cli } = await newCli();
    const folder = await temporaryFolder();
    const titles = ["a.png", "b.png", "c.png", "d.png"];
    for (const [at, title] of titles.entries()) {
      writeFileSync(join(folder, title), png([at, 0, 0]));
      await cli.json("assets", "add", join(folder, title));
    }
    await cli.json("playlists", "create", "Lunch");
    const added = await Promise.all(
      titles.map((title) => cli("playlists", "add", "Lunch", title)),
    );
    expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { assets } = await cli.json("playlists", "show", "Lunch");
    expect(assets).toHaveLength(4);
  });

  it("ends a takeover by the clock of the service, also where this PC's is wrong", async () => {
    const { v3, cli } = await newCli(() => Date.now() - 86_400_000);
    const lobby = await claimedPlayer(v3, "Lobby");
    await cli.json(
      ...["takeover", "start", "--all", "--text", "Closed", "--minutes", "5"],
    );
    const [command] = (await lobby.news("")).commands;
    const until = command?.arguments?.["until"] as string;
    const lastsMs = Date.parse(until) - Date.parse(command?.created_at ?? "");
    expect(lastsMs).toBeLessThanOrEqual(300_000);
    expect(lastsMs).toBeGreaterThan(0);
  });

  it("names each screen once", async () => {
    const { v3, cli } = await newCli();
    const { screenId } = await claimedPlayer(v3, "Lobby");
    await claimedPlayer(v3, "Harbor");
    expect(
      await cli.json("screens", "labels", "Lobby", "harbor", screenId, "lobby"),
    ).toMatchObject([{ name: "Lobby" }, { name: "Harbor" }]);
  });

  it("starts and ends a takeover, and lists the screens that did not carry it out", async () => {
    const { v3, cli } = await newCli();
    const lobby = await claimedPlayer(v3, "Lobby");
    await lobby.beat();
    const started = await cli.json(
      ...["takeover", "start", "--all", "--text", "Evacuate", "--minutes", "5"],
    );
    const [command] = (await lobby.news("")).commands;
    expect(command).toMatchObject({
      ...{ id: started.commands[0].id, kind: "takeover" },
      arguments: { text: "Evacuate", until: expect.any(String) as string },
    });
    const { showing } = reportOf({ reason: "takeover", name: "Evacuate" });
    await lobby.beat({
      ...{ report: reportOf(showing) },
      done: [{ id: command?.id ?? "", is_done: true }],
    });
    expect(await cli.json("takeover", "list")).toMatchObject([
      { screen_name: "Lobby", shows: "Evacuate" },
    ]);
    const ended = cli("takeover", "end", "--screen", "Lobby", "--wait");
    const pending = () => lobby.news("").then(({ commands }) => commands);
    await expect.poll(pending).toHaveLength(1);
    const [end] = await pending();
    await lobby.beat({
      done: [{ id: end?.id ?? "", is_done: false, message: "No takeover." }],
    });
    const { code, output } = await ended;
    expect([code, output]).toEqual([7, expect.any(String)]);
    expect(output).toMatch(/Lobby +failed +No takeover\./);
  });

  it("saves the latest screenshot", async () => {
    const { v3, cli } = await newCli();
    const lobby = await claimedPlayer(v3, "Lobby");
    const none = await cli("screens", "screenshot", "Lobby");
    expect([none.code, none.complained]).toEqual([
      5,
      expect.stringContaining(`screens command ${lobby.screenId} screenshot`),
    ]);
    const picture = png([0, 120, 0]);
    await fetch(`${v3.address}/link/v1/screenshot`, {
      ...{ method: "PUT", body: new Uint8Array(picture) },
      headers: {
        Authorization: `Bearer ${lobby.credential}`,
        "Content-Type": "image/png",
      },
    });
    const file = join(await temporaryFolder(), "lobby.png");
    const saved = await cli("screens", "screenshot", "Lobby", "--output", file);
    expect([saved.code, saved.complained]).toEqual([0, ""]);
    expect(readFileSync(file)).toEqual(picture);
    // It is fetched for that alone.
    const { url } = await cli.json("screens", "screenshot", "Lobby");
    const gone = vi.spyOn(globalThis, "fetch").mockImplementation((request) => {
      const target = request instanceof Request ? request.url : `${request}`;
      return target === url
        ? Promise.reject(new TypeError("fetch failed"))
        : realFetch(request);
    });
    onTestFinished(() => void gone.mockRestore());
    expect((await cli("screens", "screenshot", "Lobby")).code).toBe(0);
    const lost = await cli("screens", "screenshot", "Lobby", "--output", file);
    expect([lost.code, lost.complained]).toEqual([
      3,
      expect.stringContaining("Cannot reach http://127.0.0.1"),
    ]);
    gone.mockImplementation((request) =>
      request instanceof Request && request.url === url
        ? Promise.resolve(new Response("busy", { status: 503 }))
        : realFetch(request),
    );
    const busy = await cli("screens", "screenshot", "Lobby", "--output", file);
    expect([busy.code, busy.complained]).toEqual([
      3,
      expect.stringContaining("status 503"),
    ]);
    gone.mockImplementation((request) =>
      request instanceof Request && request.url === url
        ? Promise.resolve(new Response(new Uint8Array(9 * 1024 * 1024)))
        : realFetch(request),
    );
    const huge = await cli("screens", "screenshot", "Lobby", "--output", file);
    expect([huge.code, huge.complained]).toEqual([
      6,
      expect.stringContaining("is larger than"),
    ]);
  });

  it("ends with the code of what went wrong, and a sentence", async () => {
    const { v3, cli, address } = await newCli();
    await claimedPlayer(v3, "Twin");
    await claimedPlayer(v3, "Twin");
    const missing = await cli("screens", "show", "Nowhere");
    expect([missing.code, missing.complained]).toEqual([
      ...[5, expect.stringContaining(`"Nowhere"`)],
    ]);
    const twice = await cli("screens", "show", "Twin");
    expect([twice.code, twice.complained]).toEqual([
      ...[6, expect.stringMatching(/2 screens are named "Twin"/)],
    ]);
    const refused = await cli("playlists", "create", "A", "--schedule", "§");
    expect([refused.code, refused.complained]).toEqual([
      ...[6, expect.stringMatching(/^predicate is not valid at position 0/)],
    ]);
    const other = cliFor({ VITRINE_SERVICE: address, VITRINE_KEY: "secret-1" });
    const rejected = await other("screens", "list", "--json");
    expect(rejected.code).toBe(4);
    expect(JSON.parse(rejected.complained)).toMatchObject({
      error: { code: "unauthorized" },
    });
    expect(rejected.complained).not.toContain("secret-1");
    const usage = await cli("takeover", "start", "--all");
    expect([usage.code, usage.complained]).toEqual([
      ...[2, expect.stringContaining("--text, --asset and --url")],
    ]);
  });

  it("prints no control characters of names", async () => {
    const { v3, cli } = await newCli();
    await claimedPlayer(v3, "Lobby\u001b[2J\u202e!");
    const { output } = await cli("screens", "list");
    expect(output.replaceAll("\n", "")).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}]/u,
    );
    expect(output).toContain("Lobby");
  });
});
