// Icon of an asset kind; the word is always next to it.

import {
  IconApps,
  IconBroadcast,
  IconFileTypePdf,
  IconId,
  IconMessage,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconWorld,
  type Icon,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { Showing } from "../../../../server/core/showing.ts";

type Kind = Showing["content"]["kind"];

const icons: Readonly<Record<Kind, Icon>> = {
  image: IconPhoto,
  video: IconMovie,
  audio: IconMusic,
  stream: IconBroadcast,
  pdf: IconFileTypePdf,
  webpage: IconWorld,
  app: IconApps,
  text: IconMessage,
  card: IconId,
};

interface Props {
  readonly kind: Kind;
  readonly size: number;
}

export const KindIcon = memo(function KindIcon({
  kind,
  size,
}: Props): ReactNode {
  const Sign = icons[kind];
  return <Sign size={size} stroke={1.75} aria-hidden className="kind-icon" />;
});
