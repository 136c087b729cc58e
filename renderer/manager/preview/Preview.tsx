// Preview: the stage in its iframe, at full size and scaled down, with its current content and controls.

import {
  ActionIcon,
  Box,
  Flex,
  Group,
  Slider,
  Stack,
  Text,
} from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import {
  IconDeviceMobileRotated,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconVolume,
  IconVolumeOff,
} from "@tabler/icons-react";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { problemText } from "../api/problem-text.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import "./preview.css";
import type { PreviewItem } from "./preview-items.ts";
import { frameAddress, usePlayback, type Playback } from "./use-playback.ts";

interface Props {
  readonly previewItems: readonly PreviewItem[];
  /** Shown where there is nothing to play. */
  readonly nothing: string;
  /** Only the image and its name. */
  readonly isPlain?: boolean;
}

/** Resolution of a usual display: what fits there fits here. */
const long = 1920;
const short = 1080;

export function Preview({
  previewItems,
  nothing,
  isPlain = false,
}: Props): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isUpright, setUpright] = useState(false);
  const [hasAudio, setSound] = useState(false);
  const audibleScenes = useMemo(
    () => (hasAudio ? previewItems : previewItems.map(silent)),
    [previewItems, hasAudio],
  );
  const playback = usePlayback(frame, audibleScenes, false);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [across, down] = isUpright ? [short, long] : [long, short];
  const { previewItem } = playback;
  return (
    <Stack className="preview" gap={8} miw={0}>
      <Box
        className="preview-screen"
        w={isUpright ? "min(100%, 300px)" : "100%"}
        mx={isUpright ? "auto" : 0}
        ref={ref}
        style={{ aspectRatio: `${across} / ${down}` }}
      >
        <iframe
          ref={frame}
          src={frameAddress}
          title={t("playlists.preview.frame")}
          tabIndex={-1}
          style={{
            inlineSize: across,
            blockSize: down,
            scale: String(width / across),
            visibility: previewItem ? "visible" : "hidden",
          }}
        />
        <Over playback={playback} nothing={nothing} />
      </Box>
      <Flex
        align="center"
        gap={8}
        component="p"
        mih={20}
        miw={0}
        aria-live="off"
      >
        {previewItem ? (
          <>
            <KindIcon kind={previewItem.kind} size={16} />
            <Text truncate component="span" dir="auto">
              {t("playlists.preview.item", {
                place: playback.index + 1,
                count: previewItems.length,
                name: previewItem.name,
              })}
            </Text>
          </>
        ) : null}
      </Flex>
      {previewItem && !isPlain ? (
        <Controls playback={playback}>
          <ActionIcon
            aria-label={
              hasAudio
                ? t("playlists.preview.mute")
                : t("playlists.preview.unmute")
            }
            onClick={() => {
              setSound(!hasAudio);
            }}
          >
            {hasAudio ? (
              <IconVolume size={20} aria-hidden />
            ) : (
              <IconVolumeOff size={20} aria-hidden />
            )}
          </ActionIcon>
          <ActionIcon
            aria-label={
              isUpright
                ? t("playlists.preview.landscape")
                : t("playlists.preview.portrait")
            }
            aria-pressed={isUpright}
            onClick={() => {
              setUpright(!isUpright);
            }}
          >
            <IconDeviceMobileRotated size={20} aria-hidden />
          </ActionIcon>
        </Controls>
      ) : null}
    </Stack>
  );
}

/** Overlay on the image: nothing to show, still loading, or not available here. */
function Over({
  playback,
  nothing,
}: {
  readonly playback: Playback;
  readonly nothing: string;
}): ReactNode {
  const { previewItem, problem, isLoading } = playback;
  if (!previewItem) return <div className="preview-over">{nothing}</div>;
  if (problem !== null)
    return (
      <div className="preview-over" role="status">
        <p dir="auto">{problemText(problem)}</p>
        <p>{t("playlists.preview.failed")}</p>
      </div>
    );
  if (previewItem.address !== null)
    return (
      <div className="preview-over">
        <KindIcon kind={previewItem.kind} size={32} />
        <p dir="auto">{previewItem.name}</p>
        <Text c="#ababab" fz={13} dir="ltr">
          {previewItem.address}
        </Text>
        <p>{t("playlists.preview.webPage")}</p>
      </div>
    );
  return isLoading ? (
    <div className="preview-over after-a-moment">
      {t("playlists.preview.loading")}
    </div>
  ) : null;
}

function Controls({
  playback,
  children,
}: {
  readonly playback: Playback;
  readonly children: ReactNode;
}): ReactNode {
  const { index, position, total, isPlaying, setPlaying, goTo, seek } =
    playback;
  return (
    <Stack gap={4}>
      <Slider
        mx={10}
        aria-label={t("playlists.preview.position")}
        thumbLabel={t("playlists.preview.position")}
        thumbValueText={(value: number) =>
          t("playlists.preview.positionOf", {
            position: formats.countdown(value),
            total: formats.countdown(total),
          })
        }
        min={0}
        max={Math.max(1, Math.round(total))}
        step={1}
        value={Math.round(position)}
        label={(value) => formats.countdown(value)}
        onChange={seek}
      />
      {/* As on every media player, forward is to the right, in either text direction. */}
      <Group gap={0} dir="ltr">
        <ActionIcon
          aria-label={t("playlists.preview.previous")}
          onClick={() => {
            goTo(index - 1);
          }}
        >
          <IconPlayerTrackPrevFilled size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={
            isPlaying
              ? t("playlists.preview.pause")
              : t("playlists.preview.play")
          }
          onClick={() => {
            setPlaying(!isPlaying);
          }}
        >
          {isPlaying ? (
            <IconPlayerPauseFilled size={20} aria-hidden />
          ) : (
            <IconPlayerPlayFilled size={20} aria-hidden />
          )}
        </ActionIcon>
        <ActionIcon
          aria-label={t("playlists.preview.next")}
          onClick={() => {
            goTo(index + 1);
          }}
        >
          <IconPlayerTrackNextFilled size={18} aria-hidden />
        </ActionIcon>
        <Text className="figures" c="dimmed" component="span" ms={8} me="auto">
          {t("playlists.preview.positionOf", {
            position: formats.countdown(position),
            total: formats.countdown(total),
          })}
        </Text>
        {children}
      </Group>
    </Stack>
  );
}

function silent(previewItem: PreviewItem): PreviewItem {
  const { content } = previewItem.showing;
  if (!("audio" in content)) return previewItem;
  const audio = { ...content.audio, isMuted: true };
  return {
    ...previewItem,
    showing: { ...previewItem.showing, content: { ...content, audio } },
  };
}
