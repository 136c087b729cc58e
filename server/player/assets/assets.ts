// Creates, changes and deletes assets; every operation that resolves survives a power cut.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { belongsInStore, noEndMs, type Asset } from "../../core/asset.ts";
import { fieldFailure } from "../../core/failure.ts";
import type { SharedFlush } from "../../platform/sqlite/shared-flush.ts";
import { retryWhileLocked } from "../../platform/sqlite/sqlite-lock.ts";
import { assertUsable } from "./address-check.ts";
import type { Uploads } from "../files/uploads.ts";
import {
  mimetypeOf,
  tokenOfUri,
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
  /** A creation with defaults for what the draft does not contain (V2-714). Throws `invalid` on `uri` or `name`. */
  add(draft: BriefDraft): Promise<Asset>;
  /** The row is deleted immediately; its bytes follow when no other row needs them. */
  remove(id: string): Promise<void>;
}

/** The name of an address is the address. */
export type BriefDraft = Pick<
  AssetDraft,
  "uri" | "skipAssetCheck" | "extras"
> & { readonly name?: string | undefined };

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

  async function add({ uri, name, ...more }: BriefDraft): Promise<Asset> {
    const token = tokenOfUri(uri);
    const upload = token === null ? null : library.waitingUpload(token);
    // A client that lost the response finds its asset by that (V2-803).
    const isFree = token !== null && !library.has(token);
    const id = upload !== null && isFree ? token : undefined;
    const mimetype = upload ? mimetypeOf(upload.type) : "webpage";
    const hasOwnLength = mimetype === "video" || mimetype === "audio";
    if (token !== null && !name)
      throw fieldFailure("name", playerSentences["name-required"]);
    return create({
      ...{ ...more, id },
      ...{ uri, mimetype, name: name || uri.replace(/^https?:\/\//, "") },
      // What an operator adds plays immediately and without an end date.
      ...{ startsAt: now(), endsAt: noEndMs, isEnabled: true },
      durationSeconds: hasOwnLength ? 0 : defaultSeconds(),
    });
  }

  return {
    create,
    change: (id, change) => store(() => library.change(id, change)),
    order: (ids) => store(() => library.order(ids)),
    replaceSource,
    add,
    remove: async (id) => {
      // Committed to disk before the bytes are deleted: otherwise a power cut could leave the row without them.
      const hashes = library.remove(id);
      // Its playlist items were deleted with it (V2-113).
      playlists.assetRemoved(id);
      await uploads.forget(hashes);
    },
  };
}
