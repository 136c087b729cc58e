// The certificate that a player generates for itself: kept in its data folder, never in a backup (V2-789).

import { X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { domainToASCII } from "node:url";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { insist, replaceFile } from "../../platform/files/replace-file.ts";
import {
  isLoopback,
  localNames,
  networkAddresses,
} from "../../platform/http/machine-addresses.ts";
import {
  CertificateError,
  faultOf,
  type TlsPair,
} from "../../platform/http/tls-files.ts";
import { systemCode } from "../../platform/outside-error.ts";

const yearMs = 365 * 86_400_000;
/** A browser that trusts it asks again when it changes, so it outlives most PCs. */
const validMs = 10 * yearMs;
/** A PC whose clock is wrong must not generate one that others find not valid yet, or no longer valid. */
const validFrom = Date.UTC(2020, 0, 1);
const generatedAfter = Date.UTC(2026, 0, 1);

export interface GeneratedCertificateOptions {
  readonly dataDir: string;
  /** The address or name that the interface listens on. */
  readonly apiHost: string;
  readonly now: number;
  /** The disk rejects it: the next start generates another one. */
  readonly onNotStored: (error: unknown) => void;
}

/**
 * The one in the data folder; a new one if there is none, or if that one is damaged or has expired. Throws a CertificateError if that
 * one can't be read.
 */
export async function generatedCertificate(
  options: GeneratedCertificateOptions,
): Promise<TlsPair> {
  const { dataDir, apiHost, now, onNotStored } = options;
  const dir = path.join(dataDir, "tls");
  const certFile = path.join(dir, "certificate.pem");
  const keyFile = path.join(dir, "key.pem");
  const kept = { cert: await textOf(certFile), key: await textOf(keyFile) };
  if (faultOf(kept) === null && !hasExpired(kept, now)) return kept;
  const generated = await generateCertificate(apiHost, now);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // A certificate without its key is replaced at the next start.
    await replaceFile(keyFile, generated.key);
    await replaceFile(certFile, generated.cert);
  } catch (error) {
    onNotStored(error);
  }
  return generated;
}

/** Empty where there is no such file. */
async function textOf(file: string): Promise<string> {
  try {
    return await insist(() => readFile(file, "utf8"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw new CertificateError(
      composeSentence(playerSentences["certificate-unreadable"], { file }),
      error,
    );
  }
}

/** A clock that is slow proves nothing. */
function hasExpired({ cert }: TlsPair, now: number): boolean {
  return Date.parse(new X509Certificate(cert).validTo) <= now;
}

async function generateCertificate(
  apiHost: string,
  now: number,
): Promise<TlsPair> {
  // Imported only now: most players never generate one.
  const { generate } = await import("selfsigned");
  const addresses = networkAddresses().map(({ address }) => address);
  const names = ["localhost", ...localNames()];
  if (isIP(apiHost) === 0) names.push(apiHost.toLowerCase());
  else if (!isLoopback(apiHost) && !/^[0.:]+$/.test(apiHost))
    addresses.push(apiHost);
  const { cert, private: key } = await generate(
    [{ name: "commonName", value: "Vitrine player" }],
    {
      ...{ keyType: "ec", curve: "P-256", algorithm: "sha256" },
      notBeforeDate: new Date(validFrom),
      notAfterDate: new Date(Math.max(now, generatedAfter) + validMs),
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, critical: true },
        { name: "extKeyUsage", serverAuth: true },
        {
          name: "subjectAltName",
          altNames: [
            ...asciiNames(names).map((value) => ({
              ...{ type: 2 as const, value },
            })),
            ...[...new Set(["127.0.0.1", ...addresses])].map((ip) => ({
              ...{ type: 7 as const, ip },
            })),
          ],
        },
      ],
    },
  );
  return { cert, key };
}

/** A browser rejects a certificate with any other name as a whole. */
function asciiNames(names: readonly string[]): readonly string[] {
  const ascii = names.map((name) => domainToASCII(name));
  return [...new Set(ascii)].filter((name) => /^[a-z0-9._-]+$/.test(name));
}
