// The stage wakes up: it listens for slides and reports how they fare.

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
const stage = createStage(root, (report) => playback.report("slide", report));
playback.on("turn", ({ rotation }) => {
  root.dataset.rotation = String(rotation);
});
playback.on("prepare", (slide) => void stage.prepare(slide));
playback.on("tune", ({ slideId, audio }) => stage.tune(slideId, audio));
playback.on("show", ({ slideId, isBeneath }) => {
  void stage.show(slideId, isBeneath);
});
playback.on("lead", ({ slideId, leadMs, isFade }) => {
  stage.lead(slideId, leadMs, isFade);
});
playback.on("start", ({ slideId }) => stage.start(slideId));
playback.report("started", {});
