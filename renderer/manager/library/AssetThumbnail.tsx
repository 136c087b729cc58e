// A small picture of an asset, made once and kept; else the sign of its kind.

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { KindIcon } from "../parts/controls/KindIcon.tsx";
import {
  hashOf,
  isPictured,
  requestThumbnail,
  type Pictured,
} from "./thumbnails.ts";
import "./thumbnail.css";

/** Whether what is listed changes from letter to letter: pictures that nobody waits to see are not asked for then. */
export const PicturesWait = createContext(false);

interface Props {
  readonly asset: Pick<AssetView, "kind" | "fileUrl">;
}

export function AssetThumbnail({ asset }: Props): ReactNode {
  const { kind, fileUrl } = asset;
  return (
    <div className="asset-thumbnail">
      {fileUrl !== null && isPictured(kind) ? (
        <StoredThumbnail kind={kind} fileUrl={fileUrl} />
      ) : (
        <KindIcon kind={kind} size={24} />
      )}
    </div>
  );
}

interface StoredProps {
  readonly kind: Pictured;
  readonly fileUrl: string;
}

/** Kept from before, being made, made now, or never to be had. */
type Stage = "kept" | "requested" | "made" | "none";

function StoredThumbnail({ kind, fileUrl: targetUrl }: StoredProps): ReactNode {
  const isWaiting = use(PicturesWait);
  const [fileUrl, setFileUrl] = useState(targetUrl);
  if (fileUrl !== targetUrl && !isWaiting) setFileUrl(targetUrl);
  const [known, setKnown] = useState({ fileUrl, stage: "kept" as Stage });
  // Another file is another attempt; its card stays, which is quicker than a new one.
  const stage = known.fileUrl === fileUrl ? known.stage : "kept";
  useEffect(() => {
    if (stage !== "requested") return;
    return requestThumbnail(kind, fileUrl, (isMade) => {
      setKnown({ fileUrl, stage: isMade ? "made" : "none" });
    });
  }, [stage, kind, fileUrl]);
  if (stage === "requested" || stage === "none")
    return <KindIcon kind={kind} size={24} />;
  // What was not there a moment ago is asked for under another address.
  const suffix = stage === "made" ? "?made" : "";
  const address = `asset://thumbnail/${hashOf(fileUrl)}${suffix}`;
  return (
    <img
      // The picture of before is never seen under another name.
      key={address}
      // While another's is not asked for yet, its place is empty: quicker at each letter than a sign that makes room again.
      style={{ visibility: fileUrl === targetUrl ? undefined : "hidden" }}
      src={address}
      alt=""
      decoding="async"
      draggable={false}
      onError={() => {
        setKnown({ fileUrl, stage: stage === "kept" ? "requested" : "none" });
      }}
    />
  );
}
