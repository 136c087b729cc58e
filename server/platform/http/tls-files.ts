// Certificate and private key of an HTTPS server: read from PEM files, checked, and followed when they are replaced.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { insist } from "../files/replace-file.ts";

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Both as PEM; the certificate with its chain. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export class CertificateError extends Error {
  constructor(message: string, cause?: unknown) {
    const why = cause instanceof Error ? ` (${cause.message})` : "";
    super(`${message}${why}`, { cause });
    this.name = "CertificateError";
  }
}

/** Throws a CertificateError if a file can't be read, or if they aren't a certificate and its key. */
export async function readTlsFiles({
  certFile,
  keyFile,
}: TlsFiles): Promise<TlsPair> {
  const pair = { cert: await read(certFile), key: await read(keyFile) };
  const fault = faultOf(pair);
  if (fault === null) return pair;
  const { message, cause } = fault;
  throw new CertificateError(`${certFile}, ${keyFile}: ${message}`, cause);
}

async function read(file: string): Promise<string> {
  try {
    return await insist(() => readFile(file, "utf8"));
  } catch (error) {
    throw new CertificateError(`The file ${file} cannot be read.`, error);
  }
}

/** Why a server can't use them; null if it can. */
export function faultOf({ cert, key }: TlsPair): CertificateError | null {
  try {
    // Without one of them, a server would start all the same, and fail at each connection.
    const isPair = new X509Certificate(cert).checkPrivateKey(
      createPrivateKey(key),
    );
    if (!isPair)
      return new CertificateError(
        "The certificate and the private key do not match.",
      );
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    return new CertificateError(
      "The certificate and its unencrypted private key must be in PEM format.",
      error,
    );
  }
}

/** A certificate is replaced weeks before it expires. */
const defaultIntervalMs = 10 * 60_000;

export interface FollowTlsFilesOptions {
  readonly files: TlsFiles;
  /** In use now. */
  readonly pair: TlsPair;
  readonly clock: { after(ms: number, callback: () => void): () => void };
  readonly intervalMs?: number | undefined;
  readonly onReplaced: (pair: TlsPair) => void;
  /** Once for each reason: the pair in use stays. */
  readonly onRejected: (reason: string) => void;
}

/** Reads the files again every ten minutes, or at another interval, until the returned function is called. */
export function followTlsFiles(options: FollowTlsFilesOptions): () => void {
  const { files, clock, onReplaced, onRejected } = options;
  const { intervalMs = defaultIntervalMs } = options;
  let { pair } = options;
  let rejected: string | null = null;
  let isStopped = false;
  let cancel = clock.after(intervalMs, check);

  async function readAgain(): Promise<void> {
    try {
      const next = await readTlsFiles(files);
      if (isStopped) return;
      rejected = null;
      if (next.cert === pair.cert && next.key === pair.key) return;
      onReplaced(next);
      pair = next;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isStopped && reason !== rejected) onRejected(reason);
      rejected = reason;
    }
  }

  function check(): void {
    readAgain()
      .finally(() => {
        if (!isStopped) cancel = clock.after(intervalMs, check);
      })
      .catch(() => undefined);
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
