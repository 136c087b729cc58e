// A small picture of an asset, made once and kept; else the sign of its kind.

import { useEffect, useState, type ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { KindIcon } from "../parts/KindIcon.tsx";
import { hashOf, isPictured, wantThumbnail } from "./thumbnails.ts";
import "./thumbnail.css";

interface Props {
  readonly asset: Pick<AssetView, "kind" | "fileUrl">;
}

export function AssetThumbnail({ asset }: Props): ReactNode {
  const { kind, fileUrl } = asset;
  return (
    <div className="asset-thumbnail">
      {fileUrl !== null && isPictured(kind) ? (
        // Another file is another attempt.
        <StoredThumbnail key={fileUrl} kind={kind} fileUrl={fileUrl} />
      ) : (
        <KindIcon kind={kind} size={24} />
      )}
    </div>
  );
}

interface StoredProps {
  readonly kind: "image" | "video";
  readonly fileUrl: string;
}

/** Kept from before, being made, made now, or never to be had. */
type Stage = "kept" | "wanted" | "made" | "none";

function StoredThumbnail({ kind, fileUrl }: StoredProps): ReactNode {
  const [stage, setStage] = useState<Stage>("kept");
  useEffect(() => {
    if (stage !== "wanted") return;
    return wantThumbnail(kind, fileUrl, (isMade) => {
      setStage(isMade ? "made" : "none");
    });
  }, [stage, kind, fileUrl]);
  if (stage === "wanted" || stage === "none")
    return <KindIcon kind={kind} size={24} />;
  // What was not there a moment ago is asked for under another address.
  const suffix = stage === "made" ? "?made" : "";
  return (
    <img
      src={`asset://thumbnail/${hashOf(fileUrl)}${suffix}`}
      alt=""
      decoding="async"
      draggable={false}
      onError={() => {
        setStage(stage === "kept" ? "wanted" : "none");
      }}
    />
  );
}
