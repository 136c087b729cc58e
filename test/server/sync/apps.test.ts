// Apps through a sync: brought whole, set as they are for this screen, changed without fetching twice, and never half.

import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SyncLibrary } from "../../../server/sync/sync.ts";
import {
  deploy,
  install,
  newApp,
  oneAppService,
  send,
  set,
  showEverywhere,
  type AppService,
  type InstalledApp,
} from "../../support/cloud-apps.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { claimedPlayer } from "../../support/linked-player.ts";
import { picture } from "../../support/media.ts";
import { exported, imported, keysOf, membersOf } from "../../support/plans.ts";
import { startBeside } from "../../support/start-beside.ts";
import { startSync, type RunningSync } from "../../support/start-sync.ts";
import { hurried } from "../../support/sync-trial.ts";

const secret = "sesame-open";
const page = "<!doctype html><title>board</title>";
const look = "html{background:#1ea03c}";
const files = {
  "index.html": page,
  "look/look.css": look,
  "look/same.css": look,
  "logo.png": picture([9, 8, 7]),
};
const manifest = {
  ...{ user_version: "1", ready_signal: true },
  settings: {
    greeting: { type: "string", default_value: "hi", title: "Greeting" },
    place: { type: "string", default_value: "nowhere", title: "Place" },
    word: { type: "secret", title: "Word" },
  },
};

const startService = oneAppService();

interface Board extends InstalledApp {
  readonly service: AppService;
}

/** One app with a setting and a secret of its own, on every screen. */
async function startBoard(more: readonly string[] = []): Promise<Board> {
  const service = await startService();
  const { client } = service;
  const appId = await newApp(client);
  await deploy(client, appId, files, manifest);
  const board = await install(client, appId, "Board");
  await set(client, board, "settings", "place", "here");
  await set(client, board, "secrets", "word", secret);
  await showEverywhere(client, [board.assetId, ...more]);
  return { ...board, service };
}

/** Paired by a pin, without a link beside it: it looks when it is told. */
async function follow(
  { client, path: way }: AppService,
  running: RunningSync,
): Promise<void> {
  const { screenId, credential } = await claimedPlayer(client);
  await running.connect({ baseUrl: way.address, screenId }, credential);
}

async function appOf(running: Pick<RunningSync, "player">, name = "Board") {
  const asset = running.player.assets().find((one) => one.name === name);
  const app = asset && (await running.player.appOf(asset.id));
  if (!app) return null;
  const bytes = await Promise.all(
    [...app.files].map(
      async ([at, file]) => [at, await readFile(file.path)] as const,
    ),
  );
  return { ...app, bytes: Object.fromEntries(bytes) };
}

/** Of all files below, those that hold this text. */
async function holding(dir: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(dir, {
    recursive: true,
    withFileTypes: true,
  })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(file)).includes(text))
      found.push(path.relative(dir, file));
  }
  return found;
}

describe("an installed app", () => {
  it("[V2-331] [V2-333] is brought whole to a paired player, with what it is set to, and is there without the cloud", async () => {
    const { service } = await startBoard();
    const running = await startSync();
    await follow(service, running);
    expect(running.sync.status()).toMatchObject([
      { isInSync: true, troubles: [], problem: null, assets: 1 },
    ]);
    await expect.poll(() => running.stage.onGlass()?.name).toBe("Board");
    expect(running.stage.onGlass()?.content.kind).toBe("app");
    // Bytes that are the same under two names came once.
    expect(service.filesAsked()).toHaveLength(3);
    service.path.decide(() => "lost");
    await running.stopSync();
    await running.player.stop();
    const { dataDir } = running;
    const again = await startSync({ player: { dataDir } });
    const app = await appOf(again);
    expect(app).toMatchObject({
      entry: { kind: "file", path: "index.html" },
      waitsForSignal: true,
      settings: {
        ...{ greeting: "hi", place: "here", word: secret },
        screenly_oauth_tokens_url: `${service.path.address}/api/v3/edge-apps/oauth/tokens/`,
        screenly_app_auth_token: expect.stringMatching(/^vitrine-app-/),
      },
    });
    expect(app?.bytes).toEqual(
      Object.fromEntries(
        Object.entries(files).map(([at, content]) => [
          at,
          Buffer.from(content),
        ]),
      ),
    );
    await expect.poll(() => again.stage.onGlass()?.name).toBe("Board");
    // Nobody but the page is told: no interface, no row, no log.
    for (const asked of ["/assets", "/sync", "/sync/plan", "/activity"])
      expect(await (await again.ask(asked)).text()).not.toContain(secret);
    const kept = await holding(dataDir, secret);
    expect(kept.map((file) => path.dirname(file))).toEqual(["sync/apps"]);
  });
});

