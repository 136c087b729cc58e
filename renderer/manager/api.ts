// window.manager as hooks: questions beside the player's operations, asked once and again when something changed.

import {
  useQuery,
  type QueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import type {
  AssetView,
  MachineView,
  ManagerAnswers,
  ManagerBridge,
} from "../../server/contract/ipc/ipc.ts";
import type { NowV2 } from "../../server/contract/v2/v2-screen.ts";
import { FreshAnswers } from "./fresh-answers.ts";
import { keyOf, useAnswer } from "./operations.ts";

declare global {
  interface Window {
    readonly manager: ManagerBridge;
  }
}

export const nowKey = keyOf("readNow", {});
export const assetsKey = ["assets"];
export const screenshotKey = ["picture"];
export const machineKey = ["machine"];

/** A person sees a change on the glass at most this much later; more often would only warm the machine. */
const screenshotIntervalMs = 1_800;

/** The player is this machine: being offline changes nothing, so nothing ever waits for a network. */
export function createQuestions(): QueryClient {
  return new FreshAnswers({
    defaultOptions: {
      queries: {
        ...({ networkMode: "always", retry: 2, retryDelay: 300 } as const),
        // What changed is told; coming back to the window changes nothing.
        refetchOnWindowFocus: false,
        staleTime: Infinity,
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** What is on the glass; each change of it is told. */
export function useNow(): UseQueryResult<NowV2> {
  return useAnswer("readNow", {});
}

/** Every asset in play order, ten thousand of them too. */
export function useAssets(): UseQueryResult<readonly AssetView[]> {
  return useQuery({
    queryKey: assetsKey,
    queryFn: () => window.manager.listAssets({}),
  });
}

/** This machine as the desk sees it. */
export function useMachine(): UseQueryResult<MachineView> {
  return useQuery({
    queryKey: machineKey,
    queryFn: () => window.manager.getMachine({}),
  });
}

/** Whose clock the schedule goes by; this computer's until it is known. */
export function useScreensZone(): string {
  return (
    useAnswer("readInfo", {}).data?.clock.timezone ??
    new Intl.DateTimeFormat().resolvedOptions().timeZone
  );
}

export type Picture = ManagerAnswers["takeScreenshot"];

/** A fresh picture every two seconds while the window can be seen, and at once when the slide changes. */
export function useScreenshot(): UseQueryResult<Picture> {
  return useQuery({
    queryKey: screenshotKey,
    queryFn: takePictureInOrder,
    refetchInterval: screenshotIntervalMs,
    staleTime: 0,
    // The next picture comes soon enough by itself.
    retry: false,
    // Pictures are megabytes: neither compared nor kept.
    structuralSharing: false,
    gcTime: 0,
  });
}

let pendingScreenshot: Promise<unknown> = Promise.resolve();

/** Requests never overlap: one that overtakes another waits until the glass is free. */
function takePictureInOrder(): Promise<Picture> {
  const picture = pendingScreenshot.then(() =>
    window.manager.takeScreenshot({}),
  );
  pendingScreenshot = picture.catch(() => undefined);
  return picture;
}

/** What a refused question says for itself. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
