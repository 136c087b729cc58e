// The certificate that a player generates for itself: kept in its data folder, never in a backup (V2-789).

import { X509Certificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  localNames,
  networkAddresses,
} from "../../platform/http/machine-addresses.ts";
import { readTlsFiles, type TlsPair } from "../../platform/http/tls-files.ts";
import { replaceFile } from "../../platform/files/replace-file.ts";

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
/** A browser that trusts it asks again when it changes, so it outlives most PCs. */
const validMs = 10 * yearMs;

export interface GeneratedCertificateOptions {
  readonly dataDir: string;
  readonly now: number;
  /** The disk rejects it: the next start generates another one. */
  readonly onNotStored: (error: unknown) => void;
}

/** The one in the data folder; a new one if there is none, or if that one is damaged or not valid at this moment. */
export async function generatedCertificate({
  dataDir,
  now,
  onNotStored,
}: GeneratedCertificateOptions): Promise<TlsPair> {
  const dir = path.join(dataDir, "tls");
  const files = {
    certFile: path.join(dir, "certificate.pem"),
    keyFile: path.join(dir, "key.pem"),
  };
  const kept = await readTlsFiles(files).catch(() => null);
  if (kept !== null && isValidAt(kept, now)) return kept;
  const generated = await generateCertificate(now);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // A certificate without its key is replaced at the next start.
    await replaceFile(files.keyFile, generated.key);
    await replaceFile(files.certFile, generated.cert);
  } catch (error) {
    onNotStored(error);
  }
  return generated;
}

function isValidAt({ cert }: TlsPair, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  return Date.parse(validFrom) <= now && now < Date.parse(validTo);
}

async function generateCertificate(now: number): Promise<TlsPair> {
  // Imported only now: most players never generate one.
  const { generate } = await import("selfsigned");
  const { cert, private: key } = await generate(
    [{ name: "commonName", value: "Vitrine player" }],
    {
      ...{ keyType: "ec", curve: "P-256", algorithm: "sha256" },
      // A device whose clock is slow must not find it invalid.
      notBeforeDate: new Date(now - dayMs),
      notAfterDate: new Date(now + validMs),
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, critical: true },
        { name: "extKeyUsage", serverAuth: true },
        {
          name: "subjectAltName",
          altNames: [
            ...["localhost", ...localNames()].map((value) => ({
              ...{ type: 2 as const, value },
            })),
            ...[
              "127.0.0.1",
              ...networkAddresses().map((one) => one.address),
            ].map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    },
  );
  return { cert, key };
}
