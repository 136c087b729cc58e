// A small picture of an asset: its own bytes where they are here, else the sign of its kind.

import { useInViewport } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../../server/contract/ipc.ts";
import { KindIcon } from "./parts/KindIcon.tsx";

interface Props {
  readonly asset: Pick<AssetView, "kind" | "fileUrl">;
}

export function AssetThumbnail({ asset }: Props): ReactNode {
  const { kind, fileUrl } = asset;
  return (
    <div className="asset-thumbnail">
      {fileUrl === null ? (
        <KindIcon kind={kind} size={24} />
      ) : (
        // Another file is another attempt.
        <StoredThumbnail key={fileUrl} kind={kind} fileUrl={fileUrl} />
      )}
    </div>
  );
}

interface StoredProps {
  readonly kind: AssetView["kind"];
  readonly fileUrl: string;
}

/** Of the others a browser makes no small picture by itself. */
const pictured: readonly AssetView["kind"][] = ["image", "video"];

/** Only what is in view is loaded: a page may hold few videos at once, and large pictures weigh. */
function StoredThumbnail({ kind, fileUrl }: StoredProps): ReactNode {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [isBroken, setIsBroken] = useState(false);
  const onError = () => {
    setIsBroken(true);
  };
  return (
    <div ref={ref} className="thumbnail-place">
      {!inViewport || isBroken || !pictured.includes(kind) ? (
        <KindIcon kind={kind} size={24} />
      ) : kind === "image" ? (
        <img
          src={fileUrl}
          alt=""
          decoding="async"
          draggable={false}
          onError={onError}
        />
      ) : (
        // A moment in, since many clips begin black.
        <video
          src={`${fileUrl}#t=0.5`}
          preload="metadata"
          muted
          tabIndex={-1}
          aria-hidden
          onError={onError}
        />
      )}
    </div>
  );
}
