// The player's interface over HTTPS: who reaches it how, sign-in, and the certificate, generated or the operator's.

import { generateKeyPairSync, randomUUID, X509Certificate } from "node:crypto";
import { readFile, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { InfoV2 } from "../../../../server/contract/v2/v2-monitoring.ts";
import { createLog } from "../../../../server/platform/log.ts";
import type { PlayerOptions } from "../../../../server/player/player.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  fingerprintAt,
  testCertificate,
  testKey,
} from "../../../support/http/certificate.ts";
import { rawRequest } from "../../../support/http/raw-request.ts";
import { hasModes } from "../../../support/file-modes.ts";
import { manualClock } from "../../../support/clock.ts";
import { membersOf } from "../../../support/player/archives.ts";
import { makeToken } from "../../../support/player/create-token.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

interface SecurePlayer extends RunningPlayer {
  readonly token: string;
  /** By which other devices reach it, with an address of this machine. */
  readonly secure: string;
  /** By which only programs on this machine reach it. */
  readonly plain: string;
}

/** Listening on every address of this machine by HTTPS. */
async function startSecurePlayer(
  options: Partial<PlayerOptions> = {},
): Promise<SecurePlayer> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const token = makeToken(dataDir, randomUUID());
  const running = await startPlayer({
    ...{ apiHost: "0.0.0.0", https: { port: 0, files: null } },
    ...{ ...options, dataDir },
  });
  const [plainPort, securePort] = running.player.apiPorts();
  const plain = `http://127.0.0.1:${plainPort}`;
  return {
    ...running,
    token,
    plain,
    secure: `https://127.0.0.1:${securePort}`,
  };
}

function idleScreenOn(stage: RunningPlayer["stage"]) {
  const content = stage.visible()?.content;
  return content?.kind === "card" ? content.idleScreen : null;
}

/** As a program on this machine reads it. */
async function read(player: SecurePlayer, path: string): Promise<any> {
  const headers = { Authorization: `Bearer ${player.token}` };
  return (await rawRequest(`${player.plain}/api/v2${path}`, { headers })).body;
}

const httpsOf = async (player: SecurePlayer): Promise<unknown> =>
  ((await read(player, "/info")) as InfoV2).https;

const activityOf = (player: SecurePlayer): Promise<unknown> =>
  read(player, "/activity");

/** The test certificate as files of the operator. */
async function certificateFiles(cert = testCertificate) {
  const dir = await temporaryFolder();
  const certFile = path.join(dir, "cert.pem");
  const keyFile = path.join(dir, "key.pem");
  await writeFile(certFile, cert);
  await writeFile(keyFile, testKey);
  return { certFile, keyFile };
}

const otherCertificate = (dataDir: string): Promise<string> =>
  readFile(path.join(dataDir, "tls", "certificate.pem"), "utf8");

describe("HTTPS", () => {
  it("[V2-787] is how other devices reach the player; HTTP is for this machine only, with the same credentials", async () => {
    const player = await startSecurePlayer();
    const { secure, plain, token } = player;
    expect(player.player.apiAddress).toMatch(/^https:/);
    const headers = { Authorization: `Bearer ${token}` };
    for (const address of [secure, plain]) {
      const info = `${address}/api/v2/info`;
      expect((await rawRequest(info)).status).toBe(401);
      expect((await rawRequest(info, { headers })).status).toBe(200);
    }
    // Another address of this machine, as another device would use one.
    const elsewhere = (address: string): string =>
      `${address.replace("127.0.0.1", "127.0.0.2")}/api/v2/info`;
    expect((await rawRequest(elsewhere(secure), { headers })).status).toBe(200);
    await expect(rawRequest(elsewhere(plain), { headers })).rejects.toThrow();
    await expect(
      rawRequest(`${secure.replace("https", "http")}/api/v2/info`),
    ).rejects.toThrow();
  });

  it("[V2-787] leaves the player's own operations as they are", async () => {
    const { player } = await startSecurePlayer();
    const outcome = await player.operate({ operation: "readInfo" });
    expect(outcome).toMatchObject({ isDone: true });
  });

  it("[V2-773] [V2-775] a browser signs in with a cookie that is sent by HTTPS only; pages of the HTTP address are another site", async () => {
    const { secure, token } = await startSecurePlayer();
    const send = (method: string, headers: Record<string, string>) =>
      rawRequest(`${secure}/api/v2/session`, {
        method,
        headers: {
          ...{ "X-Vitrine-Manager": "1", "Content-Type": "application/json" },
          ...headers,
        },
        ...(method === "POST" && { body: JSON.stringify({ token }) }),
      });
    const signedIn = await send("POST", { Origin: secure });
    expect(signedIn.status).toBe(200);
    const cookie = [signedIn.headers["set-cookie"]].flat().join();
    expect(cookie).toMatch(/^__Host-vitrine_session_/);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    const Cookie = cookie.split(";")[0] ?? "";
    const state = await send("GET", { Cookie, Origin: secure });
    expect(state.body).toMatchObject({ is_signed_in: true });
    const plainOrigin = secure.replace("https:", "http:");
    const other = await send("GET", { Cookie, Origin: plainOrigin });
    expect(other.status).toBe(403);
  });

  it("[V2-787] a port that is taken keeps the player to this machine, until it is free", async () => {
    const first = await startSecurePlayer();
    const port = Number(new URL(first.secure).port);
    const second = await startSecurePlayer({ https: { port, files: null } });
    expect(second.player.apiAddress).toBe(second.plain);
    expect(second.player.apiPorts()).toContain(port);
    const problem = `Port ${port} on 0.0.0.0 is already in use by another program.`;
    expect(await httpsOf(second)).toMatchObject({ problem });
    expect(JSON.stringify(await activityOf(second))).toContain(problem);
    await first.player.stop();
    // Another process may be given the port for a moment.
    await vi.waitFor(async () => {
      await second.clock.advance(30_000);
      expect(second.player.apiAddress).toMatch(/^https:/);
    });
    expect(await httpsOf(second)).toMatchObject({ problem: null });
  });
});

