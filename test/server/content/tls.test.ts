// The service on a network: with a certificate of its own, or behind a proxy that has one.

import { X509Certificate } from "node:crypto";
import { request as requestTls } from "node:https";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { generatedCertificate } from "../../../server/player/https/generated-certificate.ts";
import {
  fingerprintAt,
  testCertificate,
  testKey,
} from "../../support/http/certificate.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { png } from "../../support/media/media.ts";
import {
  clientAt,
  contentKey,
  startContent,
  type Row,
} from "../../support/content/start-content.ts";

interface Answer {
  readonly status: number;
  readonly text: string;
}

function request(url: string): Promise<Answer> {
  const headers = { Authorization: contentKey };
  return new Promise((resolve, reject) => {
    requestTls(url, { ca: testCertificate, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, text }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("the service on a network", () => {
  it("[V4-201] accepts TLS alone when it has a certificate", async () => {
    const dataDir = await temporaryFolder();
    const tlsCert = path.join(dataDir, "cert.pem");
    const tlsKey = path.join(dataDir, "key.pem");
    await writeFile(tlsCert, testCertificate);
    await writeFile(tlsKey, testKey);
    const content = await startContent(dataDir, { tlsCert, tlsKey });
    expect(content.address).toMatch(/^https:/);
    expect(await request(`${content.address}/v4/assets`)).toEqual({
      ...{ status: 200, text: "[]" },
    });
    const plain = content.address.replace("https:", "http:");
    await expect(fetch(`${plain}/health`)).rejects.toThrow();
  });

  it("[V4-358] uses a replaced certificate without a restart, and the previous one while the files don't belong together", async () => {
    const dataDir = await temporaryFolder();
    const tlsCert = path.join(dataDir, "cert.pem");
    const tlsKey = path.join(dataDir, "key.pem");
    await writeFile(tlsCert, testCertificate);
    await writeFile(tlsKey, testKey);
    const logged: string[] = [];
    const log = createLog({ toStandardOutput: false });
    const { address } = await startContent(dataDir, {
      ...{ tlsCert, tlsKey, certificateCheckMs: 10 },
      log: { ...log, error: (event) => void logged.push(event) },
    });
    const before = await fingerprintAt(address);
    const next = await generatedCertificate({
      ...{ dataDir, apiHost: "127.0.0.1", now: Date.now() },
      onNotStored: (error) => expect(error).toBeUndefined(),
    });
    await writeFile(tlsCert, next.cert);
    const rejected = "content.certificate-rejected";
    await vi.waitFor(() => expect(logged).toContain(rejected));
    expect(await fingerprintAt(address)).toBe(before);
    await writeFile(tlsKey, next.key);
    await vi.waitFor(async () => {
      const { fingerprint256 } = new X509Certificate(next.cert);
      expect(await fingerprintAt(address)).toBe(fingerprint256);
    });
  });

  it("[V4-201] names a certificate that cannot be read", async () => {
    const dataDir = await temporaryFolder();
    const missing = path.join(dataDir, "missing.pem");
    await expect(
      startContent(dataDir, { tlsCert: missing, tlsKey: missing }),
    ).rejects.toThrow(`The file ${missing} cannot be read.`);
  });

  it("[V4-201] [V4-230] trusts a stated proxy for the address that clients know", async () => {
    const dataDir = await temporaryFolder();
    const open = { host: "0.0.0.0", behindProxy: true };
    const content = await startContent(dataDir, open);
    const local = clientAt(`http://127.0.0.1:${new URL(content.address).port}`);
    const uploaded = await local.upload(png([1, 1, 1]), { title: "a" });
    const [{ id } = { id: "" }] = (await uploaded.json()) as Row[];
    const headers = {
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "content.example",
    };
    const url = await vi.waitUntil(
      async () => {
        const answer = await local.request(`/v4/assets?id=eq.${id}`, {
          headers,
        });
        const [row] = (await answer.json()) as Row[];
        return String(row?.["asset_url"]);
      },
      { interval: 20 },
    );
    expect(url).toMatch(new RegExp(`^https://content\\.example/files/${id}`));
    // Its metrics require a key, as it is not limited to its machine.
    expect((await fetch(`${local.address}/metrics`)).status).toBe(401);
    expect((await local.request("/metrics")).status).toBe(200);
    expect((await fetch(`${local.address}/health`)).status).toBe(200);
  });
});
