// Installed apps as a cloud wants them at this moment: told, and the rows of their files where those are not known yet.

import { readApp, type ReadApp } from "./app-read.ts";
import {
  tellByKey,
  tellPaired,
  type TellingOptions,
  type ToldApp,
} from "./app-told.ts";
import { idIn, rowsOf, type Row } from "./cloud.ts";
import { isCredential } from "./credential.ts";

export interface AppLook {
  /** By installation; a sentence where it cannot be shown. Throws a CloudTrouble. */
  look(
    installations: readonly string[],
  ): Promise<ReadonlyMap<string, ReadApp | string>>;
  /** Asks whether what was said last still holds. */
  isSame(): Promise<boolean>;
}

export interface AppLookOptions extends TellingOptions {
  readonly token: string;
}

const rowsPerPage = 500;
const fields = "id,title,md5,source_md5,source_size,asset_url";

export function createAppLook(options: AppLookOptions): AppLook {
  const { http, at, token } = options;
  const tell = isCredential(token) ? tellPaired(options) : tellByKey(options);
  let last = { installations: [] as readonly string[], text: "[]" };

  async function fileRows({
    appId,
    revision,
  }: ToldApp): Promise<readonly Row[]> {
    const rows: Row[] = [];
    if (revision === null) return rows;
    for (let after = ""; ;) {
      const behind = after === "" ? "" : `&id=gt.${after}`;
      const { body } = await http.ask(
        `${at}/assets?select=${fields}&type=eq.edge-app-file&app_id=eq.${appId}&app_revision=eq.${revision}&order=id.asc&limit=${rowsPerPage}${behind}`,
      );
      const page = rowsOf(body);
      rows.push(...page);
      const newest = page.map((row) => idIn(row)).at(-1) ?? null;
      if (page.length < rowsPerPage || newest === null || newest === after)
        return rows;
      after = newest;
    }
  }

  return {
    look: async (installations) => {
      const told = await tell(installations);
      const read = new Map<string, ReadApp | string>();
      for (const [id, app] of told)
        read.set(
          id,
          typeof app === "string"
            ? app
            : readApp(app, await fileRows(app), token),
        );
      last = { installations, text: JSON.stringify([...told]) };
      return read;
    },
    isSame: async () => {
      const { installations, text } = last;
      if (installations.length === 0) return true;
      return JSON.stringify([...(await tell(installations))]) === text;
    },
  };
}
