// The stage's page in its view: sends it commands, receives its reports and recovers it after a loss.

import { WebContentsView, type Rectangle } from "electron";
import {
  Failure,
  type Orientation,
  type Showing,
  type ShowingContent,
  type ShowingReport,
  type AudioSettings,
} from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import type { StageLoss } from "../../server/player/player.ts";
import { listenToStage, orderStage } from "../ipc.ts";
import { createWatchdog } from "./stage-watchdog.ts";

export interface StageView {
  /** Replaced by another view after the old one was given up. */
  view(): WebContentsView;
  prepare(showing: Showing): Promise<void>;
  /** `isBeneath`: a page's view still covers the stage; the showing starts with `start`, once that view is gone. */
  show(showingId: string, isBeneath: boolean): Promise<void>;
  start(showingId: string): void;
  /** The end of the clip on the screen is reported this much earlier. */
  lead(showingId: string, leadMs: number, isFade: boolean): void;
  tune(showingId: string, audio: AudioSettings): void;
  /** Orientation of the display from now on. */
  setOrientation(orientation: Orientation): void;
  /** A page's view covers the stage. */
  rest(showingId: string): void;
  /** Something is wrong on the screen: the stage is to be pinged now. */
  due(): void;
  /** Something else is shown. */
  changed(): void;
  /** Lost and not yet recovered, or about to be lost: it does not respond. */
  isAway(): boolean;
  /** Its page is running: it can be drawn, whether a showing is visible or not. */
  isUp(): boolean;
  /** Lost and not yet recovered: nothing of it is drawn. */
  isGone(): boolean;
  stop(): void;
}

export interface StageViewOptions {
  readonly preload: string;
  /** A new view replaces the old one, or is the first. */
  readonly onView: (view: WebContentsView, old: WebContentsView | null) => void;
  readonly bounds: () => Rectangle;
  /** What is shown holds still. */
  readonly isStill: () => boolean;
  readonly onEnded: (showingId: string) => void;
  readonly onFailed: (showingId: string, reason: string) => void;
  /** The stage is no longer drawn from now on. */
  readonly onLost: () => void;
  readonly onRestarted: (loss: StageLoss) => void;
  /** No stage starts any more, however often one is launched (V2-461). */
  readonly onUnrecoverable: () => void;
  readonly log: Log;
}

/** For content from the store, for remote content, and for content that needs nothing but the stage itself. */
const deadlinesMs: Readonly<Record<ShowingContent["kind"], number>> = {
  image: 10_000,
  video: 10_000,
  audio: 10_000,
  stream: 15_000,
  pdf: 15_000,
  text: 3000,
  card: 3000,
  // These have their own views.
  webpage: 0,
  app: 0,
};
const showDeadlineMs = 3000;

interface Wait {
  readonly showingId: string;
  readonly outcome: "ready" | "shown";
  /** Starts its deadline; there are no deadlines while there is no stage. */
  begin(): void;
  settle(failure: Failure | null): void;
  drop(): void;
}

