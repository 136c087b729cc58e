// The commands available now: the actions of the manager, and the player's playlists and assets.

import { useMemo } from "react";
import { useAssets, useNow } from "../api/api.ts";
import { openFirstRun } from "../first-run/open-first-run.ts";
import {
  canChooseFolder,
  chooseFiles,
  chooseFolder,
} from "../uploads/uploads.ts";
import { usePlaybackActions } from "../playback/use-playback-actions.ts";
import { useAnswer } from "../api/operations.ts";
import { pages } from "../pages/pages.ts";
import { goTo } from "../place/navigation.ts";
import { can } from "../place/abilities.ts";
import { openTakeover } from "../takeover/open-takeover.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { undoLast } from "../undo/undo.ts";
import type { Command } from "./commands.ts";
import { sectionsHere, settingsIn } from "../settings/setting-sections.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export function useCommands(): readonly Command[] {
  const doing = useDoing();
  const assets = useAssets().data;
  const playlists = useAnswer("listPlaylists", {}).data;
  const playbackActions = usePlaybackActions();
  return useMemo(() => {
    return [
      ...doing,
      ...toPages,
      ...settingsPlaces(),
      ...(playlists ?? []).map((playlist): Command => ({
        ...{ id: playlist.playlist_id, group: "playlists" },
        name: playlist.name,
        run: () => {
          goTo("playlists", playlist.playlist_id);
        },
      })),
      ...(assets ?? []).flatMap((asset): readonly Command[] => [
        {
          ...{ id: asset.id, group: "assets", name: asset.name },
          about: t(`library.kinds.${asset.kind}`),
          words: asset.folder,
          run: () => {
            goTo("library", asset.id);
          },
        },
        {
          ...{ id: `show-${asset.id}`, group: "actions" },
          name: t("commands.show", { name: asset.name }),
          run: () => {
            playbackActions.show(asset).catch(notifyInternalError);
          },
        },
      ]),
    ];
  }, [doing, playlists, assets, playbackActions]);
}

const toPages: readonly Command[] = [
  ...pages.map(({ id, shortcut }): Command => ({
    ...{ id: `page-${id}`, group: "pages", name: t(`manager.pages.${id}`) },
    ...(shortcut !== null && { keys: formats.keys(shortcut) }),
    run: () => {
      goTo(id);
    },
  })),
  {
    ...{ id: "page-trash", group: "pages", name: t("library.trash") },
    run: () => {
      goTo("library", "trash");
    },
  },
  {
    ...{ id: "page-problems", group: "pages", name: t("library.problems") },
    run: () => {
      goTo("library", "problems");
    },
  },
];

function useDoing(): readonly Command[] {
  const playbackActions = usePlaybackActions();
  const isPaused = useNow().data?.paused_until != null;
  const takeover = useTakeover();
  const isMuted = useAnswer("readSettings", {}).data?.["muted"] === true;
  const isOn = takeover != null;
  return useMemo(() => {
    const doing = (
      id: string,
      name: string,
      run: () => unknown,
      keys?: string,
    ): Command => ({
      ...{ id, group: "actions", name },
      ...(keys !== undefined && { keys }),
      run: () => {
        run();
      },
    });
    return [
      doing("next", t("commands.next"), () => playbackActions.step("next")),
      doing("previous", t("commands.previous"), () =>
        playbackActions.step("previous"),
      ),
      isPaused
        ? doing("go-on", t("commands.resume"), () =>
            playbackActions.setPaused(false),
          )
        : doing("pause", t("commands.pause"), () =>
            playbackActions.setPaused(true),
          ),
      doing(
        "mute",
        isMuted ? t("now.controls.unmute") : t("now.controls.mute"),
        () => playbackActions.setMuted(!isMuted),
      ),
      // Opens the dialog, never ends the takeover itself: the selected command may become this one just before Enter is pressed.
      doing(
        isOn ? "end" : "takeover",
        isOn ? t("takeover.end") : t("takeover.open"),
        openTakeover,
        formats.keys("Ctrl+Shift+E"),
      ),
      ...(isOn
        ? []
        : [
            doing("hide", t("commands.blank"), () =>
              playbackActions.setHidden(true),
            ),
          ]),
      doing("screenshot", t("commands.saveScreenshot"), () =>
        playbackActions.saveScreenshot(),
      ),
      doing("add", t("uploads.addFiles"), chooseFiles),
      ...(canChooseFolder
        ? [doing("add-folder", t("uploads.addFolder"), chooseFolder)]
        : []),
      doing("undo", t("manager.undo"), undoLast, formats.keys("Ctrl+Z")),
      ...(can("machine")
        ? [doing("first-run", t("firstRun.title"), openFirstRun)]
        : []),
    ];
  }, [playbackActions, isPaused, isMuted, isOn]);
}

// Every section of the settings and every setting in it, found by name.

function settingsPlaces(): readonly Command[] {
  return sectionsHere.flatMap((section): readonly Command[] => {
    const about = t(`settings.sections.${section}`);
    const run = (): void => {
      goTo("settings", section);
    };
    return [
      {
        ...{ id: `section-${section}`, group: "settings", name: about, run },
        words: t("settings.title"),
      },
      ...settingsIn(section).map(({ wireName, words }): Command => ({
        ...{ id: wireName, group: "settings", name: words.name, about, run },
        words: `${words.synonyms ?? ""} ${wireName}`,
      })),
    ];
  });
}
