// What programs in the same network that are not players of the team learn, and what they can do to its players: nothing.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, it, vi } from "vitest";
import {
  siteType,
  type SiteQuestion,
} from "../../../../../server/contract/discovery/site.ts";
import type { PresharedKey } from "../../../../../server/platform/http/preshared-key.ts";
import { createLog } from "../../../../../server/platform/log.ts";
import {
  browseServices,
  type SeenService,
} from "../../../../../server/platform/mdns/browse-services.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../../support/faulty-service/faulty-service.ts";
import { startFakeSitePlayer } from "../../../../support/sync/fake-site-player.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";
import {
  newSiteKey,
  siteNetwork,
  startSitePlayer,
  type SiteNetwork,
} from "../../../../support/sync/site-players.ts";
import {
  newPlayerId,
  startSiteStrangers,
} from "../../../../support/sync/site-strangers.ts";

const film = cloudImage("film", [1, 2, 3], 300_000);
const filmBytes = film.bytes ?? Buffer.alloc(0);
const md5 = createHash("md5").update(filmBytes).digest("hex");

async function startCloud() {
  const cloud = await serveFaultyCloud();
  cloud.playlists = [{ id: "P1", assets: [film] }];
  return cloud;
}

/** All that players announce in this network. */
function announcedIn(network: SiteNetwork): readonly SeenService[] {
  const seen: SeenService[] = [];
  const browser = browseServices({
    ...{ isNear: () => true, ...network.next().network },
    log: createLog({ toStandardOutput: false }),
    ...{ types: [siteType], onSeen: (one) => seen.push(one) },
  });
  afterThisTest(browser.stop);
  return seen;
}

/** Every byte that comes back, decrypted where there was a handshake. */
async function received(
  { from: host, port }: SeenService,
  key: PresharedKey | null,
  request: string,
): Promise<{ readonly bytes: Buffer; readonly isSecure: boolean }> {
  let isSecure = false;
  const plain = connect({ host, port });
  const chunks: Buffer[] = [];
  let socket: typeof plain | TLSSocket = plain;
  if (key) {
    socket = connectTls({
      ...{ socket: plain, checkServerIdentity: () => undefined },
      ...{ ciphers: "ECDHE-PSK-CHACHA20-POLY1305", maxVersion: "TLSv1.2" },
      pskCallback: () => ({
        ...{ psk: Buffer.from(key.secret, "hex"), identity: key.id },
      }),
    });
    socket.on("secureConnect", () => (isSecure = true));
  }
  for (const one of [plain, socket]) one.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(plain, "close");
  return { bytes: Buffer.concat(chunks), isSecure };
}

function requestsFor(): readonly string[] {
  const head = "Host: x\r\nConnection: close\r\n";
  const question: SiteQuestion = {
    ...{ player: newPlayerId(), port: 8091, files: [md5] },
  };
  const body = JSON.stringify(question);
  return [
    `GET /site/v1/files/${md5} HTTP/1.1\r\n${head}\r\n`,
    `POST /site/v1/files HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  ];
}

describe("a program without a key of the team", () => {
  it("[V2-822] gets no byte of a file, and learns no name", async () => {
    const cloud = await startCloud();
    const network = await siteNetwork();
    const seen = announcedIn(network);
    const key = newSiteKey();
    const player = await startSitePlayer(network);
    await player.join({ baseUrl: cloud.address, name: "Window" }, [key]);
    await player.syncAll();
    const announced = await vi.waitUntil(() => seen[0] ?? null, pollOptions);
    expect([...announced.values.keys()].sort()).toEqual([
      "keys",
      "player",
      "v",
    ]);
    expect(announced.values.get("keys")).toBe(key.id);
    const text = JSON.stringify([announced, ...announced.values]);
    for (const name of ["film", "Window", md5, key.secret])
      expect(text).not.toContain(name);
    const [get = "", post = ""] = requestsFor();
    // With the key, the same requests return the file and how far the player is.
    const whole = await received(announced, key, get);
    expect(whole.bytes.includes(filmBytes)).toBe(true);
    const state = await received(announced, key, post);
    expect(state.bytes.toString()).toContain(`{"${md5}":{"stage":"here"`);
    const other = newSiteKey();
    for (const wrong of [other, { ...other, id: key.id }])
      for (const request of [get, post]) {
        const { bytes, isSecure } = await received(announced, wrong, request);
        expect([bytes.length, isSecure]).toEqual([0, false]);
      }
    for (const request of [get, post]) {
      const { bytes } = await received(announced, null, request);
      // An alert of TLS at most.
      expect(bytes.length).toBeLessThan(16);
    }
  });

  it("[V2-822] as a player of another team, is neither asked nor counted, and both teams download for themselves", async () => {
    const cloud = await startCloud();
    const network = await siteNetwork();
    const seen = announcedIn(network);
    const fake = await startFakeSitePlayer(network, newSiteKey());
    const players = [];
    for (const key of [newSiteKey(), newSiteKey()]) {
      const player = await startSitePlayer(network);
      await player.join({ baseUrl: cloud.address }, [key]);
      players.push(player);
    }
    fake.report = { stage: "here", bytes: filmBytes.length };
    fake.file = (_request, response) => response.end(filmBytes);
    await vi.waitUntil(
      () => new Set(seen.map(({ instance }) => instance)).size === 3,
      pollOptions,
    );
    for (const player of players) await player.syncAll();
    expect(fake.fileRequests).toHaveLength(0);
    expect(cloud.fileRequests("film")).toHaveLength(2);
    for (const player of players)
      expect(player.counts()).toMatchObject({
        players: 0,
        bytesFromPlayers: 0,
      });
  });

  it("[V2-816] that announces any number of players with the name of a key delays no download, and keeps no player from being found", async () => {
    const cloud = await startCloud();
    const network = await siteNetwork();
    const key = newSiteKey();
    const player = await startSitePlayer(network, {
      // A response is waited for for more than an hour.
      site: { timeoutFactor: 1000 },
    });
    await player.join({ baseUrl: cloud.address }, [key]);
    const strangers = await startSiteStrangers(network, key.id);
    strangers.announce(Array.from({ length: 100 }, newPlayerId));
    await vi.waitUntil(() => strangers.connections() > 0, pollOptions);
    await player.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(1);
    expect(player.counts()?.players).toBe(0);
    await startFakeSitePlayer(network, key);
    await vi.waitUntil(() => player.counts()?.players === 1, pollOptions);
    expect(strangers.connections()).toBeLessThan(10);
  });

  it("[V2-816] that announces a player elsewhere doesn't take its place", async () => {
    const cloud = await startCloud();
    const network = await siteNetwork();
    const key = newSiteKey();
    const fake = await startFakeSitePlayer(network, key);
    fake.report = { stage: "here", bytes: filmBytes.length };
    fake.file = (_request, response) => {
      response
        .writeHead(200, { "Content-Length": filmBytes.length })
        .end(filmBytes);
    };
    const player = await startSitePlayer(network, {
      site: { timeoutFactor: 1000 },
    });
    await player.join({ baseUrl: cloud.address }, [key]);
    await vi.waitUntil(() => player.counts()?.players === 1, pollOptions);
    const strangers = await startSiteStrangers(network, key.id);
    strangers.announce([fake.id]);
    // The one before has arrived by then.
    strangers.announce([newPlayerId()]);
    await vi.waitUntil(() => strangers.connections() > 0, pollOptions);
    await player.syncAll();
    expect(fake.fileRequests).toHaveLength(1);
    expect(cloud.fileRequests("film")).toHaveLength(0);
  });
});