describe("a certificate of the operator", () => {
  it("[V2-788] is used, and followed when its files are replaced; the screen shows no fingerprint", async () => {
    const files = await certificateFiles();
    const logged: string[] = [];
    const log = createLog({ toStandardOutput: false });
    const player = await startSecurePlayer({
      https: { port: 0, files },
      log: { ...log, error: (event) => void logged.push(event) },
    });
    const { secure, clock, stage } = player;
    const { fingerprint256 } = new X509Certificate(testCertificate);
    expect(await fingerprintAt(secure)).toBe(fingerprint256);
    expect(await httpsOf(player)).toMatchObject({
      ...{ fingerprint: fingerprint256, is_generated: false },
    });
    expect(idleScreenOn(stage)?.fingerprint).toBeNull();

    const other = await startSecurePlayer();
    const next = await otherCertificate(other.dataDir);
    // The key comes later: until then they don't belong together.
    await writeFile(files.certFile, next);
    await clock.advance(600_000);
    const rejected = "https.certificate-rejected";
    await vi.waitFor(() => expect(logged).toContain(rejected));
    expect(await fingerprintAt(secure)).toBe(fingerprint256);
    const nextKey = path.join(other.dataDir, "tls", "key.pem");
    await writeFile(files.keyFile, await readFile(nextKey));
    await vi.waitFor(async () => {
      await clock.advance(600_000);
      const expected = new X509Certificate(next).fingerprint256;
      expect(await fingerprintAt(secure)).toBe(expected);
    });
    expect(await httpsOf(player)).toMatchObject({ is_generated: false });
  });

  it.each<[string, string, (file: string, key: string) => Promise<void>]>([
    ["cannot be read", "cannot be read", unlink],
    ["is empty", "must be in PEM format", (file) => writeFile(file, "")],
    [
      "has an empty key",
      "must be in PEM format",
      (_file, key) => writeFile(key, ""),
    ],
    [
      "has another key",
      "do not match",
      async (_file, key) => {
        const { privateKey } = generateKeyPairSync("ec", {
          namedCurve: "P-256",
        });
        const type = { type: "pkcs8", format: "pem" } as const;
        await writeFile(key, privateKey.export(type));
      },
    ],
  ])(
    "[V2-788] that %s leaves the player to this machine, which plays on, says why, and uses the certificate once it can",
    async (_what, reason, damage) => {
      const files = await certificateFiles();
      await damage(files.certFile, files.keyFile);
      const player = await startSecurePlayer({ https: { port: 0, files } });
      expect(player.player.apiAddress).toBe(player.plain);
      expect(await httpsOf(player)).toMatchObject({
        ...{ fingerprint: null, expires: null, is_generated: null },
        problem: expect.stringContaining(reason) as unknown,
      });
      expect(player.stage.visible()?.content.kind).toBe("card");
      expect(JSON.stringify(await activityOf(player))).toContain(reason);
      await writeFile(files.certFile, testCertificate);
      await writeFile(files.keyFile, testKey);
      await player.clock.advance(30_000);
      await vi.waitFor(() =>
        expect(player.player.apiAddress).toMatch(/^https:/),
      );
      expect(await httpsOf(player)).toMatchObject({
        ...{ is_generated: false, problem: null },
      });
      await vi.waitFor(() =>
        expect(idleScreenOn(player.stage)?.apiAddress).toMatch(/^https:/),
      );
    },
  );
});

