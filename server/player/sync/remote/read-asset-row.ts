// Reads what the player is to have of an asset, from its row at a content service, or why it cannot.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  assetLimits,
  defaultDurationSeconds,
} from "../../../core/asset-limits.ts";
import { noEndMs, plainPresentation } from "../../../core/asset.ts";
import type { DesiredAsset } from "../../../core/sync-plan/desired-content.ts";
import type { ItemFailure } from "../../../core/sync-plan/sync-state.ts";
import { cutText } from "../../../core/text-limit.ts";
import {
  idIn,
  isRemoteKind,
  kindOfRow,
  mimetypesOfRows,
  nameOf,
  numberIn,
  rotationOf,
  sizeOf,
  takeValues,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";

export interface ReadAsset {
  readonly asset: DesiredAsset;
  /** Address of its bytes; null for what stays remote. */
  readonly source: string | null;
  readonly mediaSeconds: number | null;
  /** Installation of an app, by which its content is fetched. */
  readonly installation: string | null;
  /** What the player does not take from it, in sentences. */
  readonly leftOut: readonly string[];
}

export interface ReadOptions {
  /** It plays without a playlist. */
  readonly isListedAlone: boolean;
  /** Address of the asset at the service, the same in every poll. */
  readonly addressOf: (remoteId: string) => string;
  /** The API version lists the files of apps. */
  readonly hasApps: boolean;
}

/** Null: nothing to show and nothing to report. */
export function readAssetRow(
  row: Row,
  { isListedAlone, addressOf, hasApps }: ReadOptions,
): ReadAsset | ItemFailure | null {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  const type = textIn(row, "type");
  // Files of apps are not content of their own.
  if (type === "edge-app-file") return null;
  const name = nameOf(row, remoteId);
  const failure = (reason: string): ItemFailure => ({
    ...{ remoteId, name, reason, isGivenUp: true },
  });
  const status = textIn(row, "status");
  if (status === "error")
    return failure(
      `The content service failed to process it${textIn(row, "processing_error") ? `: ${cutText(textIn(row, "processing_error"), 300)}` : "."}`,
    );
  if (status !== "finished")
    return failure(
      status === "" || status in waitingStatuses
        ? "The content service is still processing it."
        : composeSentence(connectionSentences["status-unknown"], {
            status: cutText(status, 40),
          }),
    );
  const kind = kindOfRow(row);
  if (!kind)
    return failure(
      `This player cannot show assets of type "${cutText(type, 40)}".`,
    );
  const isApp = kind === "app";
  const installation = isApp ? idIn(row, "app_installation_id") : null;
  if (isApp && !hasApps) return failure(connectionSentences["app-version-3"]);
  if (isApp && installation === null)
    return failure(connectionSentences["app-installation-missing"]);
  const address = textIn(row, "asset_url") || textIn(row, "source_url");
  if (!isApp && !isWebAddress(address, kind === "streaming"))
    return failure("The content service reports no usable address for it.");
  const isRemote = isRemoteKind(kind);
  const md5 = textIn(row, "md5").toLowerCase();
  if (!isRemote && !/^[0-9a-f]{32}$/.test(md5))
    return failure(
      "The content service reports no MD5 for it, so the file cannot be verified.",
    );
  const isMoving = kind === "video" || kind === "audio";
  const { web, metadata, leftOut } = takeValues(row, kind === "web" || isApp);
  return {
    leftOut: isNameCut(row) ? [longName, ...leftOut] : leftOut,
    asset: {
      remoteId,
      file: isRemote ? null : { md5, sizeBytes: sizeOf(row, md5) },
      facts: {
        name,
        // An asset whose bytes are stored here is identified by what does not change from hour to hour.
        uri: isRemote && !isApp ? address : addressOf(remoteId),
        mimetype: mimetypesOfRows[kind],
        startsAt: isListedAlone ? 0 : null,
        endsAt: isListedAlone ? noEndMs : null,
        durationSeconds: isMoving ? 0 : defaultDurationSeconds,
        isEnabled: row["pdf_page_enabled"] !== false || type !== "pdf-page",
        isPlaylistOnly: !isListedAlone,
        presentation: {
          ...plainPresentation,
          rotation: type === "pdf-page" ? rotationOf(row) : 0,
        },
        ...{ web, metadata },
      },
    },
    source: isRemote ? null : address,
    mediaSeconds: isMoving ? numberIn(row, "duration") : null,
    installation,
  };
}

export function isItemFailure(
  read: ReadAsset | ItemFailure,
): read is ItemFailure {
  return "reason" in read;
}

const waitingStatuses = {
  ...{ none: true, downloading: true, processing: true, "not-promoted": true },
};

const longName = `title must have at most ${assetLimits.nameLetters} characters`;

function isNameCut(row: Row): boolean {
  const given = textIn(row, "title").replaceAll("\0", "").trim();
  return cutText(given, assetLimits.nameLetters) !== given;
}

function isWebAddress(address: string, isStream: boolean): boolean {
  if (address.length > assetLimits.addressLetters || !URL.canParse(address))
    return false;
  const scheme = /^([a-z]+):\/\/[^/?#]/i.exec(address)?.[1]?.toLowerCase();
  return (
    scheme === "http" || scheme === "https" || (isStream && scheme === "rtsp")
  );
}