/** A library that notes what is asked of it. */
function noting(library: SyncLibrary, called: string[]): SyncLibrary {
  const entries = Object.entries(library) as [
    string,
    (...args: never[]) => unknown,
  ][];
  return Object.fromEntries(
    entries.map(([name, act]) => [
      name,
      (...args: never[]) => {
        called.push(name);
        return act(...args);
      },
    ]),
  ) as unknown as SyncLibrary;
}

describe("what changes of an app", () => {
  it("[V2-332] is fetched as far as it is new, another setting without any file, and nothing new is not written down", async () => {
    const { service, ...board } = await startBoard();
    const { client } = service;
    const called: string[] = [];
    const running = await startSync({
      breakLibrary: (library) => noting(library, called),
    });
    await follow(service, running);
    await expect.poll(() => running.stage.onGlass()?.name).toBe("Board");
    const before = running.stage.onGlass();
    service.filesAsked();

    expect(called).toContain("admitApp");
    called.length = 0;
    await running.look();
    expect(service.questions().map((url) => url.split("?")[0])).toEqual([
      ...["/v4.1/labels/screens", "/v4.1/labels"],
      `/link/v1/apps/${board.installation}`,
    ]);
    expect(called).toEqual([]);

    await send(
      client,
      "PATCH",
      `/v4.1/edge-apps/settings/values?installation_id=eq.${board.installation}&name=eq.place`,
      { value: "there" },
    );
    expect(await running.look()).toMatchObject({ isInSync: true });
    expect((await appOf(running))?.settings).toMatchObject({ place: "there" });
    expect(service.filesAsked()).toEqual([]);
    // It is on the glass anew, though nothing but a setting changed.
    await expect.poll(() => running.stage.onGlass()?.id).not.toBe(before?.id);

    const next = { ...files, "index.html": `${page}<p>two</p>` };
    await deploy(client, board.appId, next, { ...manifest, user_version: "2" });
    expect(await running.look()).toMatchObject({ isInSync: true });
    expect(service.filesAsked()).toHaveLength(1);
    const app = await appOf(running);
    expect(app?.bytes["index.html"]?.toString()).toContain("two");
    // The plan before is one call away, with its own files and settings.
    await running.sync.back();
    const back = await appOf(running);
    expect(back?.bytes["index.html"]?.toString()).toBe(page);
    expect(back?.settings).toMatchObject({ place: "there", word: secret });
  });
});

async function partOf(
  client: AppService["client"],
  { appId }: InstalledApp,
  title: string,
): Promise<string> {
  const [row] = await client.rows(
    `/v4.1/assets?select=id&app_id=eq.${appId}&title=eq.${title}`,
  );
  return row?.id ?? "";
}

/** A picture that plays whatever becomes of apps. */
async function addPicture(service: AppService): Promise<string> {
  const { client } = service;
  const answer = await client.upload(picture([1, 1, 1]), { title: "Picture" });
  const [row] = (await answer.json()) as { readonly id: string }[];
  await expect
    .poll(() => client.rows("/v4.1/assets?status=neq.finished"))
    .toEqual([]);
  return row?.id ?? "";
}

const namesOf = async (running: RunningSync) =>
  (await running.list()).map(({ name }) => name).toSorted();

