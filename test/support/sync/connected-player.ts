// A player with one connection to a content service that has one image, and what such a service may have next.

import type { SyncConnectionInput } from "../../../server/core/sync-plan/sync-state.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type FaultyCloud,
} from "../faulty-service/faulty-service.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "./start-sync.ts";

export const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];

export const both = [{ id: "P1", assets: [red, green] }];

export interface ConnectedPlayer extends RunningSync {
  readonly cloud: FaultyCloud;
  readonly id: string;
  names(): Promise<readonly string[]>;
}

export async function startConnectedPlayer(
  connection: Partial<SyncConnectionInput> = {},
  options: StartSyncOptions & { cloud?: FaultyCloud } = {},
): Promise<ConnectedPlayer> {
  const cloud = options.cloud ?? (await serveFaultyCloud());
  cloud.playlists = [{ id: "P1", assets: [red] }];
  const running = await startSync(options);
  const id = await running.connect({ baseUrl: cloud.address, ...connection });
  const names = async (): Promise<readonly string[]> =>
    (await running.list()).map(({ name }) => String(name));
  return { ...running, cloud, id, names };
}
