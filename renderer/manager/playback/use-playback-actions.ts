// Playback actions of the operator: step, pause, blank, mute, jump, save a screenshot; each failure is shown.

import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { nowKey } from "../api/api.ts";
import { keyOf, operate } from "../api/operations.ts";
import {
  notifySuccess,
  notifyFailure,
} from "../components/outcomes/outcome.ts";
import { saveScreenshot } from "../saved-files/saved-files.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { noteFinal } from "../undo/undo.ts";

export interface PlaybackActions {
  readonly step: (direction: "next" | "previous") => Promise<void>;
  readonly show: (asset: {
    readonly id: string;
    readonly name: string;
  }) => Promise<void>;
  readonly setPaused: (isPaused: boolean) => Promise<void>;
  readonly setHidden: (isHidden: boolean) => Promise<void>;
  readonly setMuted: (isMuted: boolean) => Promise<void>;
  readonly saveScreenshot: () => Promise<void>;
}

export function usePlaybackActions(): PlaybackActions {
  const client = useQueryClient();
  return useMemo(() => {
    const refetchNow = () => client.invalidateQueries({ queryKey: nowKey });
    const tried = async (
      failure: string,
      work: () => Promise<unknown>,
    ): Promise<void> => {
      try {
        await work();
      } catch (error) {
        notifyFailure(failure, error);
      }
    };
    return {
      step: (direction) =>
        tried(t("now.skipFailed"), () =>
          operate("controlPlayback", { parameters: { command: direction } }),
        ),
      show: ({ id, name }) =>
        tried(t("now.showFailed", { name }), () =>
          operate("controlPlayback", {
            parameters: { command: `asset&${id}` },
          }),
        ),
      setPaused: (isPaused) =>
        tried(t("now.pauseFailed"), async () => {
          if (isPaused) await operate("pausePlayback", { body: {} });
          else await operate("resumePlayback", {});
          await refetchNow();
        }),
      setHidden: (isHidden) =>
        tried(t("now.blankFailed"), async () => {
          if (isHidden) await operate("takeOver", { body: { blank: true } });
          else await operate("endTakeover", {});
          await client.invalidateQueries({ queryKey: keyOf("readTakeover") });
        }),
      setMuted: (muted) =>
        tried(t("now.muteFailed"), async () => {
          await operate("changeSettings", { body: { muted } });
          noteFinal(muted ? t("manager.muted") : t("manager.unmuted"));
          await client.invalidateQueries({ queryKey: keyOf("readSettings") });
        }),
      saveScreenshot: () =>
        tried(t("now.screenshotNotSaved"), async () => {
          const { path } = await saveScreenshot(
            `${plainMessage("now.screenshotFileName")}.png`,
          );
          notifySuccess(t("now.screenshotSaved"), path);
        }),
    };
  }, [client]);
}
