// Screen verification: every few seconds compares what is on the screen with what should be there.

import type { NativeImage, Rectangle, Size, WebContents } from "electron";
import type { ShowingContent } from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import {
  after,
  afterAbout,
  earlyMsOf,
} from "../../server/platform/shared-timer.ts";
import type { ScreenVerdict } from "../../server/player/player.ts";
import {
  gridLines,
  gridOf,
  isAlike,
  isAlikeOverTime,
  isMoving,
  isOneColour,
  isPlain,
  linesOf,
  type Grid,
  type PixelImage,
} from "../screenshots/compare-screenshots.ts";
import { mayBeOneColoured, mediaTimes } from "./stage-readings.ts";
import { drawnPixels } from "../screenshots/view-screenshot.ts";
import { isFoundBlank, noteFilled } from "../web/web-health.ts";

/** What should be on the screen. */
export interface VerificationSubject {
  readonly showingId: string;
  readonly content: ShowingContent;
  /** Monotonic time at which it appeared on the screen. */
  readonly shownAtMs: number;
  /** Size of its view. */
  size(): Size;
  /** Screenshot of its own view, or of a part of it, whatever covers the view. */
  capture(part?: Rectangle): Promise<NativeImage>;
  /** Web contents of the stage or of the page; null while there are none. */
  contents(): WebContents | null;
  /** Whether its view is the topmost in the window. */
  isOnTop(): boolean;
}

export interface ScreenVerificationOptions {
  readonly subject: () => VerificationSubject | null;
  /** Lines of the screen within the playback window; null where the screen cannot be read. */
  readonly lines: (count: number) => Promise<PixelImage | null>;
  readonly onVerdict: (verdict: ScreenVerdict) => void;
  readonly intervalMs?: number;
}

export interface ScreenVerification {
  /** The screen shows something else now. */
  changed(): void;
  stop(): void;
}

type Verdict = ScreenVerdict["verdict"];
type Found = Pick<ScreenVerdict, "verdict" | "isBlameless">;
type Blank = Required<Pick<ScreenVerdict, "isBlameless">>;

/** A check takes a few milliseconds of processor time: at this interval it costs less than one per cent. */
const defaultIntervalMs = 5000;
/**
 * Pages can become blank without any event, so they are checked more often: one that has left the screen does so within 2 s
 * (V2-601).
 */
const pagesIntervalMs = 600;
/** What seems blank is checked again quickly, so that it does not stay for long. */
const blankAgainMs = 600;
const blankPageAgainMs = 300;
/** A new showing is checked sooner, but never more often than this. */
const minIntervalMs = 2500;
/** Before this, a transition may still be under way. */
const stableAfterMs = 1200;
const tickMs = 300;
/** What is static is due only every few seconds; a change is noticed well before its transition has ended. */
const restTickMs = 1000;
/** A screenshot of a view may never resolve; the next check must run all the same. */
const checkTimeoutMs = 10_000;
/** Two samples of something that moves are never the same: it must differ in each of these, and in all of them together. */
const samplesPerCheck = 6;
/** Uneven, so that repeating content is not sampled at the same point each time. */
const sampleGapsMs = [110, 190, 270, 150, 230];
/** Kinds that do not move while they are on the screen. */
const isPage = ({ kind }: ShowingContent): boolean =>
  kind === "webpage" || kind === "app";
const still = new Set<ShowingContent["kind"]>(["image", "text"]);
/** Static kinds, and kinds that change only now and then. */
export const rests = ({ kind }: ShowingContent): boolean =>
  still.has(kind) || kind === "card";
const playing = new Set<ShowingContent["kind"]>(["video", "stream"]);
/** Always drawn with something on it. */
const neverPlain = new Set<ShowingContent["kind"]>(["card", "text", "audio"]);

/** Result of the previous check of a showing. */
interface Memory {
  readonly showingId: string;
  readonly grid: Grid;
  readonly times: readonly number[];
  /** When these media times were first seen; they had changed since the check before. */
  readonly movedAtMs: number;
  readonly wasWrong: boolean;
  readonly wasVerified: boolean;
  /** When the screen was last compared with the view, and what the screen showed then. */
  readonly compared: { readonly atMs: number; readonly grid: Grid } | null;
}

/** A video without a change of media time or image for this long is frozen. */
const frozenMs = 4000;