describe("an app that does not come as it should", () => {
  it("[V2-334] keeps its revision before, whole, while a file of the new one does not fit its MD5", async () => {
    const { service, appId } = await startBoard();
    const running = await startSync({ sync: { clock: hurried } });
    await follow(service, running);
    const fresh = `${page}<p>two, damaged</p>`;
    await deploy(service.client, appId, { ...files, "index.html": fresh });
    const kept = path.join(service.dataDir, "files", "kept");
    const damaged = await holding(kept, fresh);
    expect(damaged).toHaveLength(1);
    for (const file of damaged)
      await writeFile(path.join(kept, file), fresh.replace("two", "six"));
    const status = await running.look();
    expect(status.troubles).toMatchObject([
      {
        ...{ name: "Board", isGivenUp: true },
        reason: expect.stringMatching(/^index\.html: It is damaged/) as string,
      },
    ]);
    const app = await appOf(running);
    expect(app?.bytes["index.html"]?.toString()).toBe(page);
    expect(app?.bytes["look/look.css"]?.toString()).toBe(look);
    expect(running.stage.onGlass()?.name).toBe("Board");
  });

  it("[V2-334] is not there by half while its service is away in the middle, and goes on with what came", async () => {
    const { service } = await startBoard();
    const dataDir = await temporaryFolder();
    const wish = { player: { dataDir }, sync: { clock: hurried } };
    const first = await startSync(wish);
    let isAway = true;
    let came = 0;
    service.path.decide(({ url }) => {
      if (isAway && url.startsWith("/files/")) came += 1;
      return isAway && came > 1 ? "lost" : "arrives";
    });
    await follow(service, first);
    expect(first.sync.status()).toMatchObject([
      { isInSync: false, problem: { code: "unavailable" }, assets: 0 },
    ]);
    expect(await first.list()).toEqual([]);
    await first.stopSync();
    await first.player.stop();
    const again = await startSync(wish);
    expect(await again.list()).toEqual([]);
    isAway = false;
    service.filesAsked();
    await again.look();
    await again.until(({ isInSync }) => isInSync === true);
    expect((await appOf(again))?.files.size).toBe(4);
    expect(service.filesAsked()).toHaveLength(2);
  });

  it("[V2-335] is a trouble with its reason when it has no files, no beginning, nothing deployed, or a path that leads out of it; all else plays", async () => {
    const service = await startService();
    const { client } = service;
    const made = async (
      name: string,
      tree: Readonly<Record<string, string>> | null,
      more: object = {},
    ): Promise<InstalledApp> => {
      const appId = await newApp(client);
      if (tree) await deploy(client, appId, tree, more);
      return install(client, appId, name);
    };
    const one = { "index.html": page, "up.html": page };
    const { assetId: good } = await made("Good", one);
    const out = await made("Out", one);
    const all = [
      ...[out, await made("None", {}), await made("Never", null)],
      await made("Nowhere", { "up.html": page }),
    ];
    await send(
      client,
      "PATCH",
      `/v4.1/assets?id=eq.${await partOf(client, out, "up.html")}`,
      {
        title: "../up.html",
      },
    );
    await showEverywhere(client, [
      ...[good, await addPicture(service)],
      ...all.map(({ assetId }) => assetId),
    ]);
    const running = await startSync();
    await follow(service, running);
    const [status] = running.sync.status();
    expect(status).toMatchObject({ isInSync: true, problem: null });
    expect(
      Object.fromEntries(
        status?.troubles.map(({ name, reason }) => [name, reason]) ?? [],
      ),
    ).toEqual({
      Out: 'The app holds a path that leads out of it: "../up.html".',
      None: "Revision 1 of this app has no files.",
      Never: "Nothing of this app is deployed on the channel it follows.",
      Nowhere: 'The app begins with "index.html", which is not in it.',
    });
    expect(await namesOf(running)).toEqual(["Good", "Picture"]);
    expect((await appOf(running, "Good"))?.files.size).toBe(2);
  });

  it("[V2-335] is a trouble over version 3, which does not tell what it is made of", async () => {
    const { service } = await startBoard();
    const running = await startSync();
    const { address: baseUrl } = service.path;
    await running.connect({ baseUrl, version: "v3" }, service.client.key);
    expect(running.sync.status()).toMatchObject([
      {
        isInSync: true,
        troubles: [
          {
            name: "Board",
            reason: expect.stringMatching(/^Version 3/) as string,
          },
        ],
      },
    ]);
  });
});

