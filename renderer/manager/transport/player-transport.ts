// What a transport of the manager provides: the only way to the player's data, described in the architecture guide.

import type {
  ManagerAnswers,
  SentFile,
} from "../../../server/contract/ipc/ipc.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../../server/contract/v2/operations/operation-client.ts";
import type { PlayerEventV2 } from "../../../server/contract/v2/v2-monitoring.ts";

export type Screenshot = ManagerAnswers["takeScreenshot"];

/** How many of the bytes have arrived. */
export type OnBytes = (receivedBytes: number, totalBytes: number) => void;

export interface Sending {
  readonly onBytes: OnBytes;
  /** A transport that cannot stop a file ignores it. */
  readonly signal: AbortSignal;
  /** 32 hexadecimal digits: an upload that has begun under them continues, and the asset has them as its identifier. */
  readonly uploadId: string;
  /** With the reason, while the player cannot be reached and the upload is tried again; null when it continues. */
  readonly onInterrupted: (reason: string | null) => void;
}

export interface StoredAsset {
  readonly asset_id: string;
  readonly stored: { readonly file: { readonly sha256: string } };
}

export interface Transport {
  /** What is not answered is never requested by a query. */
  readonly answers: (operation: string) => boolean;
  /**
   * Any operation of version 2 whose answer is JSON. Rejects only when the player cannot be reached, or with the reason of the signal; a
   * transport that cannot stop a request ignores that.
   */
  readonly operate: (
    call: Operate,
    signal?: AbortSignal,
  ) => Promise<OperateOutcome>;
  /** `uploadFile`. Rejects with the reason; null for what is not a file, such as a folder. */
  readonly sendFile: (file: File, sending: Sending) => Promise<SentFile | null>;
  /** How many files are sent at once. */
  readonly filesAtOnce: number;
  /** `readScreenshot` */
  readonly takeScreenshot: () => Promise<Screenshot>;
  /** `streamEvents`; the returned function unsubscribes. */
  readonly onPlayerEvent: (
    listener: (event: PlayerEventV2) => void,
  ) => () => void;
  /** An address of stored bytes that an image, a video or the PDF preview can load. */
  readonly fileAddressOf: (asset: StoredAsset) => string;
  /** The server's own thumbnail of an image, by the address of its bytes; null where the page makes it. */
  readonly readThumbnail: ((fileAddress: string) => Promise<Blob>) | null;
}
