// pause: keep what is on the glass, and go on again (V2-291).

import type { RequestHandler } from "express";
import { pauseV2, type PauseV2 } from "../../contract/v2-glass.ts";
import { momentToText } from "../../contract/v2-values.ts";
import type { Pause } from "../pause.ts";
import { parseBody } from "./body.ts";

export interface PauseOperations {
  readonly begin: RequestHandler;
  readonly end: RequestHandler;
}

const usualSeconds = 3600;

export function pauseOperations(pause: Pause): PauseOperations {
  return {
    begin: (request, response) => {
      const { seconds = usualSeconds } = parseBody(request, pauseV2);
      pause.begin(seconds);
      response.status(201).json(pauseToV2(pause));
    },
    end: (_request, response) => {
      pause.end();
      response.status(204).end();
    },
  };
}

export function pauseToV2(pause: Pause): PauseV2 {
  const until = pause.until();
  return { paused_until: until === null ? null : momentToText(until) };
}
