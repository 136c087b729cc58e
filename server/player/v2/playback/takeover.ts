// takeover: begin, read and clear the takeover (V2-150 to V2-156).

import type * as z from "zod";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  createTakeoverV2,
  type TakeoverV2,
} from "../../../contract/v2/v2-screen.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { Director } from "../../playback/director.ts";
import type {
  Takeover,
  Takeovers,
  TakeoverInput,
} from "../../playback/takeover.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export interface TakeoverOperationsOptions {
  readonly takeovers: Takeovers;
  readonly director: Director;
}

export function takeoverOperations({
  takeovers,
  director,
}: TakeoverOperationsOptions) {
  return {
    readTakeover: (_request, response) => {
      const takeover = takeovers.current();
      if (!takeover)
        throw new Failure("not-found", playerSentences["takeover-none"]);
      response
        .setHeader("Cache-Control", "no-store")
        .json(takeoverToV2(takeover, director));
    },
    takeOver: (request, response) => {
      const input = inputOf(parseBody(request, createTakeoverV2));
      const begun = takeovers.begin(input);
      response.status(201).json(takeoverToV2(begun, director));
    },
    endTakeover: (_request, response) => {
      takeovers.clear();
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

function inputOf(body: z.infer<typeof createTakeoverV2>): TakeoverInput {
  const { asset_id: assetId, text, url, seconds, until, reason } = body;
  return {
    isDrill: body.is_drill ?? false,
    shown: body.blank
      ? { kind: "blank" }
      : assetId !== undefined
        ? { kind: "asset", assetId }
        : url !== undefined
          ? { kind: "page", url }
          : { kind: "text", text: text ?? "" },
    until: until ?? null,
    durationMs: seconds === undefined ? undefined : seconds * 1000,
    reason: reason ?? null,
  };
}

export function takeoverToV2(
  { id, shown, isDrill, reason, startedAt, until }: Takeover,
  director: Director,
): TakeoverV2 {
  return {
    takeover_id: id,
    asset_id: shown.kind === "asset" ? shown.assetId : null,
    text: shown.kind === "text" ? shown.text : null,
    url: shown.kind === "page" ? shown.url : null,
    blank: shown.kind === "blank",
    is_drill: isDrill,
    reason,
    started: momentToText(startedAt),
    until: until === null ? null : momentToText(until),
    is_showing: director.status()?.takeoverId === id,
    error_message: director.takeoverProblem(),
  };
}
