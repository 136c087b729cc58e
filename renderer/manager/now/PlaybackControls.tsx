// Playback controls, by button and by key.

import { Group, Tooltip, VisuallyHidden } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import {
  IconCamera,
  IconEye,
  IconEyeOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconTargetArrow,
  IconVolume,
  IconVolumeOff,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import { openCommands, commandStore } from "../place/open-command-bar.ts";
import { useAnswer } from "../api/operations.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { usePlaybackActions } from "../playback/use-playback-actions.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** The first buttons, which move through the schedule. */
const transport = 3;

export function PlaybackControls({ now }: { readonly now: NowV2 }): ReactNode {
  const playbackActions = usePlaybackActions();
  const isMuted = useAnswer("readSettings", {}).data?.["muted"] === true;
  const isIdle = now.next === null && now.showing?.kind !== "video";
  const isPaused = now.paused_until !== null;
  const takeover = useTakeover();
  const isHidden = takeover?.blank === true;
  // Blanking would replace whatever takes over the screen, and end by returning to the schedule only.
  const isTaken = takeover != null && !isHidden;
  const buttons: readonly ControlProps[] = [
    {
      ...{
        sign: IconPlayerTrackPrev,
        name: t("now.controls.previous"),
        keys: "ArrowLeft",
      },
      isDisabled: isIdle,
      run: () => playbackActions.step("previous"),
    },
    {
      sign: isPaused ? IconPlayerPlay : IconPlayerPause,
      name: isPaused ? t("now.controls.resume") : t("now.controls.pause"),
      keys: "P",
      isPressed: isPaused,
      run: () => playbackActions.setPaused(!isPaused),
    },
    {
      ...{
        sign: IconPlayerTrackNext,
        name: t("now.controls.next"),
        keys: "ArrowRight",
      },
      isDisabled: isIdle,
      run: () => playbackActions.step("next"),
    },
    {
      ...{ sign: IconTargetArrow, name: t("now.controls.jump"), keys: "J" },
      run: () => {
        openCommands(plainMessage("commands.showPrefix"));
        return Promise.resolve();
      },
    },
    {
      sign: isMuted ? IconVolumeOff : IconVolume,
      name: isMuted ? t("now.controls.unmute") : t("now.controls.mute"),
      keys: "M",
      isPressed: isMuted,
      run: () => playbackActions.setMuted(!isMuted),
    },
    {
      sign: isHidden ? IconEye : IconEyeOff,
      name: isHidden ? t("now.controls.unblank") : t("now.controls.blank"),
      keys: "H",
      isPressed: isHidden,
      ...(isTaken && { obstacle: t("now.controls.takeoverRunning") }),
      isDisabled: takeover === undefined,
      run: () => playbackActions.setHidden(!isHidden),
    },
    {
      ...{
        sign: IconCamera,
        name: t("now.controls.saveScreenshot"),
        keys: "S",
      },
      run: () => playbackActions.saveScreenshot(),
    },
  ];
  useHotkeys(
    buttons
      .filter(
        ({ isDisabled, obstacle }) =>
          isDisabled !== true && obstacle === undefined,
      )
      .map(({ keys, run }) => [
        keys,
        ({ repeat }) => {
          // A held key steps repeatedly, but does not toggle anything over and over.
          if (repeat && !keys.startsWith("Arrow")) return;
          // An overlay on the page owns the keys from the moment it is requested.
          if (!isSomethingOpen()) run().catch(notifyInternalError);
        },
      ]),
  );
  return (
    <Group align="stretch" gap={6} role="group" aria-label={t("now.screen")}>
      {/* As on every media player, forward is to the right, in either text direction. */}
      <Group align="stretch" gap={6} dir="ltr">
        {buttons.slice(0, transport).map((button) => (
          <Control key={button.keys} {...button} />
        ))}
      </Group>
      {buttons.slice(transport).map((button) => (
        <Control key={button.keys} {...button} />
      ))}
    </Group>
  );
}

interface ControlProps {
  readonly sign: Icon;
  readonly name: string;
  readonly keys: string;
  readonly isDisabled?: boolean;
  /** Why it is unavailable: the button can still be hovered and is read by screen readers. */
  readonly obstacle?: string;
  readonly isPressed?: boolean;
  readonly run: () => Promise<void>;
}

const shownKeys: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
};

function Control(props: ControlProps): ReactNode {
  const { sign: Sign, name, keys, isDisabled, isPressed, run } = props;
  const { obstacle } = props;
  // Those that move through the schedule are recognised by their icons everywhere.
  const isKnown = keys === "P" || keys.startsWith("Arrow");
  return (
    <Tooltip label={obstacle ?? `${name} (${shownKeys[keys] ?? keys})`}>
      <button
        type="button"
        className="framed-button playback-control"
        data-key={keys}
        aria-keyshortcuts={keys}
        data-pressed={isPressed === true}
        disabled={isDisabled}
        aria-disabled={obstacle !== undefined}
        aria-description={obstacle}
        onClick={() => {
          if (obstacle === undefined) run().catch(notifyInternalError);
        }}
      >
        <Sign size={20} stroke={1.75} aria-hidden />
        {isKnown ? (
          <VisuallyHidden>{name}</VisuallyHidden>
        ) : (
          <span className={keys === "H" ? undefined : "aloud-if-narrow"}>
            {name}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

// Whether an overlay is open on the page: then the keys do not belong to the page.

function isSomethingOpen(): boolean {
  return (
    commandStore.getState().opened ||
    document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  );
}
