// Entry point of the stage: receives showings and reports their progress.

import type { PlaybackBridge } from "../../server/contract/ipc/ipc.ts";
import { add } from "./medium.ts";
import "./playback.css";
import { createStage } from "./stage.ts";

declare global {
  interface Window {
    readonly playback: PlaybackBridge;
  }
}

const { playback } = window;
const root = add(document.body, "main", "stage");
const stage = createStage(root, (report) => playback.report("showing", report));
playback.on("setOrientation", ({ orientation }) => {
  root.dataset.orientation = String(orientation);
});
playback.on("prepare", (showing) => stage.prepare(showing));
playback.on("tune", ({ showingId, audio }) => stage.tune(showingId, audio));
playback.on("show", ({ showingId, isBeneath }) => {
  stage.show(showingId, isBeneath);
});
playback.on("lead", ({ showingId, leadMs, isFade }) => {
  stage.lead(showingId, leadMs, isFade);
});
playback.on("start", ({ showingId }) => stage.start(showingId));
playback.report("started", {});
