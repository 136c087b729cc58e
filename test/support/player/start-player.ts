// The real player on a free port, with a fake stage and a manual clock.

import { onTestFinished } from "vitest";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { createLog } from "../../../server/platform/log.ts";
import {
  createPlayer,
  type Player,
  type PlayerOptions,
} from "../../../server/player/player.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { temporaryFolder, type AtEnd } from "../folder.ts";
import { lowHashCost } from "../hash-cost.ts";
import { png } from "../media/media.ts";
import { rememberingStage, type RememberingStage } from "./stage.ts";

export interface RunningPlayer {
  readonly player: Player;
  readonly stage: RememberingStage;
  readonly clock: ManualClock;
  readonly dataDir: string;
  /** Requests the version 2 interface: path behind `/api/v2`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The same with a JSON body, parsing the JSON response. */
  send(method: string, path: string, body: unknown): Promise<Answer>;
  /** Uploads bytes and creates an asset of them. */
  add(
    overrides?: Partial<Record<string, unknown>>,
    bytes?: Buffer,
  ): Promise<AssetV2>;
  upload(bytes: Buffer, fileName?: string): Promise<Answer>;
  list(): Promise<readonly AssetV2[]>;
}

export interface Answer {
  readonly status: number;
  // Any response is for the test to judge.
  readonly body: any;
  readonly headers: Headers;
}

/** A body with every required field; dates around the manual clock's start. */
export const completeBody = {
  name: "Lobby",
  uri: "https://example.org/",
  start_date: "2020-01-01T00:00:00Z",
  end_date: "2030-01-01T00:00:00Z",
  duration: 10,
  mimetype: "webpage",
  is_enabled: true,
  skip_asset_check: true,
} as const;

export async function startPlayer(
  options: Partial<PlayerOptions> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<RunningPlayer> {
  const dataDir = options.dataDir ?? (await temporaryFolder(atEnd));
  const stage = rememberingStage();
  const clock = manualClock();
  const player = await createPlayer({
    dataDir,
    apiHost: "127.0.0.1",
    apiPort: 0,
    stage,
    clock,
    version: "0.0.0",
    takeScreenshot: () => Promise.resolve(png([1, 2, 3])),
    log: createLog({ toStandardOutput: false }),
    reserveBytes: 0,
    hashCost: lowHashCost,
    ...options,
  });
  atEnd(() => player.stop());
  await player.listen();

  const request: RunningPlayer["request"] = (path, init) =>
    fetch(`${player.apiAddress}/api/v2${path}`, init);
  const send: RunningPlayer["send"] = async (method, path, body) =>
    answerOf(
      await request(path, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const upload: RunningPlayer["upload"] = async (bytes, name = "file.png") => {
    const form = new FormData();
    form.set("file_upload", new Blob([new Uint8Array(bytes)]), name);
    return answerOf(
      await request("/file_asset", { method: "POST", body: form }),
    );
  };
  let added = 0;
  return {
    player,
    stage,
    clock,
    dataDir,
    request,
    send,
    upload,
    add: async (overrides = {}, bytes = png([added++, 9, 9])) => {
      const { body } = await upload(bytes);
      const { body: asset } = await send("POST", "/assets", {
        ...completeBody,
        mimetype: "image",
        ...body,
        ...overrides,
      });
      return asset as AssetV2;
    },
    list: async () => (await request("/assets")).json() as Promise<AssetV2[]>,
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as unknown) : text,
    headers: response.headers,
  };
}
