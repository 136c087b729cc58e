// Installed apps as a cloud wants them at this moment: told, and the rows of their files where those are not known yet.

import { isCredential } from "../../../contract/link.ts";
import { mostAppFiles } from "../../../core/app-path.ts";
import { readApp, type ReadApp } from "./map-app.ts";
import {
  tellByKey,
  tellPaired,
  whyNot,
  type TellingOptions,
  type ToldApp,
} from "./remote-apps.ts";
import { rowsOf } from "../remote/answer-schemas.ts";
import { readPages } from "../remote/row-range.ts";
import type { Row } from "../remote/remote.ts";

export interface AppLook {
  /** By installation; the reason where it cannot be shown. Throws a CloudTrouble. */
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
const fields = "id,title,signature,md5,source_md5,source_size,asset_url";

export function createAppLook(options: AppLookOptions): AppLook {
  const { http, at, token } = options;
  const tell = isCredential(token) ? tellPaired(options) : tellByKey(options);
  let last = {
    installations: [] as readonly string[],
    text: "[]",
    /** Apps that could not be read: their files may be on their way in the cloud. */
    unread: [] as readonly ToldApp[],
    unreadText: "[]",
  };

  /** A sentence where the cloud does not list them. */
  async function fileRows(app: ToldApp): Promise<readonly Row[] | string> {
    try {
      return await listFiles(app);
    } catch (error) {
      return whyNot(error);
    }
  }

  async function listFiles({
    appId,
    revision,
  }: ToldApp): Promise<readonly Row[]> {
    const rows: Row[] = [];
    if (revision === null) return rows;
    const path = `${at}/assets?select=${fields}&type=eq.edge-app-file&app_id=eq.${appId}&app_revision=eq.${revision}&order=id.asc&limit=${rowsPerPage}`;
    await readPages({
      key: "id",
      page: async (after) => {
        // What nobody would take need not be read to its end.
        if (rows.length > mostAppFiles) return { rows: [], isPartial: false };
        const answer = await http.ask(
          after === "" ? path : `${path}&id=gt.${after}`,
        );
        return { ...answer, rows: rowsOf(answer.body, "files of an app") };
      },
      seen: (page) => rows.push(...page),
    });
    return rows;
  }

  return {
    look: async (installations) => {
      const told = await tell(installations);
      const read = new Map<string, ReadApp | string>();
      const unread = new Map<ToldApp, readonly Row[] | string>();
      for (const [id, app] of told) {
        if (typeof app === "string") {
          read.set(id, app);
          continue;
        }
        const rows = await fileRows(app);
        const found =
          typeof rows === "string" ? rows : readApp(app, rows, token);
        if (typeof found === "string") unread.set(app, rows);
        read.set(id, found);
      }
      last = {
        ...{ installations, text: JSON.stringify([...told]) },
        unread: [...unread.keys()],
        unreadText: JSON.stringify([...unread.values()]),
      };
      return read;
    },
    isSame: async () => {
      const { installations, text, unread, unreadText } = last;
      if (installations.length === 0) return true;
      if (JSON.stringify([...(await tell(installations))]) !== text)
        return false;
      const rows: (readonly Row[] | string)[] = [];
      for (const app of unread) rows.push(await fileRows(app));
      return JSON.stringify(rows) === unreadText;
    },
  };
}
