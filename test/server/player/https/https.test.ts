// The player's interface over HTTPS: who reaches it how, sign-in, and the certificate, generated or the operator's.

import { randomUUID, X509Certificate } from "node:crypto";
import { readFile, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
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

async function httpsOf({ plain, token }: SecurePlayer) {
  const headers = { Authorization: `Bearer ${token}` };
  const { body } = await rawRequest(`${plain}/api/v2/info`, { headers });
  return body.https as {
    fingerprint: string;
    expires: string;
    is_generated: boolean;
  } | null;
}

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
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    const Cookie = cookie.split(";")[0] ?? "";
    const state = await send("GET", { Cookie, Origin: secure });
    expect(state.body).toMatchObject({ is_signed_in: true });
    const plainOrigin = secure.replace("https:", "http:");
    const other = await send("GET", { Cookie, Origin: plainOrigin });
    expect(other.status).toBe(403);
  });

  it("[V2-787] a port that is taken is an error", async () => {
    const first = await startSecurePlayer();
    const port = Number(new URL(first.secure).port);
    await expect(
      startSecurePlayer({ https: { port, files: null } }),
    ).rejects.toThrow(`Port ${port} on 0.0.0.0 is already in use`);
  });
});

describe("a certificate of the operator", () => {
  it("[V2-788] is used, and followed when its files are replaced; the screen shows no fingerprint", async () => {
    const files = await certificateFiles();
    const player = await startSecurePlayer({ https: { port: 0, files } });
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

  it.each([
    ["cannot be read", "cannot be read", unlink],
    [
      "is none",
      "are not a certificate and its private key",
      (file: string) => writeFile(file, "-----BEGIN CERTIFICATE-----\n"),
    ],
  ])(
    "[V2-788] that %s leaves the player to this machine, which reports why and plays on",
    async (_what, reason, damage) => {
      const files = await certificateFiles();
      await damage(files.certFile);
      const player = await startSecurePlayer({ https: { port: 0, files } });
      expect(player.player.apiAddress).toBe(player.plain);
      expect(player.player.apiPorts()).toHaveLength(1);
      expect(await httpsOf(player)).toBeNull();
      expect(player.stage.visible()?.content.kind).toBe("card");
      const headers = { Authorization: `Bearer ${player.token}` };
      const activity = `${player.plain}/api/v2/activity`;
      const { body } = await rawRequest(activity, { headers });
      expect(JSON.stringify(body)).toContain(reason);
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
      ...{ fingerprint: fingerprint256, is_generated: true },
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

  it.each([
    ["its key is gone", (dir: string) => unlink(path.join(dir, "key.pem"))],
    [
      "it is damaged",
      (dir: string) => writeFile(path.join(dir, "certificate.pem"), "x"),
    ],
  ])("[V2-789] is replaced if %s", async (_what, damage) => {
    const first = await startSecurePlayer();
    const before = await fingerprintAt(first.secure);
    await first.player.stop();
    await damage(path.join(first.dataDir, "tls"));
    const { secure } = await startSecurePlayer({ dataDir: first.dataDir });
    expect(await fingerprintAt(secure)).not.toBe(before);
  });

  it("[V2-789] is replaced if the clock says that it is over", async () => {
    const first = await startSecurePlayer();
    const before = await fingerprintAt(first.secure);
    await first.player.stop();
    const clock = manualClock(Date.UTC(2037, 0, 1));
    const { secure } = await startSecurePlayer({
      ...{ dataDir: first.dataDir, clock },
    });
    expect(await fingerprintAt(secure)).not.toBe(before);
  });
});
