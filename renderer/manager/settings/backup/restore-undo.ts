// Undo of a restored backup: asks for confirmation where something was created or changed since, which it would remove.

import { operate } from "../../api/operations.ts";
import { t } from "../../../locales/messages.ts";
import {
  ChangedElsewhere,
  defineUndo,
  type StoredUndo,
} from "../../undo/undo.ts";
import { quotedNames } from "./quoted-names.ts";
import { settingNamed } from "../setting-sections.ts";

interface Thing {
  readonly name: string;
  /** Everything that an operator can change of it, as text. */
  readonly state: string;
}

/** Enough to recognise what is meant. */
const maxNamed = 5;

/** By id. */
type Things = Readonly<Record<string, Thing>>;

interface Restored {
  /** The archive of the data before the restore. */
  readonly wayBack: string;
  readonly left: Things;
}

const undo = defineUndo<Restored>(
  "backup restored",
  async ({ wayBack, left }, { isForced }) => {
    if (!isForced) {
      const names = namesOfChanged(left, await things());
      if (names.length > 0) {
        const about = t("settings.restore.changedSince", {
          names: quotedNames(names.slice(0, maxNamed)),
        });
        return new ChangedElsewhere("", false, about);
      }
    }
    return window.manager.restoreBackup({ name: wayBack });
  },
);

/** Call it right after the restore: whatever changes from then on requires a confirmation. */
export async function restoredUndo(wayBack: string): Promise<StoredUndo> {
  return undo({ wayBack, left: await things() });
}

async function things(): Promise<Things> {
  const [assets, playlists, settings] = await Promise.all([
    operate("listAssets", {}),
    operate("listPlaylists", {}),
    operate("readSettings", {}),
  ]);
  return Object.fromEntries<Thing>([
    ...assets.map((asset): [string, Thing] => {
      // These change by themselves, with the clock and as the file is processed.
      const { is_active, is_processing, metadata, stored, ...state } = asset;
      const { asset_id: id, name } = asset;
      return [id, { name: name ?? id, state: JSON.stringify(state) }];
    }),
    ...playlists.map((playlist): [string, Thing] => {
      const { playlist_id: id, name } = playlist;
      return [id, { name, state: JSON.stringify(playlist) }];
    }),
    ...Object.entries(settings).map(([id, value]): [string, Thing] => {
      const name = settingNamed(id)?.words.name ?? id;
      return [`setting ${id}`, { name, state: JSON.stringify(value) }];
    }),
  ]);
}

function namesOfChanged(left: Things, now: Things): readonly string[] {
  return Object.entries({ ...left, ...now })
    .filter(([id]) => left[id]?.state !== now[id]?.state)
    .map(([, { name }]) => name);
}
