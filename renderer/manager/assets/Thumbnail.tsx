// Thumbnail of an asset in a frame of any size; a missing asset has an icon, too.

import { IconPhotoOff } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { AssetThumbnail } from "./AssetThumbnail.tsx";

interface Props {
  readonly view: AssetView | undefined;
}

export const Thumbnail = memo(function Thumbnail({ view }: Props): ReactNode {
  return (
    <span className="thumb">
      {view ? (
        <AssetThumbnail asset={view} />
      ) : (
        <IconPhotoOff size={20} stroke={1.75} aria-hidden />
      )}
    </span>
  );
});
