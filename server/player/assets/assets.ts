// Creates, changes and deletes assets; every operation that resolves survives a power cut.

import path from "node:path";
import { extraFields } from "../../contract/v2/v2-extras.ts";
import { sentenceFor } from "../../contract/field-error.ts";
import { belongsInStore, noEndMs, type Asset } from "../../core/asset.ts";
import { fieldFailure } from "../../core/failure.ts";
import { nameOf, placeOf } from "../../platform/files/raw-path.ts";
import type { SharedFlush } from "../../platform/sqlite/shared-flush.ts";
import { retryWhileLocked } from "../../platform/sqlite/sqlite-lock.ts";
import { assertUsable } from "./address-check.ts";
import type { Uploads } from "../files/uploads.ts";
import {
  mimetypeOf,
  type AssetChange,
  type AssetDraft,
  type Library,
} from "../library/library.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { SettingsStore } from "../settings.ts";

export interface Assets {
  /** Checks the address, then writes in one transaction. Throws `invalid` on `uri`. */
  create(draft: AssetDraft): Promise<Asset>;
  change(id: string, change: AssetChange): Promise<Asset>;
  order(ids: readonly string[]): Promise<void>;
  /** Puts another file or address into the same asset; everything else stays (V2-294). Throws `invalid` on `uri`. */
  replaceSource(id: string, uri: string): Promise<Asset>;
  replaceFile(
    id: string,
    file: string,
    assetOptions?: AssetFileOptions,
  ): Promise<Asset>;
  addFile(file: string, assetOptions?: AssetFileOptions): Promise<Asset>;
  /** Throws `invalid` on `uri` or `custom_headers`. */
  addPage(address: string, assetOptions?: AssetPageOptions): Promise<Asset>;
  /** The row is deleted immediately; its bytes follow when no other row needs them. */
  remove(id: string): Promise<void>;
}

export interface AssetFileOptions {
  /** Progress of the copy into the store. */
  readonly onBytes?: ((received: number, total: number) => void) | undefined;
  /** For a new asset. */
  readonly folder?: string | undefined;
}

export interface AssetPageOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Accepts the address without checking that it can be reached. */
  readonly skipCheck?: boolean | undefined;
}

export interface AssetsOptions {
  readonly library: Library;
  readonly playlists: Playlists;
  readonly flush: SharedFlush;
  readonly uploads: Uploads;
  readonly settings: SettingsStore;
  readonly now: () => number;
}

export function createAssets({
  library,
  playlists,
  flush,
  uploads,
  settings,
  now,
}: AssetsOptions): Assets {
  /** One transaction of the library, on disk when this resolves; waits while another program has the database (V2-452). */
  const store = <T>(transaction: () => T): Promise<T> =>
    retryWhileLocked(() => flush.after(transaction));

  async function create(draft: AssetDraft): Promise<Asset> {
    const skipCheck = draft.skipAssetCheck ?? false;
    await assertUsable(draft, skipCheck, { library, settings });
    const isProcessing = belongsInStore(draft);
    return store(() => library.create({ ...draft, isProcessing }));
  }

  async function replaceSource(id: string, uri: string): Promise<Asset> {
    const { mimetype, skipAssetCheck, web } = library.asset(id);
    const { headers, isCertificateSkipped } = web;
    const extras = { headers, isCertificateSkipped };
    await assertUsable({ uri, extras }, skipAssetCheck, { library, settings });
    const isProcessing = belongsInStore({ uri, mimetype });
    const hashes = await flush.after(() =>
      library.replaceSource(id, { uri, isProcessing }),
    );
    await uploads.forget(hashes);
    return library.asset(id);
  }

  const defaultSeconds = (): number => settings.all().defaultDuration;

  const open = (): Pick<AssetDraft, "startsAt" | "endsAt" | "isEnabled"> => ({
    startsAt: now(),
    // A file that the operator drops in plays immediately and without an end date.
    endsAt: noEndMs,
    isEnabled: true,
  });

  return {
    create,
    change: (id, change) => store(() => library.change(id, change)),
    order: (ids) => store(() => library.order(ids)),
    replaceSource,
    replaceFile: async (id, file, assetOptions) => {
      library.asset(id);
      const place = await placeOf(file);
      const upload = await uploads.receiveFile(place, assetOptions?.onBytes);
      return replaceSource(id, upload.uri);
    },
    addFile: async (file, assetOptions) => {
      const place = await placeOf(file);
      const upload = await uploads.receiveFile(place, assetOptions?.onBytes);
      const mimetype = mimetypeOf(upload.file.type);
      const hasOwnLength = mimetype === "video" || mimetype === "audio";
      return library.create({
        ...open(),
        name: path.parse(nameOf(place)).name,
        uri: upload.uri,
        mimetype,
        durationSeconds: hasOwnLength ? 0 : defaultSeconds(),
        extras: { folder: assetOptions?.folder ?? "" },
      });
    },
    addPage: async (address, { headers = {}, skipCheck = false } = {}) => {
      const { wireName, read } = extraFields.headers;
      const reading = read(headers);
      if ("sentence" in reading)
        throw fieldFailure(wireName, sentenceFor(wireName, reading.sentence));
      return create({
        ...open(),
        name: address.replace(/^https?:\/\//, ""),
        uri: address,
        mimetype: "webpage",
        durationSeconds: defaultSeconds(),
        skipAssetCheck: skipCheck,
        extras: { headers: reading.value },
      });
    },
    remove: async (id) => {
      // Committed to disk before the bytes are deleted: otherwise a power cut could leave the row without them.
      const hashes = library.remove(id);
      // Its playlist items were deleted with it (V2-113).
      playlists.assetRemoved(id);
      await uploads.forget(hashes);
    },
  };
}
