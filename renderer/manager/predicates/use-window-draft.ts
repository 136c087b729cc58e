// Draft of one weekly window: its days and both times are edited as one draft, saved together.

import { useState, type FocusEvent } from "react";
import { flushSync } from "react-dom";
import { useDraft, type EditedField } from "../components/drafts/use-draft.ts";
import { t } from "../../locales/messages.ts";
import {
  isOverMidnight,
  predicateOf,
  type WeeklyWindow,
} from "./weekly-windows.ts";
import {
  partsOfText,
  partsOfWindow,
  textOfParts,
  windowOfParts,
  type WindowParts,
} from "./window-text.ts";
import { inWords } from "./predicate-text.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface WindowDraftOptions {
  /** Which window of which playlist. */
  readonly key: string;
  readonly window: WeeklyWindow;
  /** Name of the playlist. */
  readonly name: string;
  readonly zone: string;
  readonly goBack: (() => void) | null;
  /** Returns whether it was accepted. */
  readonly onWindow: (window: WeeklyWindow) => Promise<boolean>;
}

export interface WindowDraft extends EditedField, WindowParts {
  /** As typed, if it can be parsed; otherwise as stored. */
  readonly window: WeeklyWindow;
  readonly put: (change: Partial<WindowParts>, isHalf?: boolean) => void;
  /** It would newly extend past midnight: a confirmation is required. */
  readonly needsNextDayConfirmation: boolean;
  readonly takeNextDay: () => void;
  /** The stored value, in words. */
  readonly theirs: string;
}

export function useWindowDraft(options: WindowDraftOptions): WindowDraft {
  const { key, window, name, zone, goBack, onWindow } = options;
  const [overnight, setOvernight] = useState<string | null>(null);
  const stored = textOfParts(partsOfWindow(window));
  const { attach, ...draft } = useDraft({
    ...{
      key,
      stored,
      place: { field: t("playlists.schedule.times"), of: name, goBack },
    },
    read: (text) => {
      const parts = partsOfText(text);
      const draftWindow = windowOfParts(parts, window);
      if (draftWindow === null) return { wrong: t("manager.incompleteValue") };
      if (draftWindow.days.length === 0)
        return { wrong: t("playlists.schedule.noDays") };
      if (draftWindow.fromMs === draftWindow.untilMs)
        return { wrong: t("playlists.schedule.sameTimes") };
      const isNew = isOverMidnight(draftWindow) && !isOverMidnight(window);
      return isNew && overnight !== text
        ? { wrong: t("playlists.schedule.confirmNextDay") }
        : { stored: textOfParts(partsOfWindow(draftWindow)) };
    },
    save: async (text) => {
      const draftWindow = windowOfParts(partsOfText(text), window);
      const isSaved = draftWindow !== null && (await onWindow(draftWindow));
      return isSaved ? { isSaved } : { isSaved, reason: null };
    },
  });
  const parts =
    draft.typed === null ? partsOfWindow(window) : partsOfText(draft.typed);
  return {
    ...{ ...draft, attach, ...parts },
    window: windowOfParts(parts, window) ?? window,
    put: (change, isHalf) => {
      draft.type(textOfParts({ ...parts, ...change }), isHalf);
    },
    needsNextDayConfirmation:
      draft.wrong === t("playlists.schedule.confirmNextDay"),
    takeNextDay: () => {
      flushSync(() => {
        setOvernight(draft.typed);
      });
      draft.leave().catch(notifyInternalError);
    },
    theirs: inWords(
      predicateOf({ windows: [window], dates: [], written: null }),
      zone,
    ),
  };
}

/** For the element around the fields of one draft: whether the focus leaves all of them. */
export function isLeft(event: FocusEvent): boolean {
  const { currentTarget, relatedTarget } = event;
  return !(
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
  );
}

/** Whether any of the fields in it is half typed. */
export function hasHalfTyped(around: Element): boolean {
  return [...around.querySelectorAll("input")].some(
    ({ validity }) => validity.badInput,
  );
}