export function createScreenVerification(
  options: ScreenVerificationOptions,
): ScreenVerification {
  const { subject, lines, onVerdict, intervalMs = defaultIntervalMs } = options;
  let memory: Memory | null = null;
  let isChecking = false;
  let isStopped = false;
  /** Whether the current showing's own content may be of one colour; determined once per showing. */
  let plain: { readonly showingId: string; readonly isPlain: boolean } | null =
    null;
  let lastCheck = { showingId: "", atMs: -Infinity, wasBlank: false };

  /** What is to be checked now; null while it is too early. */
  function due(on: VerificationSubject | null): VerificationSubject | null {
    const now = performance.now();
    if (isChecking || !on || now - on.shownAtMs < stableAfterMs) return null;
    const pauseMs = pauseBefore(on);
    // Batched with other periodic work, a check may run a little early.
    const isEarly = now - lastCheck.atMs < pauseMs - earlyMsOf(pauseMs);
    return isEarly ? null : on;
  }

  function pauseBefore(on: VerificationSubject): number {
    if (on.showingId !== lastCheck.showingId)
      return Math.min(minIntervalMs, intervalMs);
    const [plain, blank] = isPage(on.content)
      ? [pagesIntervalMs, blankPageAgainMs]
      : [intervalMs, blankAgainMs];
    return Math.min(lastCheck.wasBlank ? blank : plain, intervalMs);
  }

  async function check(on: VerificationSubject): Promise<void> {
    const { showingId } = on;
    lastCheck = { showingId, atMs: performance.now(), wasBlank: false };
    const thisCheck = lastCheck;
    const found = await verdictOn(on);
    // It exceeded its time limit: another check has begun.
    if (lastCheck !== thisCheck) return;
    thisCheck.wasBlank = found?.verdict === "blank";
    // The result does not apply to a showing that has left the screen meanwhile.
    if (found === null || subject()?.showingId !== on.showingId) return;
    const tookMs = performance.now() - thisCheck.atMs;
    onVerdict({ showingId, ...found, at: Date.now(), tookMs });
  }

  async function verdictOn(on: VerificationSubject): Promise<Found | null> {
    if (!on.isOnTop()) return { verdict: "wrong" };
    const seen = await visibleGrid(on);
    if (!seen) return null;
    const before = memory?.showingId === on.showingId ? memory : null;
    const times = playing.has(on.content.kind)
      ? await mediaTimes(on.contents())
      : [];
    const hasMoved =
      !before ||
      !seen.equals(before.grid) ||
      times.join() !== before.times.join();
    const now = performance.now();
    const movedAtMs = hasMoved ? now : before.movedAtMs;
    const remember = (
      verdict: Verdict,
      compared: Memory["compared"] = null,
    ): Found => {
      memory = {
        ...{ showingId: on.showingId, grid: seen, times, movedAtMs, compared },
        ...{
          wasWrong: verdict === "wrong",
          wasVerified: verdict === "verified",
        },
      };
      return { verdict };
    };
    // Same grid as when it was compared with the view; that comparison is most of what a check costs.
    const isAsBefore = rests(on.content) && !hasMoved && before.wasVerified;
    // Full screenshots of screen and view cost far more than a check: content that is meant to be of one colour needs none.
    const isPlainly = isPlain(seen, 3);
    if (!isPlainly) noteSeen(on);
    const isSuspect = isPlainly && !(isAsBefore && (await isMeantPlain(on)));
    const blank = isSuspect ? await findBlank(on) : null;
    if (blank) return { ...remember("blank"), ...blank };
    if (isAsBefore) return { verdict: "verified" };
    // Whether the page is blank is checked far more often than whether something else is shown, and costs far less.
    if (isPage(on.content) && before?.wasVerified && before.compared) {
      const { atMs, grid } = before.compared;
      const isRecent = now - atMs < intervalMs - earlyMsOf(intervalMs);
      if (isRecent && isAlike(seen, grid))
        return remember("verified", before.compared);
    }
    const compared = await compare(on, seen);
    if (!compared) return null;
    const { isWrong, isStill } = compared;
    const isSure =
      (still.has(on.content.kind) && isStill) || before?.wasWrong === true;
    const found = remember(isWrong ? "wrong" : "verified", {
      atMs: now,
      grid: seen,
    });
    if (isWrong) return isSure ? found : null;
    return playing.has(on.content.kind) && now - movedAtMs >= frozenMs
      ? { verdict: "frozen" }
      : found;
  }

  /** Records that the page has had content, to detect it becoming blank later. Does not wait for a page that does not respond. */
  function noteSeen(on: VerificationSubject): void {
    const contents = isPage(on.content) ? on.contents() : null;
    if (contents && !contents.isDestroyed())
      noteFilled(contents).catch(() => undefined);
  }

  async function visibleGrid(on: VerificationSubject): Promise<Grid | null> {
    const screen = await lines(gridLines);
    if (screen) return gridOf(screen);
    return ownGrid(on);
  }

  /** Every pixel has one colour, though the expected content has more; null when that is not so. */
  async function findBlank(on: VerificationSubject): Promise<Blank | null> {
    const ownPixels = await pixelImageOf(on);
    const combined = (await lines(ownPixels?.height ?? gridLines)) ?? ownPixels;
    // Of a page only its pixels and its DOM are known; everything else is drawn by Vitrine, so its exact pixels are.
    const isEmpty = isPage(on.content) ? isPlain : isOneColour;
    if (!combined || !isEmpty(combined.pixels)) return null;
    const isOnlyOnScreen =
      ownPixels !== null &&
      isOneColour(combined.pixels) &&
      !isEmpty(ownPixels.pixels);
    if (!isOnlyOnScreen && !(await isBlankItself(on))) return null;
    // A view without a screenshot points to the graphics.
    return { isBlameless: isOnlyOnScreen || ownPixels === null };
  }

  async function isMeantPlain(on: VerificationSubject): Promise<boolean> {
    const { showingId, content } = on;
    if (content.kind === "text") return content.text === "";
    if (content.kind !== "image") return false;
    if (plain?.showingId === showingId) return plain.isPlain;
    const found = await mayBeOneColoured(on.contents(), content);
    // What cannot be determined now may be later.
    if (found !== null) plain = { showingId, isPlain: found };
    return found === true;
  }

  /** The screen is of one colour, and so is the view as far as is known. */
  async function isBlankItself(on: VerificationSubject): Promise<boolean> {
    const { content } = on;
    const contents = on.contents();
    // A page may be of one colour for a while; one without any content has lost what it showed.
    if (isPage(content)) return contents !== null && isFoundBlank(contents);
    if (content.kind === "text" && content.text === "") return false;
    if (neverPlain.has(content.kind)) return true;
    if (content.kind !== "image") return false;
    return (await mayBeOneColoured(contents, content)) === false;
  }

  /**
   * Null where one of the two could not be read. `isStill`: the expected content did not change meanwhile, as for an image that
   * is not animated.
   */
  async function compare(
    on: VerificationSubject,
    first: Grid,
  ): Promise<{ readonly isWrong: boolean; readonly isStill: boolean } | null> {
    const screens: Grid[] = [];
    const owns: Grid[] = [];
    for (let seen: Grid | null = first; ; seen = await visibleGrid(on)) {
      const ownPixels = await ownGrid(on);
      if (!seen || !ownPixels) return null;
      if (isAlike(seen, ownPixels)) return { isWrong: false, isStill: true };
      screens.push(seen);
      owns.push(ownPixels);
      const pauseMs = sampleGapsMs[owns.length - 1];
      if (owns.length === samplesPerCheck || pauseMs === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (subject()?.showingId !== on.showingId) return null;
    }
    return {
      isWrong: !isAlikeOverTime(screens, owns),
      isStill: !isMoving(owns),
    };
  }

  let stopWaiting = after(tickMs, tick);

  /** A wake-up costs as much as a check: there are no more of them than checks may be due. */
  function planTick(current: VerificationSubject | null): void {
    stopWaiting = afterAbout(current ? untilDueMs(current) : restTickMs, tick);
  }

  function untilDueMs(on: VerificationSubject): number {
    if (isChecking) return tickMs;
    const dueAtMs = Math.max(
      on.shownAtMs + stableAfterMs,
      lastCheck.atMs + pauseBefore(on),
    );
    const inMs = Math.ceil(dueAtMs - performance.now());
    return Math.max(tickMs, Math.min(inMs, intervalMs));
  }

  function tick(): void {
    const current = subject();
    const on = due(current);
    if (!on) return planTick(current);
    isChecking = true;
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, checkTimeoutMs);
    });
    Promise.race([check(on), late])
      // The view was closed during the check: the next check sees its successor.
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timeout);
        isChecking = false;
        if (!isStopped) planTick(subject());
      });
  }

  return {
    changed: () => {
      if (isChecking || isStopped) return;
      stopWaiting();
      planTick(subject());
    },
    stop: () => {
      isStopped = true;
      stopWaiting();
    },
  };
}

