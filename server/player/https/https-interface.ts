// The player's interface over HTTPS: its certificate, and the server by which other devices reach it (V2-787 to V2-789).

import { X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import type { Clock } from "../../platform/clock.ts";
import { baseAddress } from "../../platform/http/machine-addresses.ts";
import {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "../../platform/http/server.ts";
import {
  followTlsFiles,
  readTlsFiles,
  type TlsFiles,
  type TlsPair,
} from "../../platform/http/tls-files.ts";
import type { Log } from "../../platform/log.ts";
import { systemCode } from "../../platform/outside-error.ts";
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

export interface HttpsState {
  /** The certificate in use; null while HTTPS can't be used. */
  readonly certificate: CertificateInUse | null;
  /** Why it can't be used; null while it can. */
  readonly problem: string | null;
}

export interface HttpsInterface {
  readonly state: () => HttpsState;
  /** e.g. `https://192.0.2.7:8443`; null while it can't be used. */
  readonly address: () => string | null;
  /** On which it listens, or tries to; null for any free one. */
  readonly port: () => number | null;
  stop(graceMs: number): Promise<void>;
}

export interface HttpsInterfaceOptions extends Pick<
  HttpServerOptions,
  "host" | "refusal" | "requestScheduler"
> {
  readonly https: HttpsOptions;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Once for each reason. */
  readonly onProblem: (reason: string) => void;
  /** It can be used now, and could not before. */
  readonly onOpened: () => void;
}

/** How often a certificate or a port that can't be used is tried again. */
const retryMs = 30_000;

interface Open {
  readonly server: HttpServer;
  certificate: CertificateInUse;
  readonly stopFollowing: () => void;
}

/** Resolves after the first attempt; what fails then is tried again until it succeeds. */
export async function startHttps(
  listener: RequestListener,
  options: HttpsInterfaceOptions,
): Promise<HttpsInterface> {
  const { https, clock, log, onProblem, onOpened } = options;
  let open: Open | null = null;
  let problem: string | null = null;
  let isStopped = false;
  let cancelRetry = (): void => undefined;
  /** One that the disk does not accept lasts as long as this run. */
  let unstored: TlsPair | null = null;

  async function pairToUse(): Promise<TlsPair> {
    if (https.files) return readTlsFiles(https.files);
    if (unstored) return unstored;
    let isStored = true;
    const pair = await generatedCertificate({
      ...{ dataDir: options.dataDir, apiHost: options.host, now: clock.now() },
      onNotStored: (error) => {
        isStored = false;
        log.error("https.certificate-not-stored", { error });
      },
    });
    if (!isStored) unstored = pair;
    return pair;
  }

  async function attempt(): Promise<void> {
    try {
      open = await openHttps(listener, await pairToUse(), options);
      problem = null;
    } catch (error) {
      const reason = reasonOf(error, options);
      if (reason !== problem) {
        log.error("https.not-open", { reason, error });
        problem = reason;
        onProblem(reason);
      }
      if (!isStopped) cancelRetry = clock.after(retryMs, retry);
    }
  }

  let attempting = attempt();
  function retry(): void {
    attempting = attempt().then(async () => {
      if (!open) return;
      if (!isStopped) return onOpened();
      open.stopFollowing();
      await open.server.stop(0);
    });
    attempting.catch((error: unknown) =>
      log.error("player.internal-error", { error }),
    );
  }

  await attempting;
  return {
    state: () => ({ certificate: open?.certificate ?? null, problem }),
    address: () =>
      open && baseAddress(open.server.host, open.server.port, "https"),
    port: () => open?.server.port ?? (https.port === 0 ? null : https.port),
    stop: async (graceMs) => {
      isStopped = true;
      cancelRetry();
      open?.stopFollowing();
      await Promise.all([attempting, open?.server.stop(graceMs)]);
    },
  };
}

/** Throws what listening throws. */
async function openHttps(
  listener: RequestListener,
  pair: TlsPair,
  options: HttpsInterfaceOptions,
): Promise<Open> {
  const { https, clock, log, host, refusal, requestScheduler } = options;
  const { files, port } = https;
  const certificate = viewOf(pair, files === null);
  const server = await startHttpServer(listener, {
    ...{ host, port, refusal, requestScheduler, tls: pair },
  });
  const open: Open = {
    ...{ server, certificate },
    stopFollowing: files
      ? followTlsFiles({
          ...{ files, pair, clock },
          onReplaced: (next) => {
            const nextCertificate = viewOf(next, false);
            server.replaceCertificate(next);
            open.certificate = nextCertificate;
            log.info("https.certificate-replaced");
          },
          onRejected: (reason) =>
            log.error("https.certificate-rejected", { reason }),
        })
      : () => undefined,
  };
  return open;
}

function viewOf({ cert }: TlsPair, isGenerated: boolean): CertificateInUse {
  const { fingerprint256, validTo } = new X509Certificate(cert);
  return {
    fingerprint: fingerprint256,
    validUntil: Date.parse(validTo),
    isGenerated,
  };
}

function reasonOf(
  error: unknown,
  { host, https: { port } }: HttpsInterfaceOptions,
): string {
  if (systemCode(error) === "EACCES" && port > 0 && port < 1024)
    return composeSentence(playerSentences["port-rights"], { port });
  if (systemCode(error) === "EADDRNOTAVAIL")
    return composeSentence(playerSentences["address-absent"], { host });
  return error instanceof Error ? error.message : String(error);
}
