// Plays scenes on the stage in the preview's frame: prepared, shown, and one after the other, as the player does.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ShowingReport } from "../../../../server/contract/ipc/ipc.ts";
import type { PreviewOrder, PreviewReport } from "../../../preview/main.ts";
import { lengthOf, sceneAt, totalOf, type Scene } from "./scenes.ts";

const frameOrigin = "app://playback";
export const frameAddress = `${frameOrigin}/preview-page.html`;
/** A slide that cannot be shown is read about for a moment. */
const failedMs = 3000;
const tickMs = 250;

export interface Playback {
  readonly index: number;
  readonly scene: Scene | null;
  /** Seconds into the whole round, and how long that is. */
  readonly position: number;
  readonly total: number;
  readonly isPlaying: boolean;
  readonly isLoading: boolean;
  /** Why the scene cannot be shown here. */
  readonly problem: string | null;
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly goTo: (index: number) => void;
  readonly seek: (seconds: number) => void;
}

interface PreviewPosition {
  readonly index: number;
  /** Counts the showings: each has an identifier of its own. */
  readonly showing: number;
}

const firstPosition: PreviewPosition = { index: 0, showing: 0 };

export function usePlayback(
  frame: React.RefObject<HTMLIFrameElement | null>,
  scenes: readonly Scene[],
  isPortrait: boolean,
): Playback {
  const [isUp, setUp] = useState(false);
  const [previewPosition, setPreviewPosition] = useState(firstPosition);
  const [isPlaying, setPlaying] = useState(true);
  /** Since when it is on, without a pause; null while it is not there yet. */
  const [shownAt, setShownAt] = useState<number | null>(null);
  /** Seconds into it at that moment, and now. */
  const [into, setInto] = useState(0);
  const [elapsed, setElapsed] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const index = Math.min(previewPosition.index, Math.max(0, scenes.length - 1));
  const scene = scenes[index] ?? null;
  const showingId = scene ? `${scene.id}#${previewPosition.showing}` : "";
  // The library is often answered anew; only what looks different is shown anew.
  const content = scene ? JSON.stringify(scene.showing.content) : "";

  const move = useCallback((to: number, from = 0) => {
    setPreviewPosition(({ showing }) => ({ index: to, showing: showing + 1 }));
    setShownAt(null);
    setInto(from);
    setElapsed(from);
    setProblem(null);
  }, []);
  const count = scenes.length;
  const next = useCallback(() => {
    move(count === 0 ? 0 : (index + 1) % count);
  }, [move, index, count]);

  const heard = useRef<(report: ShowingReport) => void>(() => undefined);
  useEffect(() => {
    heard.current = (report) => {
      if (report.showingId !== showingId) return;
      if (report.outcome === "ready")
        tellFrame(frame.current, { order: "show", value: { showingId } });
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
      else if (event.data.report === "showing") heard.current(event.data.value);
    };
    window.addEventListener("message", listen);
    return () => {
      window.removeEventListener("message", listen);
    };
  }, [frame]);

  useEffect(() => {
    if (isUp)
      tellFrame(frame.current, {
        order: "setOrientation",
        value: { orientation: isPortrait ? 90 : 0 },
      });
  }, [isUp, isPortrait, frame]);

  const showing = useRef(scene);
  useEffect(() => {
    showing.current = scene;
  }, [scene]);
  useEffect(() => {
    const wanted = showing.current;
    if (!isUp || !wanted) return;
    if (wanted.address === null)
      tellFrame(frame.current, {
        order: "prepare",
        value: { ...wanted.showing, id: showingId },
      });
    else {
      // A page has a view of its own on the screen; here it is told about.
      tellFrame(frame.current, { order: "show", value: { showingId } });
      setShownAt(performance.now());
    }
  }, [isUp, showingId, content, frame]);

  const seconds = scene ? lengthOf(scene) : 0;
  const endsByItself = scene?.seconds === null && scene.address === null;
  useEffect(() => {
    if (shownAt === null || !isPlaying) return;
    const passedMs = () => performance.now() - shownAt;
    const wholeMs = problem === null ? (seconds - into) * 1000 : failedMs;
    const timer =
      problem === null && endsByItself
        ? undefined
        : setTimeout(next, Math.max(0, wholeMs - passedMs()));
    const ticking = setInterval(() => {
      setElapsed(into + passedMs() / 1000);
    }, tickMs);
    return () => {
      clearTimeout(timer);
      clearInterval(ticking);
    };
  }, [shownAt, into, isPlaying, seconds, problem, next, endsByItself]);

  const before = useMemo(
    () => totalOf(scenes.slice(0, index)),
    [scenes, index],
  );
  const total = useMemo(() => totalOf(scenes), [scenes]);
  return {
    ...{ index, scene, total, isPlaying, problem },
    setPlaying: (isWanted) => {
      // After a pause it goes on from where it was.
      setInto(elapsed);
      if (shownAt !== null) setShownAt(performance.now());
      setPlaying(isWanted);
    },
    position: before + Math.min(elapsed, seconds),
    isLoading: scene !== null && shownAt === null,
    goTo: (to) => {
      move(count === 0 ? 0 : (to + count) % count);
    },
    seek: (to) => {
      const place = sceneAt(scenes, to);
      move(place.index, place.into);
    },
  };
}

function tellFrame(
  frame: HTMLIFrameElement | null,
  wanted: PreviewOrder,
): void {
  frame?.contentWindow?.postMessage(wanted, frameOrigin);
}