describe("an app of a key, or with a beginning elsewhere", () => {
  it.each(["v4.1", "v4"] as const)(
    "[V2-336] comes over %s with its settings, and no secret",
    async (version) => {
      const { service } = await startBoard();
      const running = await startSync();
      const { address: baseUrl } = service.path;
      await running.connect({ baseUrl, version }, service.client.key);
      const app = await appOf(running);
      expect(app).toMatchObject({
        entry: { kind: "file", path: "index.html" },
        ...{
          waitsForSignal: true,
          settings: { greeting: "hi", place: "here" },
        },
      });
      expect(app?.settings).not.toHaveProperty("word");
      expect(await holding(running.dataDir, secret)).toEqual([]);
      service.questions();
      await running.look();
      expect(service.questions().map((url) => url.split("?")[0])).toEqual([
        `/${version}/labels`,
        ...["installations", "channels", "versions", "settings"].map(
          (name) => `/${version}/edge-apps/${name}`,
        ),
      ]);
    },
  );

  it("[V2-336] that begins at an address is shown from there, with its settings", async () => {
    const service = await startService();
    const { client } = service;
    const appId = await newApp(client);
    const script = { "screenly_inject.js": "document.title = 'set';" };
    const entrypoint = { type: "remote-global", uri: "https://example.org/x" };
    await deploy(client, appId, script, { ...manifest, entrypoint });
    const { assetId } = await install(client, appId, "Board");
    await showEverywhere(client, [assetId]);
    const running = await startSync();
    await follow(service, running);
    expect(await appOf(running)).toMatchObject({
      entry: {
        ...{ kind: "remote", url: "https://example.org/x" },
        script: script["screenly_inject.js"],
      },
      settings: { greeting: "hi" },
    });
  });
});

describe("what travels and what stays", () => {
  it("[V2-333] [V2-320] a plan on a stick and a backup hold the app and no secret; the app is whole on another player", async () => {
    const { service } = await startBoard();
    const running = await startBeside();
    await follow(service, running);
    const archive = await exported(running);
    const members = await membersOf(archive);
    expect(
      [...members.keys()].filter((name) => name.startsWith("files/")),
    ).toHaveLength(3);
    const backup = await running.ask("/backup?stream=1", { method: "POST" });
    const bytes = Buffer.from(await backup.arrayBuffer());
    for (const [, member] of [...members, ...(await membersOf(bytes))])
      expect(member.includes(secret)).toBe(false);

    const far = await startBeside();
    const { own } = await keysOf(running);
    const taken = await imported(far, archive, `?trust=${own}`);
    expect(taken).toMatchObject({ status: 200, body: { assets: 1, files: 3 } });
    const app = await appOf(far);
    expect(app?.files.size).toBe(4);
    expect(app?.settings).toMatchObject({ greeting: "hi", place: "here" });
    expect(app?.settings).not.toHaveProperty("word");
  });

  it("[V2-333] [V2-203] an account that is removed takes its apps and their secrets along; what is kept plays on without these", async () => {
    const { service } = await startBoard();
    for (const isKept of [true, false]) {
      const running = await startSync();
      await follow(service, running);
      const [account] = running.sync.accounts();
      await running.sync.removeAccount(account?.id ?? "", isKept);
      expect(await holding(running.dataDir, secret)).toEqual([]);
      const app = await appOf(running);
      expect(app?.files.size).toBe(isKept ? 4 : undefined);
      const left = await holding(path.join(running.dataDir, "files"), page);
      expect(left).toHaveLength(isKept ? 1 : 0);
    }
  });
});
