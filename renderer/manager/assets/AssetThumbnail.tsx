// Thumbnail of an asset, created once and cached; otherwise the icon of its kind.

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";
import {
  hashOf,
  hasThumbnail,
  requestThumbnail,
  type ThumbnailKind,
} from "./thumbnails.ts";
import { thumbnailAddress } from "../place/thumbnail-store.ts";
import "./thumbnail.css";

/** True while the results change with each keystroke: no thumbnails are requested for results that nobody waits to see. */
export const ThumbnailsWait = createContext(false);

interface Props {
  readonly asset: Pick<AssetView, "kind" | "fileUrl">;
}

export function AssetThumbnail({ asset }: Props): ReactNode {
  const { kind, fileUrl } = asset;
  return (
    <div className="picture asset-thumbnail">
      {fileUrl !== null && hasThumbnail(kind) ? (
        <StoredThumbnail kind={kind} fileUrl={fileUrl} />
      ) : (
        <KindIcon kind={kind} size={24} />
      )}
    </div>
  );
}

interface StoredProps {
  readonly kind: ThumbnailKind;
  readonly fileUrl: string;
}

/** Cached earlier, being created, created just now, or unavailable. */
type Stage = "kept" | "requested" | "made" | "none";

function StoredThumbnail({ kind, fileUrl: targetUrl }: StoredProps): ReactNode {
  const isWaiting = use(ThumbnailsWait);
  const [fileUrl, setFileUrl] = useState(targetUrl);
  if (fileUrl !== targetUrl && !isWaiting) setFileUrl(targetUrl);
  const [known, setKnown] = useState({ fileUrl, stage: "kept" as Stage });
  // Another file is another attempt; its card is reused, which is faster than a new one.
  const lastStage = known.fileUrl === fileUrl ? known.stage : "kept";
  // An image that was missing a moment ago is requested at another address.
  const address = thumbnailAddress(hashOf(fileUrl), lastStage === "made");
  const stage =
    lastStage === "kept" && address === null ? "requested" : lastStage;
  useEffect(() => {
    if (stage !== "requested") return;
    return requestThumbnail(kind, fileUrl, (isMade) => {
      setKnown({ fileUrl, stage: isMade ? "made" : "none" });
    });
  }, [stage, kind, fileUrl]);
  if (stage === "requested" || stage === "none" || address === null)
    return <KindIcon kind={kind} size={24} />;
  return (
    <img
      // The previous image is never seen under another name.
      key={address}
      // Until the new image is requested, its place is empty: faster with each keystroke than an icon that is then replaced.
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
