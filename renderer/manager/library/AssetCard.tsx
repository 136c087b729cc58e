// One asset in the grid or the list: its thumbnail, its name, and its state in words.

import { Text } from "@mantine/core";
import { memo, type ReactNode } from "react";
import {
  IconAlertTriangle,
  IconCalendarOff,
  IconCalendarQuestion,
  IconCalendarTime,
  IconCircleCheck,
  IconCircleOff,
  IconClockOff,
  IconDeviceTv,
  IconHourglass,
  IconPlaylist,
  IconPlaylistOff,
  type Icon,
} from "@tabler/icons-react";
import type { AssetView } from "../api/asset-view.ts";
import { type AssetState, datesWorthReading } from "../assets/asset-state.ts";
import { AssetThumbnail } from "../assets/AssetThumbnail.tsx";
import { can } from "../place/abilities.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";

// An asset's state as an icon and a word; colour only emphasises it.

const signs: Readonly<Record<AssetState, Icon>> = {
  playing: IconDeviceTv,
  problem: IconAlertTriangle,
  processing: IconHourglass,
  disabled: IconCircleOff,
  "in-playlists": IconPlaylist,
  undated: IconCalendarQuestion,
  "not-yet": IconCalendarTime,
  expired: IconCalendarOff,
  "outside-hours": IconClockOff,
  "not-due": IconPlaylistOff,
  active: IconCircleCheck,
  ready: IconCircleCheck,
};

const tones: Readonly<Partial<Record<AssetState, string>>> = {
  ...{ playing: "good", problem: "fault", undated: "waiting" },
};

/** It is not shown now, for any of these reasons. */
const dimmed: ReadonlySet<AssetState> = new Set([
  ...(["disabled", "expired", "not-yet"] as const),
  ...(["outside-hours", "not-due", "undated"] as const),
]);

function StateBadge({
  state,
  isOnPicture,
}: {
  readonly state: AssetState;
  readonly isOnPicture: boolean;
}): ReactNode {
  const Sign = signs[state];
  return (
    <span
      className={`icon-line small asset-state ${isOnPicture ? "on-picture" : ""}`}
      data-tone={tones[state] ?? "plain"}
    >
      <Sign size={16} stroke={1.75} aria-hidden />
      {t(`library.states.${state}`)}
    </span>
  );
}

interface Props {
  readonly asset: AssetView;
  readonly state: AssetState;
  /** Details that the state alone does not express; null where there are none. */
  readonly reason: string | null;
  readonly moment: number;
  readonly isLine: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly place: number;
  readonly all: number;
}

/** Plain elements: a whole screen of them is rendered at every step of a scroll. */
export const AssetCard = memo(function AssetCard(props: Props): ReactNode {
  const { asset, state, moment, isLine, isSelected, isActive } = props;
  return (
    <div
      id={`asset-${asset.id}`}
      data-asset={asset.id}
      data-state={state}
      data-active={isActive}
      data-dim={dimmed.has(state)}
      className={isLine ? "list-line asset-line" : "list-card asset-card"}
      role="option"
      aria-selected={isSelected}
      aria-posinset={props.place}
      aria-setsize={props.all}
      title={asset.problem ?? props.reason ?? asset.name}
    >
      <AssetThumbnail asset={asset} />
      <span className="one-line asset-name">
        <bdi>{asset.name}</bdi>
      </span>
      <AssetFacts asset={asset} moment={moment} isShort={!isLine} />
      {isLine || (state !== "active" && state !== "ready") ? (
        <StateBadge state={state} isOnPicture={!isLine} />
      ) : null}
    </div>
  );
});

// The dimmed line under a name: kind, time on screen, size, and schedule.

interface FactsProps {
  readonly asset: AssetView;
  readonly moment: number;
  readonly isShort?: boolean;
}

function AssetFacts({ asset, moment, isShort }: FactsProps): ReactNode {
  const facts = [
    lengthOf(asset),
    asset.sizeBytes === null ? null : formats.size(asset.sizeBytes),
    isShort ? null : datesOf(asset, moment),
  ].filter((fact) => fact !== null);
  return (
    <span className="icon-line small figures quiet asset-facts">
      <KindIcon kind={asset.kind} size={16} />
      <Text truncate component="span">
        {[t(`library.kinds.${asset.kind}`), ...facts].join(" · ")}
      </Text>
    </span>
  );
}

function lengthOf(asset: AssetView): string | null {
  const hasItsOwn = asset.kind === "video" || asset.kind === "audio";
  // At a content service, playlists decide how long an asset is shown.
  if (!can("player") && !hasItsOwn) return null;
  const isFullLength = hasItsOwn && asset.durationSeconds === 0;
  if (!isFullLength) return formats.length(asset.durationSeconds);
  return asset.lengthSeconds === null
    ? t("library.fullLength")
    : formats.length(asset.lengthSeconds);
}

function datesOf(asset: AssetView, moment: number): string | null {
  const { from, until } = datesWorthReading(asset, moment);
  if (from !== null && until !== null && from < until)
    return formats.days(from, until);
  if (from !== null) return t("library.from", { day: formats.day(from) });
  return until === null
    ? null
    : t("library.until", { day: formats.day(until) });
}
