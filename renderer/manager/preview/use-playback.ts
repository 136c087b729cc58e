// Plays preview items on the stage in the preview's iframe: prepared, shown, and one after the other, as the player does.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ShowingReport } from "../../../server/contract/ipc/ipc.ts";
import type { PreviewOrder, PreviewReport } from "../../preview/main.ts";
import {
  lengthOf,
  previewItemAt,
  totalOf,
  type PreviewItem,
} from "./preview-items.ts";

const frameOrigin = "app://playback";
export const frameAddress = `${frameOrigin}/preview-page.html`;
/** The reason stays visible for a moment when a showing fails. */
const failedMs = 3000;
const tickMs = 250;

export interface Playback {
  readonly index: number;
  readonly previewItem: PreviewItem | null;
  /** Seconds into the whole cycle, and the length of the cycle. */
  readonly position: number;
  readonly total: number;
  readonly isPlaying: boolean;
  readonly isLoading: boolean;
  /** Why the item cannot be shown here. */
  readonly problem: string | null;
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly goTo: (index: number) => void;
  readonly seek: (seconds: number) => void;
}

interface PreviewPosition {
  readonly index: number;
  /** Counts the showings: each has an id of its own. */
  readonly showing: number;
}

const firstPosition: PreviewPosition = { index: 0, showing: 0 };

export function usePlayback(
  frame: React.RefObject<HTMLIFrameElement | null>,
  previewItems: readonly PreviewItem[],
  isPortrait: boolean,
): Playback {
  const [isUp, setUp] = useState(false);
  const [previewPosition, setPreviewPosition] = useState(firstPosition);
  const [isPlaying, setPlaying] = useState(true);
  /** When it was shown, without a pause; null while it is still loading. */
  const [shownAt, setShownAt] = useState<number | null>(null);
  /** Seconds into it at that moment, and now. */
  const [into, setInto] = useState(0);
  const [elapsed, setElapsed] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const index = Math.min(
    previewPosition.index,
    Math.max(0, previewItems.length - 1),
  );
  const previewItem = previewItems[index] ?? null;
  const showingId = previewItem
    ? `${previewItem.id}#${previewPosition.showing}`
    : "";
  // The library is refetched often; only what looks different is shown again.
  const content = previewItem
    ? JSON.stringify(previewItem.showing.content)
    : "";

  const move = useCallback((to: number, from = 0) => {
    setPreviewPosition(({ showing }) => ({ index: to, showing: showing + 1 }));
    setShownAt(null);
    setInto(from);
    setElapsed(from);
    setProblem(null);
  }, []);
  const count = previewItems.length;
  const next = useCallback(() => {
    move(count === 0 ? 0 : (index + 1) % count);
  }, [move, index, count]);

  const onReport = useRef<(report: ShowingReport) => void>(() => undefined);
  useEffect(() => {
    onReport.current = (report) => {
      if (report.showingId !== showingId) return;
      if (report.outcome === "ready")
        postToFrame(frame.current, { order: "show", value: { showingId } });
      if (report.outcome === "shown") setShownAt(performance.now());
      if (report.outcome === "failed") {
        setProblem(report.reason);
        setShownAt(performance.now());
      }
      if (report.outcome === "ended" && isPlaying) next();
    };
  }, [showingId, frame, next, isPlaying]);

  useEffect(() => {
    const listen = (event: MessageEvent<PreviewReport>) => {
      if (event.source !== frame.current?.contentWindow) return;
      if (event.origin !== frameOrigin) return;
      if (event.data.report === "started") setUp(true);
      else if (event.data.report === "showing")
        onReport.current(event.data.value);
    };
    window.addEventListener("message", listen);
    return () => {
      window.removeEventListener("message", listen);
    };
  }, [frame]);

  useEffect(() => {
    if (isUp)
      postToFrame(frame.current, {
        order: "setOrientation",
        value: { orientation: isPortrait ? 90 : 0 },
      });
  }, [isUp, isPortrait, frame]);

  const showing = useRef(previewItem);
  useEffect(() => {
    showing.current = previewItem;
  }, [previewItem]);
  useEffect(() => {
    const requested = showing.current;
    if (!isUp || !requested) return;
    if (requested.address === null)
      postToFrame(frame.current, {
        order: "prepare",
        value: { ...requested.showing, id: showingId },
      });
    else {
      // A page has a view of its own on the screen; the preview only describes it.
      postToFrame(frame.current, { order: "show", value: { showingId } });
      setShownAt(performance.now());
    }
  }, [isUp, showingId, content, frame]);

  const seconds = previewItem ? lengthOf(previewItem) : 0;
  const endsByItself =
    previewItem?.seconds === null && previewItem.address === null;
  useEffect(() => {
    if (shownAt === null || !isPlaying) return;
    const passedMs = () => performance.now() - shownAt;
    const totalMs = problem === null ? (seconds - into) * 1000 : failedMs;
    const timer =
      problem === null && endsByItself
        ? undefined
        : setTimeout(next, Math.max(0, totalMs - passedMs()));
    const ticking = setInterval(() => {
      setElapsed(into + passedMs() / 1000);
    }, tickMs);
    return () => {
      clearTimeout(timer);
      clearInterval(ticking);
    };
  }, [shownAt, into, isPlaying, seconds, problem, next, endsByItself]);

  const before = useMemo(
    () => totalOf(previewItems.slice(0, index)),
    [previewItems, index],
  );
  const total = useMemo(() => totalOf(previewItems), [previewItems]);
  return {
    ...{ index, previewItem, total, isPlaying, problem },
    setPlaying: (shouldPlay) => {
      // After a pause it continues where it was.
      setInto(elapsed);
      if (shownAt !== null) setShownAt(performance.now());
      setPlaying(shouldPlay);
    },
    position: before + Math.min(elapsed, seconds),
    isLoading: previewItem !== null && shownAt === null,
    goTo: (to) => {
      move(count === 0 ? 0 : (to + count) % count);
    },
    seek: (to) => {
      const place = previewItemAt(previewItems, to);
      move(place.index, place.into);
    },
  };
}

function postToFrame(
  frame: HTMLIFrameElement | null,
  requested: PreviewOrder,
): void {
  frame?.contentWindow?.postMessage(requested, frameOrigin);
}
