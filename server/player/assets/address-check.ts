// Checks what an address is, and whether it can be reached.

import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { fieldFailure } from "../../core/failure.ts";
import { plainAddressOf } from "../../platform/remote-address.ts";
import {
  requestHttp,
  reasonOfConnection,
  type HttpRequestOptions,
} from "../../platform/http/client.ts";
import {
  tokenOfUri,
  type AssetDraft,
  type Library,
} from "../library/library.ts";
import type { SettingsStore } from "../settings.ts";

/** For the whole check, name lookup and redirects included. */
const deadlineMs = 10_000;

export interface InspectOptions {
  readonly library: Library;
  readonly settings: SettingsStore;
}

/** Throws `invalid` on `uri` unless it is a waiting upload or an address this player can show (V2-15, V2-17). */
export async function assertUsable(
  { uri, extras }: Pick<AssetDraft, "uri" | "extras">,
  skipCheck: boolean,
  { library, settings }: InspectOptions,
): Promise<void> {
  const token = tokenOfUri(uri);
  if (token !== null) {
    if (library.waitingUpload(token) !== null) return;
    throw fieldFailure("uri", playerSentences["upload-token-unknown"]);
  }
  const address = plainAddressOf(uri);
  if (!address) throw fieldFailure("uri", playerSentences["address-kind"]);
  if (skipCheck || address.protocol === "rtsp:") return;
  await assertReachable(address, {
    verifyTls: settings.all().verifySsl && !extras?.isCertificateSkipped,
    // A page that requires identification is requested with the headers it will be shown with (V2-100).
    originHeaders: extras?.headers ?? {},
  });
}

async function assertReachable(
  address: URL,
  requestOptions: Pick<HttpRequestOptions, "verifyTls" | "originHeaders">,
): Promise<void> {
  const signal = AbortSignal.timeout(deadlineMs);
  const tryMethod = async (method: "HEAD" | "GET"): Promise<string | null> => {
    try {
      const { status, body } = await requestHttp(address, {
        ...{ ...requestOptions, method, signal, silenceMs: deadlineMs },
      });
      body.destroy();
      return status < 400
        ? null
        : composeSentence(generalSentences["server-status"], { status });
    } catch (error) {
      return reasonOfConnection(error);
    }
  };
  const refusal = await tryMethod("HEAD");
  // Some servers support only GET.
  const reason = refusal === null ? null : await tryMethod("GET");
  if (reason !== null)
    throw fieldFailure(
      "uri",
      composeSentence(playerSentences["address-unreachable"], { reason }),
    );
}
