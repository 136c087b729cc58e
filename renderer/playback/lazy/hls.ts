// Plays HLS in a media element; a separate chunk, loaded when the first stream is due.

import Hls, {
  ErrorDetails,
  ErrorTypes,
  Events,
  type ErrorData,
  type LoadPolicy,
} from "hls.js";

export interface OpenStream {
  /** True while no further data can be loaded: only what is buffered is left to play. */
  isFailing(): boolean;
  close(): void;
}

export interface StreamEar {
  /** The stream is lost and will not recover. */
  onLost(reason: string): void;
}

/** Interval at which a playing stream is requested again when the server no longer responds. */
const againMs = 1000;
/** A decoder that fails twice within this time will fail again. */
const recoveryMs = 5000;
/**
 * hls.js does not notify its worker when a stream ends, so the worker keeps that stream's data: each worker serves no more streams
 * than this.
 */
const streamsPerThread = 20;

let opened = 0;

const quick: LoadPolicy = {
  default: {
    maxTimeToFirstByteMs: 6000,
    maxLoadTimeMs: 10_000,
    timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 1, retryDelayMs: 500, maxRetryDelayMs: 500 },
  },
};

export function openStream(
  url: string,
  element: HTMLMediaElement,
  ear: StreamEar,
): OpenStream {
  const thread = Math.floor(opened++ / streamsPerThread);
  const hls = new Hls({
    // The worker is identified by its URL and ends with the last stream it serves.
    workerPath: new URL(`hls.worker.js?${thread}`, document.baseURI).href,
    // A sign shows the stream at its own size and never seeks back: nothing beyond that is buffered.
    capLevelToPlayerSize: true,
    maxBufferLength: 20,
    maxMaxBufferLength: 30,
    backBufferLength: 5,
    manifestLoadPolicy: quick,
    playlistLoadPolicy: quick,
  });
  let hasPlayed = false;
  let isFailing = false;
  let lastRecovery = -recoveryMs;
  let again: ReturnType<typeof setTimeout> | undefined;

  function heed(data: ErrorData): void {
    if (!data.fatal) return;
    if (data.type === ErrorTypes.MEDIA_ERROR && recover()) return;
    if (data.type === ErrorTypes.NETWORK_ERROR && hasPlayed) {
      isFailing = true;
      clearTimeout(again);
      again = setTimeout(() => hls.startLoad(), againMs);
      return;
    }
    ear.onLost(sentenceOf(data));
  }

  function recover(): boolean {
    const now = performance.now();
    if (!hasPlayed || now - lastRecovery < recoveryMs) return false;
    lastRecovery = now;
    hls.recoverMediaError();
    return true;
  }

  hls.on(Events.ERROR, (_event, data) => heed(data));
  hls.on(Events.FRAG_BUFFERED, () => {
    hasPlayed = true;
    isFailing = false;
  });
  hls.attachMedia(element);
  hls.loadSource(url);
  return {
    isFailing: () => isFailing,
    close: () => {
      clearTimeout(again);
      hls.destroy();
    },
  };
}

const undecodable = new Set<ErrorDetails>([
  ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR,
  ErrorDetails.BUFFER_ADD_CODEC_ERROR,
  ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR,
]);

function sentenceOf({ type, details, response }: ErrorData): string {
  if (details === ErrorDetails.MANIFEST_PARSING_ERROR)
    return "The response from this address is not an HLS stream.";
  if (details === ErrorDetails.LEVEL_EMPTY_ERROR)
    return "This stream is still empty.";
  if (undecodable.has(details) || type === ErrorTypes.MEDIA_ERROR)
    return "This stream cannot be decoded.";
  if (type === ErrorTypes.KEY_SYSTEM_ERROR)
    return "This stream is encrypted, and its key is not available.";
  const status = response?.code ?? 0;
  return status >= 400
    ? `The stream's server responded with status ${status}.`
    : "The stream's server could not be reached.";
}