export function createStageView(options: StageViewOptions): StageView {
  const { preload, onView, bounds, log } = options;
  let waits: Wait[] = [];
  let isUp = false;
  /** Why the stage was lost; null once it has recovered. */
  let loss: StageLoss | null = null;
  let orientation: Orientation = 0;
  /** Received before the page was running; only the last one still counts. */
  let pending: Showing | null = null;

  const watchdog = createWatchdog({
    // No showing is at fault, so none is failed: pending requests are repeated once the stage has recovered.
    onLost: (how) => {
      isUp = false;
      loss = how;
      pending = null;
      for (const wait of waits) wait.drop();
      waits = [];
      options.onLost();
    },
    reload: () => load(view),
    replace: () => {
      const old = view;
      view = makeView();
      onView(view, old);
      load(view);
    },
    onUnrecoverable: options.onUnrecoverable,
    isStill: options.isStill,
    log,
  });
  let view = makeView();
  listenToStage(
    { started, showing: receive },
    (contents) => contents === view.webContents,
  );
  onView(view, null);
  load(view);

  function makeView(): WebContentsView {
    const view = new WebContentsView({
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        backgroundThrottling: false,
        spellcheck: false,
        disableDialogs: true,
        navigateOnDragDrop: false,
      },
    });
    // Black before there is a page, instead of a view's default white.
    view.setBackgroundColor("#000000");
    view.setBounds(bounds());
    watchdog.watch(view.webContents);
    return view;
  }

  function load(into: WebContentsView): void {
    // The watchdog handles the outcome.
    into.webContents
      .loadURL("app://playback/index.html")
      .catch(() => undefined);
  }

  function started(): void {
    isUp = true;
    watchdog.started();
    orderStage(view.webContents, "setOrientation", { orientation });
    if (pending) orderStage(view.webContents, "prepare", pending);
    pending = null;
    for (const wait of waits) wait.begin();
    if (loss === null) return;
    const how = loss;
    loss = null;
    log.info("stage.restarted", { after: how });
    options.onRestarted(how);
  }

  function receive(report: ShowingReport): void {
    const { showingId, outcome } = report;
    if (outcome === "ended") return options.onEnded(showingId);
    const wait = waits.find(
      (each) =>
        each.showingId === showingId &&
        (each.outcome === outcome || outcome === "failed"),
    );
    if (outcome !== "failed") return wait?.settle(null);
    if (wait?.outcome === "ready")
      return wait.settle(new Failure("unavailable", report.reason));
    // A showing that fails after its page has swapped it in is on the screen, whether that was reported or not (V2-350).
    wait?.settle(null);
    options.onFailed(showingId, report.reason);
  }

  function waitFor(
    showingId: string,
    outcome: Wait["outcome"],
    deadlineMs: number,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: Failure | null) => {
        clearTimeout(timer);
        waits = waits.filter((each) => each !== wait);
        if (failure) reject(failure);
        else resolve();
      };
      const failure = () =>
        new Failure("unavailable", lateSentence(outcome, deadlineMs));
      // When the stage does not respond, a missed deadline says nothing about the showing (V2-460).
      const late = () =>
        watchdog.whenItAnswers(() => {
          if (waits.includes(wait)) settle(failure());
        });
      let timer: NodeJS.Timeout | undefined;
      const begin = () => (timer = setTimeout(late, deadlineMs));
      const drop = () => clearTimeout(timer);
      const wait: Wait = { showingId, outcome, begin, settle, drop };
      waits.push(wait);
      if (isUp) begin();
    });
  }

  function giveUp(): void {
    const failure = new Failure(
      "conflict",
      "It was replaced by another showing.",
    );
    for (const wait of waits)
      if (wait.outcome === "ready") wait.settle(failure);
  }

  return {
    view: () => view,
    prepare: (showing) => {
      giveUp();
      watchdog.due();
      const ready = waitFor(
        showing.id,
        "ready",
        deadlinesMs[showing.content.kind],
      );
      if (isUp) orderStage(view.webContents, "prepare", showing);
      else pending = showing;
      return ready;
    },
    show: (showingId, isBeneath) => {
      // What was prepared was lost with the stage; the caller is notified once the stage has recovered.
      if (!isUp) return new Promise(() => undefined);
      watchdog.due();
      const shown = waitFor(showingId, "shown", showDeadlineMs);
      orderStage(view.webContents, "show", { showingId, isBeneath });
      return shown;
    },
    start: (showingId) => {
      if (isUp) orderStage(view.webContents, "start", { showingId });
    },
    lead: (showingId, leadMs, isFade) => {
      const value = { showingId, leadMs, isFade };
      if (isUp) orderStage(view.webContents, "lead", value);
    },
    tune: (showingId, audio) => {
      if (isUp) orderStage(view.webContents, "tune", { showingId, audio });
    },
    setOrientation: (next) => {
      orientation = next;
      if (isUp) orderStage(view.webContents, "setOrientation", { orientation });
    },
    rest: (showingId) => {
      giveUp();
      if (isUp) orderStage(view.webContents, "show", { showingId });
    },
    due: () => watchdog.due(),
    changed: () => watchdog.changed(),
    isGone: () => loss !== null,
    isUp: () => isUp,
    isAway: () => loss !== null || watchdog.isSilent(),
    stop: () => watchdog.stop(),
  };
}

function lateSentence(outcome: Wait["outcome"], deadlineMs: number): string {
  return outcome === "ready"
    ? `The asset did not load within ${deadlineMs / 1000} seconds.`
    : "The asset was not displayed in time.";
}
