// pause: keep what is on screen, and resume playback (V2-291).

import { pauseV2, type PauseV2 } from "../../../contract/v2/v2-screen.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type { Pause } from "../../playback/pause.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

const defaultSeconds = 3600;

export function pauseOperations(pause: Pause) {
  return {
    pausePlayback: (request, response) => {
      const { seconds = defaultSeconds } = parseBody(request, pauseV2);
      pause.begin(seconds);
      response.status(201).json(pauseToV2(pause));
    },
    resumePlayback: (_request, response) => {
      pause.end();
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

export function pauseToV2(pause: Pause): PauseV2 {
  const until = pause.until();
  return { paused_until: until === null ? null : momentToText(until) };
}