/** Grid of the subject's own view; null where that cannot be read. */
export async function ownGrid(on: VerificationSubject): Promise<Grid | null> {
  const { width, height } = on.size();
  const strips = await Promise.all(
    linesOf(height, gridLines).map((y) =>
      on.capture({ x: 0, y, width, height: 1 }),
    ),
  );
  // On a high-density display a line is several pixels high; the first of them is used.
  const across = strips[0]?.getSize().width ?? 0;
  const drawn = strips.map(drawnPixels).filter((line) => line !== null);
  if (across === 0 || drawn.length < strips.length) return null;
  const pixels = Buffer.concat(
    drawn.map((line) => line.subarray(0, across * 4)),
  );
  return gridOf({ width: across, height: strips.length, pixels });
}

async function pixelImageOf(
  on: VerificationSubject,
): Promise<PixelImage | null> {
  const image = await on.capture();
  const pixels = drawnPixels(image);
  return pixels && { ...image.getSize(), pixels };
}

/** In pixels of the screen. */
export function onScreen(
  { x, y, width, height }: Rectangle,
  scale: number,
): Rectangle {
  return {
    x: Math.round(x * scale),
    y: Math.round(y * scale),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
}

/** Logs changes of the verdict only: a persistent problem is not logged every few seconds. */
export function verdictLog(log: Log): (verdict: ScreenVerdict) => void {
  let last: ScreenVerdict["verdict"] = "verified";
  return ({ verdict, showingId: showing }) => {
    if (verdict === last) return;
    last = verdict;
    if (verdict === "verified") log.info("screen.verified", { showing });
    else log.warn(`screen.${verdict}`, { showing });
  };
}
