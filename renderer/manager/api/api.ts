// What several pages read, as hooks: queried once and again when something changed.

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { MachineView } from "../../../server/contract/ipc/ipc.ts";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { viewOf, type AssetView } from "./asset-view.ts";
import { keyOf, operate, useAnswer } from "./operations.ts";
import { can, isBrowser } from "../place/abilities.ts";
import type { Screenshot } from "../transport/player-transport.ts";
import { transport } from "../transport/transport.ts";

export const nowKey = keyOf("readNow", {});
export const assetsKey = keyOf("listAssets", {});
export const screenshotKey = ["screenshot"];
export const machineKey = ["machine"];

/** A change on the screen is visible here after at most this time; a shorter interval would only cost CPU. */
const screenshotIntervalMs = 1_800;

/** What is on the screen; every change of it arrives as an event. */
export function useNow(): UseQueryResult<NowV2> {
  return useAnswer("readNow", {});
}

/** Every asset in play order, even ten thousand of them. */
export function useAssets(): UseQueryResult<readonly AssetView[]> {
  return useQuery({
    queryKey: assetsKey,
    queryFn: () => operate("listAssets", {}),
    select: viewsOf,
  });
}

function viewsOf(assets: readonly AssetV2[]): readonly AssetView[] {
  return assets.map(viewOf);
}

const machineIntervalMs = 30_000;

/** This machine as the manager sees it; nothing in a browser. */
export function useMachine(): UseQueryResult<MachineView> {
  return useQuery({
    queryKey: machineKey,
    queryFn: () => window.manager.getMachine({}),
    enabled: can("machine"),
    // Its address is another one once HTTPS can be used.
    refetchInterval: machineIntervalMs,
  });
}

/** Address of the player's interface; empty until it is known. */
export function useApiAddress(): string {
  const address = useMachine().data?.apiAddress ?? "";
  return isBrowser ? window.location.origin : address;
}

/** The time zone the schedule uses; this computer's zone until it is known. */
export function useScreensZone(): string {
  return (
    useAnswer("readInfo", {}).data?.clock.timezone ??
    new Intl.DateTimeFormat().resolvedOptions().timeZone
  );
}

/** A fresh screenshot every two seconds while the window is visible, and immediately when the showing changes. */
export function useScreenshot(): UseQueryResult<Screenshot> {
  return useQuery({
    queryKey: screenshotKey,
    queryFn: takeScreenshotInOrder,
    refetchInterval: screenshotIntervalMs,
    staleTime: 0,
    // The next screenshot comes soon enough by itself.
    retry: false,
    // Screenshots are megabytes: neither compared nor cached.
    structuralSharing: false,
    gcTime: 0,
  });
}

let pendingScreenshot: Promise<unknown> = Promise.resolve();

/** Requests never overlap: a request that overtakes another waits until the previous screenshot is taken. */
function takeScreenshotInOrder(): Promise<Screenshot> {
  const screenshot = pendingScreenshot.then(transport.takeScreenshot);
  pendingScreenshot = screenshot.catch(() => undefined);
  return screenshot;
}
