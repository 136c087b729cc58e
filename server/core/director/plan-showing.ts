// Creates showings for what is due: a lineup entry, a takeover or the idle screen.

import { plainWebOptions, type Asset } from "../asset.ts";
import type { OrderedLineup } from "../schedule/ordered-lineup.ts";
import {
  idleScreenShowing,
  showingOf,
  audioOf,
  withAudio,
  type IdleScreen,
  type PresentationDefaults,
  type Showing,
  type ShowingContent,
} from "../showing.ts";
import { entryNow, type Target } from "./playhead.ts";
import type {
  VisibleShowing,
  ScreenTakeover,
  PlannedShowing,
} from "./planned-showing.ts";

const nothing = { asset: null, entry: null, place: null, takeover: null };

export function plannedIdleScreen(
  idleScreen: IdleScreen,
  id: string,
): PlannedShowing {
  return { ...nothing, showing: idleScreenShowing(idleScreen, id) };
}

export function plannedEntry(
  { entry, place, isExtra }: Target,
  id: string,
  presentationDefaults: PresentationDefaults,
): PlannedShowing {
  return {
    showing: showingOf(entry, id, presentationDefaults),
    ...{ asset: entry.asset, entry, takeover: null },
    place: isExtra ? null : place,
  };
}

/** Its asset, if it shows one, in its current state. */
export function plannedTakeover(
  takeover: ScreenTakeover,
  asset: Asset | null,
  id: string,
  presentationDefaults: PresentationDefaults,
): PlannedShowing {
  return {
    ...{ ...nothing, asset, takeover },
    showing: {
      ...(asset
        ? assetShowing(asset, id, presentationDefaults)
        : messageShowing(takeover.shown, id, presentationDefaults)),
      // It ends with the takeover.
      ...{ durationSeconds: null, transition: "cut" },
    },
  };
}

/** Updates what may change while a showing stays: its name, duration and audio. Returns the same object if nothing changed. */
export function refreshed(
  current: VisibleShowing,
  lineup: OrderedLineup,
  presentationDefaults: PresentationDefaults,
): VisibleShowing {
  const { entry, takeover, asset, showing } = current;
  const entryThen = entry && entryNow(lineup, entry);
  const now = entryThen
    ? showingOf(entryThen, "", presentationDefaults)
    : takeover &&
      plannedTakeover(takeover, asset, "", presentationDefaults).showing;
  if (!now) return current;
  const { name, durationSeconds } = now;
  const content = withAudio(showing.content, audioOf(now.content));
  return {
    ...current,
    ...(entryThen && { entry: entryThen, asset: entryThen.asset }),
    showing: { ...showing, name, durationSeconds, content },
  };
}

function assetShowing(
  asset: Asset,
  id: string,
  presentationDefaults: PresentationDefaults,
): Showing {
  const showing = showingOf(
    { asset, durationSeconds: null, transition: null },
    id,
    presentationDefaults,
  );
  const { content } = showing;
  // Content with an end of its own is started again, however long it is usually shown.
  return content.kind === "video" || content.kind === "audio"
    ? { ...showing, content: { ...content, loop: true } }
    : showing;
}

function messageShowing(
  shown: ScreenTakeover["shown"],
  id: string,
  { audio }: PresentationDefaults,
): Showing {
  const common = {
    ...{ id, assetId: null, durationSeconds: null },
    transition: "cut",
  } as const;
  if (shown.kind === "page") {
    const { url } = shown;
    const content: ShowingContent = {
      ...{ kind: "webpage", url, noCache: false },
      ...{ web: plainWebOptions, audio },
    };
    return { ...common, name: url, content };
  }
  const text = shown.kind === "text" ? shown.text : "";
  return { ...common, name: text, content: { kind: "text", text } };
}