describe("a generated certificate", () => {
  it("[V2-789] is for this machine's names, stays the same, and its fingerprint is on the idle screen", async () => {
    const player = await startSecurePlayer();
    const { dataDir, secure, stage } = player;
    const cert = await otherCertificate(dataDir);
    const { fingerprint256, subjectAltName } = new X509Certificate(cert);
    expect(subjectAltName).toContain("DNS:localhost");
    expect(await fingerprintAt(secure)).toBe(fingerprint256);
    expect(await httpsOf(player)).toEqual({
      ...{ fingerprint: fingerprint256, is_generated: true, problem: null },
      expires: expect.stringMatching(/^2035-/) as unknown,
    });
    const { codeAddress, fingerprint } = idleScreenOn(stage) ?? {};
    // A machine without a network has no address that another device could open.
    expect(fingerprint).toBe(codeAddress ? fingerprint256 : null);
    await player.player.stop();
    const again = await startSecurePlayer({ dataDir });
    expect(await fingerprintAt(again.secure)).toBe(fingerprint256);
  });

  it.runIf(hasModes)("[V2-789] can be read by its owner only", async () => {
    const { dataDir } = await startSecurePlayer();
    const key = path.join(dataDir, "tls", "key.pem");
    expect((await stat(key)).mode & 0o077).toBe(0);
  });

  it("[V2-789] is in no backup and no support bundle", async () => {
    const { dataDir, player } = await startSecurePlayer();
    const backup = await player.operate({ operation: "makeBackup" });
    const name = backup.isDone ? String(backup.answer) : "";
    const archives = [
      await readFile(path.join(dataDir, "backups", name)),
      Buffer.from(await player.supportBundle([])),
    ];
    for (const archive of archives) {
      const members = membersOf(archive);
      expect(members.length).toBeGreaterThan(0);
      const found = members.filter(({ content }) =>
        String(content).includes("PRIVATE KEY"),
      );
      expect(found).toEqual([]);
    }
  });

  it.each<[string, (dir: string) => Promise<void>]>([
    ["its key is gone", (dir) => unlink(path.join(dir, "key.pem"))],
    ["its key is empty", (dir) => writeFile(path.join(dir, "key.pem"), "")],
    ["it is empty", (dir) => writeFile(path.join(dir, "certificate.pem"), "")],
    [
      "it is damaged",
      (dir) => writeFile(path.join(dir, "certificate.pem"), "x"),
    ],
  ])("[V2-789] is replaced if %s", async (_what, damage) => {
    const first = await startSecurePlayer();
    const before = await fingerprintAt(first.secure);
    await first.player.stop();
    await damage(path.join(first.dataDir, "tls"));
    const { secure } = await startSecurePlayer({ dataDir: first.dataDir });
    expect(await fingerprintAt(secure)).not.toBe(before);
  });

  it("[V2-789] is replaced once it has expired, and not because a clock is slow", async () => {
    const first = await startSecurePlayer();
    const before = await fingerprintAt(first.secure);
    await first.player.stop();
    const { dataDir } = first;
    const slow = await startSecurePlayer({ dataDir, clock: manualClock(0) });
    expect(await fingerprintAt(slow.secure)).toBe(before);
    await slow.player.stop();
    const clock = manualClock(Date.UTC(2037, 0, 1));
    const { secure } = await startSecurePlayer({ dataDir, clock });
    expect(await fingerprintAt(secure)).not.toBe(before);
  });

  it("[V2-789] that a PC with a slow clock generates is valid all the same", async () => {
    const { dataDir } = await startSecurePlayer({ clock: manualClock(0) });
    const cert = new X509Certificate(await otherCertificate(dataDir));
    expect(Date.parse(cert.validFrom)).toBeLessThan(Date.UTC(2021, 0, 1));
    expect(Date.parse(cert.validTo)).toBeGreaterThan(Date.UTC(2035, 0, 1));
  });
});
