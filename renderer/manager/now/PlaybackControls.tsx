// What can be done with the glass, by button and by key.

import { Tooltip } from "@mantine/core";
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
import { openCommands, commandStore } from "../commands/open.ts";
import { useAnswer } from "../operations.ts";
import { texts } from "../texts/texts.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { usePlaybackActions } from "./use-playback-actions.ts";

/** So many at the beginning move through the programme. */
const transport = 3;

export function PlaybackControls({ now }: { readonly now: NowV2 }): ReactNode {
  const playbackActions = usePlaybackActions();
  const isMuted = useAnswer("readSettings", {}).data?.["muted"] === true;
  const isIdle = now.next === null && now.showing?.kind !== "video";
  const isPaused = now.paused_until !== null;
  const takeover = useTakeover();
  const isHidden = takeover?.blank === true;
  // The blank would take the place of whatever was sent to the screen, and end with nothing but the programme.
  const isTaken = takeover != null && !isHidden;
  const buttons: readonly ControlProps[] = [
    {
      ...{
        sign: IconPlayerTrackPrev,
        name: texts.now.previous,
        keys: "ArrowLeft",
      },
      isDisabled: isIdle,
      run: () => playbackActions.step("previous"),
    },
    {
      sign: isPaused ? IconPlayerPlay : IconPlayerPause,
      name: isPaused ? texts.now.goOn : texts.now.pause,
      keys: "P",
      isPressed: isPaused,
      run: () => playbackActions.setPaused(!isPaused),
    },
    {
      ...{
        sign: IconPlayerTrackNext,
        name: texts.now.nextOne,
        keys: "ArrowRight",
      },
      isDisabled: isIdle,
      run: () => playbackActions.step("next"),
    },
    {
      ...{ sign: IconTargetArrow, name: texts.now.jump, keys: "J" },
      run: () => {
        openCommands(texts.commands.showPrefix);
      },
    },
    {
      sign: isMuted ? IconVolumeOff : IconVolume,
      name: isMuted ? texts.now.unmute : texts.now.mute,
      keys: "M",
      isPressed: isMuted,
      run: () => playbackActions.setMuted(!isMuted),
    },
    {
      sign: isHidden ? IconEye : IconEyeOff,
      name: isHidden ? texts.now.unhide : texts.now.hide,
      keys: "H",
      isPressed: isHidden,
      ...(isTaken && { obstacle: texts.now.hideTaken }),
      isDisabled: takeover === undefined,
      run: () => playbackActions.setHidden(!isHidden),
    },
    {
      ...{ sign: IconCamera, name: texts.now.saveScreenshot, keys: "S" },
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
          // Held on, a key steps from one to the next, but switches nothing over and over.
          if (repeat && !keys.startsWith("Arrow")) return;
          // What lies over the page has the keys, from the moment it is called.
          if (!isSomethingOpen()) void run();
        },
      ]),
  );
  return (
    <div className="glass-controls" role="group" aria-label={texts.now.screen}>
      {/* As on every player, forward is to the right, whichever way is read. */}
      <div className="glass-transport" dir="ltr">
        {buttons.slice(0, transport).map((button) => (
          <Control key={button.keys} {...button} />
        ))}
      </div>
      {buttons.slice(transport).map((button) => (
        <Control key={button.keys} {...button} />
      ))}
    </div>
  );
}

interface ControlProps {
  readonly sign: Icon;
  readonly name: string;
  readonly keys: string;
  readonly isDisabled?: boolean;
  /** Why it cannot be done: it stays where it can be pointed at and heard. */
  readonly obstacle?: string;
  readonly isPressed?: boolean;
  readonly run: () => Promise<void> | void;
}

const shownKeys: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
};

function Control(props: ControlProps): ReactNode {
  const { sign: Sign, name, keys, isDisabled, isPressed, run } = props;
  const { obstacle } = props;
  return (
    <Tooltip label={obstacle ?? `${name} (${shownKeys[keys] ?? keys})`}>
      <button
        type="button"
        className="glass-control"
        data-key={keys}
        aria-keyshortcuts={keys}
        data-pressed={isPressed === true}
        disabled={isDisabled}
        aria-disabled={obstacle !== undefined}
        aria-description={obstacle}
        onClick={() => {
          if (obstacle === undefined) void run();
        }}
      >
        <Sign size={20} stroke={1.75} aria-hidden />
        <span>{name}</span>
      </button>
    </Tooltip>
  );
}

// Whether something lies over the page: then its keys are not the page's.

function isSomethingOpen(): boolean {
  return (
    commandStore.getState().opened ||
    document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  );
}
