// The player's interface over HTTPS: its certificate, and the server that other devices reach it by (V2-787 to V2-789).

import { X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import { baseAddress } from "../../platform/http/machine-addresses.ts";
import {
  startHttpServer,
  type HttpServerOptions,
} from "../../platform/http/server.ts";
import {
  followTlsFiles,
  readTlsFiles,
  type TlsFiles,
  type TlsPair,
} from "../../platform/http/tls-files.ts";
import type { Log } from "../../platform/log.ts";
import { generatedCertificate } from "./generated-certificate.ts";

export interface HttpsOptions {
  /** 0 selects a free one. */
  readonly port: number;
  /** Of the operator; null for a certificate that the player generates. */
  readonly files: TlsFiles | null;
}

export interface CertificateInUse {
  /** SHA-256, in upper case with colons, as browsers show it. */
  readonly fingerprint: string;
  /** In wall-clock milliseconds. */
  readonly validUntil: number;
  /** By the player: nobody vouches for it, so people compare its fingerprint. */
  readonly isGenerated: boolean;
}

export interface HttpsInterface {
  /** e.g. `https://192.0.2.7:8443` */
  readonly address: string;
  readonly port: number;
  readonly certificate: () => CertificateInUse;
  stop(graceMs: number): Promise<void>;
}

export interface HttpsInterfaceOptions extends Pick<
  HttpServerOptions,
  "host" | "refusal" | "requestScheduler" | "onPortTaken"
> {
  readonly https: HttpsOptions;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onUnusable: (reason: string) => void;
}

/** Null when there is no certificate to use. Throws an OutsideError `address-in-use`, as `startHttpServer` does. */
export async function openHttps(
  listener: RequestListener,
  options: HttpsInterfaceOptions,
): Promise<HttpsInterface | null> {
  const { https, dataDir, clock, log, onUnusable, ...serverOptions } = options;
  const { files, port } = https;
  let pair: TlsPair;
  try {
    pair = await (files
      ? readTlsFiles(files)
      : generatedCertificate({
          ...{ dataDir, now: clock.now() },
          onNotStored: (error) =>
            log.error("https.certificate-not-stored", { error }),
        }));
  } catch (error) {
    log.error("https.no-certificate", { error });
    onUnusable(error instanceof Error ? error.message : String(error));
    return null;
  }
  const server = await startHttpServer(listener, {
    ...{ ...serverOptions, port, tls: pair },
  });
  let certificate = viewOf(pair, files === null);
  const stopFollowing = files
    ? followTlsFiles({
        ...{ files, pair, clock },
        onReplaced: (next) => {
          server.replaceCertificate(next);
          certificate = viewOf(next, false);
          log.info("https.certificate-replaced");
        },
        onRejected: (reason) =>
          log.error("https.certificate-rejected", { reason }),
      })
    : () => undefined;
  return {
    address: baseAddress(server.host, server.port, "https"),
    port: server.port,
    certificate: () => certificate,
    stop: (graceMs) => {
      stopFollowing();
      return server.stop(graceMs);
    },
  };
}

function viewOf({ cert }: TlsPair, isGenerated: boolean): CertificateInUse {
  const { fingerprint256, validTo } = new X509Certificate(cert);
  return {
    ...{
      fingerprint: fingerprint256,
      validUntil: Date.parse(validTo),
      isGenerated,
    },
  };
}
