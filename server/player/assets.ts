// The ways an asset comes and goes: by creation, by a file, by an address, by removal.

import path from "node:path";
import { belongsInStore, type Asset } from "../core/asset.ts";
import { assertUsable } from "./inspect.ts";
import type { Intake } from "./intake.ts";
import type { AssetDraft, Library } from "./library.ts";
import type { SettingsStore } from "./settings.ts";

export interface Assets {
  /** Checks the address, then one transaction. Throws `invalid` on `uri`. */
  create(draft: AssetDraft): Promise<Asset>;
  addFile(file: string): Promise<Asset>;
  addPage(address: string): Promise<Asset>;
  /** The row goes at once; its bytes follow when no other row needs them. */
  remove(id: string): Promise<void>;
}

export interface AssetsOptions {
  readonly library: Library;
  readonly intake: Intake;
  readonly settings: SettingsStore;
  readonly now: () => number;
}

/** What the operator drops in plays at once and until further notice. */
const forEverMs = Date.UTC(9999, 0, 1);

export function createAssets({
  library,
  intake,
  settings,
  now,
}: AssetsOptions): Assets {
  async function create(draft: AssetDraft): Promise<Asset> {
    const skipCheck = draft.skipAssetCheck ?? false;
    await assertUsable(draft.uri, skipCheck, { library, settings });
    return library.create({ ...draft, isProcessing: belongsInStore(draft) });
  }

  const usualSeconds = (): number => settings.all().defaultDuration;

  const open = (): Pick<AssetDraft, "startsAt" | "endsAt" | "isEnabled"> => ({
    startsAt: now(),
    endsAt: forEverMs,
    isEnabled: true,
  });

  return {
    create,
    addFile: async (file) => {
      const upload = await intake.receiveFile(file);
      const [mimetype = "image"] = upload.file.type.split("/");
      return library.create({
        ...open(),
        name: path.parse(file).name,
        uri: upload.uri,
        mimetype,
        durationSeconds: mimetype === "video" ? 0 : usualSeconds(),
      });
    },
    addPage: (address) =>
      create({
        ...open(),
        name: address.replace(/^https?:\/\//, ""),
        uri: address,
        mimetype: "webpage",
        durationSeconds: usualSeconds(),
      }),
    remove: async (id) => {
      await intake.forget(library.remove(id));
    },
  };
}
