// Maps an app of a content service and the rows of its files to what is downloaded and shown, or to the reason why it cannot be.

import { createHash, createHmac } from "node:crypto";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { maxAppBytes, maxAppFiles } from "../../../core/app-limits.ts";
import { isAppPath } from "../../../core/app-path.ts";
import {
  descriptionOf,
  type DesiredApp,
  type DesiredFile,
} from "../../../core/sync-plan/desired-content.ts";
import { cutText } from "../../../core/text-limit.ts";
import {
  sizeOf,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";

/** Path → identifier or signature of the file at that path (V2-547). */
export interface FileTree {
  readonly by: "id" | "signature";
  readonly files: Readonly<Record<string, string>>;
}

/** An installation as it is now; its files are requested separately. */
export interface RemoteApp {
  readonly appId: string;
  /** Null as long as nothing is deployed on its channel. */
  readonly revision: number | null;
  /** A file of the app, or an address; null if not given. */
  readonly entry: string | null;
  readonly waitsForSignal: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Path of each file; null if the service sends none and each row's title is its path. */
  readonly tree: FileTree | null;
}

export interface ReadApp {
  readonly app: DesiredApp;
  /** Its description, which is generated here and never downloaded. */
  readonly file: DesiredFile;
  /** Current addresses of the bytes, by MD5. */
  readonly sources: ReadonlyMap<string, string>;
  readonly secrets: Readonly<Record<string, string>>;
}

const defaultEntry = "index.html";

/** Returns a sentence if it cannot be shown: an app is taken completely or not at all. */
export function readApp(
  fetched: RemoteApp,
  rows: readonly Row[],
  token: string,
): ReadApp | string {
  const sources = new Map<string, string>();
  const files = new Map<string, DesiredApp["files"][number]>();
  const placed = placedRows(fetched, rows);
  if (typeof placed === "string") return placed;
  if (placed.length > maxAppFiles)
    return composeSentence(connectionSentences["app-files-limit"], {
      limit: maxAppFiles,
    });
  for (const [path, row] of placed) {
    const shown = shownPath(path);
    if (!isAppPath(path))
      return composeSentence(connectionSentences["app-path-outside"], {
        name: shown,
      });
    if (files.has(path))
      return composeSentence(connectionSentences["app-file-twice"], {
        name: shown,
      });
    const md5 = textIn(row, "md5").toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(md5))
      return composeSentence(connectionSentences["app-no-md5"], {
        name: shown,
      });
    const address = textIn(row, "asset_url");
    if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address))
      return composeSentence(connectionSentences["app-no-address"], {
        name: shown,
      });
    files.set(path, { path, md5, sizeBytes: sizeOf(row, md5) });
    sources.set(md5, address);
  }
  const entry = entryOf(fetched, files);
  if (typeof entry === "string") return entry;
  const bytes = [...files.values()].reduce(
    (sum, { sizeBytes }) => sum + (sizeBytes ?? 0),
    0,
  );
  if (bytes > maxAppBytes)
    return composeSentence(playerSentences["app-size-limit"], {
      limit: maxAppBytes,
    });
  const app: DesiredApp = {
    ...{ entry, waitsForSignal: fetched.waitsForSignal },
    settings: sorted(fetched.settings),
    secretsMark: markOf(fetched.secrets, token),
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
  const sizeBytes = Buffer.byteLength(descriptionOf(app));
  const file = { md5: md5OfApp(app), sizeBytes };
  return { app, file, sources, secrets: fetched.secrets };
}

/**
 * Each path with the row of its file, as in the revision; without a file tree, each row is placed where its title says (V2-547).
 */
function placedRows(
  { tree }: RemoteApp,
  rows: readonly Row[],
): readonly (readonly [path: string, row: Row])[] | string {
  if (tree === null) return rows.map((row) => [textIn(row, "title"), row]);
  const byKey = new Map(rows.map((row) => [textIn(row, tree.by), row]));
  const placed: (readonly [string, Row])[] = [];
  for (const [path, key] of Object.entries(tree.files)) {
    const row = byKey.get(key);
    if (!row)
      return composeSentence(connectionSentences["app-not-listed"], {
        name: shownPath(path),
      });
    placed.push([path, row]);
  }
  return placed;
}

function shownPath(path: string): string {
  return JSON.stringify(cutText(path, 100));
}

/** Identifies its description. */
export function md5OfApp(app: DesiredApp): string {
  return createHash("md5").update(descriptionOf(app)).digest("hex");
}

function entryOf(
  { revision, entry }: RemoteApp,
  files: ReadonlyMap<string, unknown>,
): DesiredApp["entry"] | string {
  if (revision === null) return connectionSentences["app-not-deployed"];
  if (entry !== null && /^https?:\/\//i.test(entry))
    return URL.canParse(entry)
      ? { kind: "remote", url: entry }
      : connectionSentences["app-entry-address"];
  if (files.size === 0)
    return composeSentence(connectionSentences["app-no-files"], { revision });
  const path = (entry ?? defaultEntry).replace(/^(\.?\/)+/, "");
  return files.has(path)
    ? { kind: "file", path }
    : composeSentence(playerSentences["app-entry-missing"], {
        name: shownPath(path),
      });
}

/** Reveals nothing of the values to anyone without the token. */
function markOf(
  secrets: Readonly<Record<string, string>>,
  token: string,
): string | null {
  if (Object.keys(secrets).length === 0) return null;
  return createHmac("sha256", token)
    .update(JSON.stringify(sorted(secrets)))
    .digest("hex");
}

function sorted(
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
