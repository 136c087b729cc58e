// window.manager as hooks: questions are asked once and again when the player says something changed.

import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type {
  AssetView,
  ManagerAnswers,
  ManagerBridge,
  ManagerInput,
  ManagerQuestion,
  Now,
} from "../../server/contract/ipc.ts";

declare global {
  interface Window {
    readonly manager: ManagerBridge;
  }
}

const nowKey = ["now"];
const assetsKey = ["assets"];
const pictureKey = ["picture"];

/** A person sees a change on the glass at most this much later; more often would only warm the machine. */
const pictureEveryMs = 2_000;

/** The player is this machine: being offline changes nothing, so nothing ever waits for a network. */
export function createQuestions(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: "always", retry: 2, retryDelay: 300 },
      mutations: { networkMode: "always" },
    },
  });
}

/** Call once: lets the player's events refresh what the desk knows. */
export function useManagerEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stopChanged = window.manager.on("changed", () => {
      void client.invalidateQueries({ queryKey: assetsKey });
      void client.invalidateQueries({ queryKey: nowKey });
    });
    const stopShowing = window.manager.on("showing", (now) => {
      // An answer still under way is older than this event.
      void client.cancelQueries({ queryKey: nowKey });
      client.setQueryData<Now>(nowKey, now);
      void client.invalidateQueries({ queryKey: pictureKey });
    });
    return () => {
      stopChanged();
      stopShowing();
    };
  }, [client]);
}

export function useNow(): UseQueryResult<Now> {
  return useQuery({
    queryKey: nowKey,
    queryFn: () => window.manager.getNow({}),
  });
}

export function useAssets(): UseQueryResult<readonly AssetView[]> {
  return useQuery({
    queryKey: assetsKey,
    queryFn: () => window.manager.listAssets({}),
  });
}

export type Picture = ManagerAnswers["takePicture"];

/** A fresh picture every two seconds while the window can be seen, and at once when the slide changes. */
export function usePicture(): UseQueryResult<Picture> {
  return useQuery({
    queryKey: pictureKey,
    queryFn: takePictureInTurn,
    refetchInterval: pictureEveryMs,
    // The next picture comes soon enough by itself.
    retry: false,
    // Pictures are megabytes: neither compared nor kept.
    structuralSharing: false,
    gcTime: 0,
  });
}

let pictureUnderWay: Promise<unknown> = Promise.resolve();

/** Requests never overlap: one that overtakes another waits until the glass is free. */
function takePictureInTurn(): Promise<Picture> {
  const picture = pictureUnderWay.then(() => window.manager.takePicture({}));
  pictureUnderWay = picture.catch(() => undefined);
  return picture;
}

type Asking<Q extends ManagerQuestion> = UseMutationResult<
  ManagerAnswers[Q],
  Error,
  ManagerInput<Q>
>;

export function useStep(): Asking<"step"> {
  return useMutation({ mutationFn: (input) => window.manager.step(input) });
}

export function useShowAsset(): Asking<"showAsset"> {
  return useMutation({
    mutationFn: (input) => window.manager.showAsset(input),
  });
}

/** The switch follows the finger; the player's answer, or a refusal, has the last word. */
export function useSetEnabled(): Asking<"setEnabled"> {
  const client = useQueryClient();
  const askAgain = useAskAssetsAgain();
  return useMutation({
    mutationFn: (input) => window.manager.setEnabled(input),
    onMutate: async ({ assetId, isEnabled }) => {
      await client.cancelQueries({ queryKey: assetsKey });
      client.setQueryData<readonly AssetView[]>(assetsKey, (assets) =>
        assets?.map((asset) =>
          asset.id === assetId ? { ...asset, isEnabled } : asset,
        ),
      );
    },
    onSettled: askAgain,
  });
}

export function useRemoveAsset(): Asking<"removeAsset"> {
  return useMutation({
    mutationFn: (input) => window.manager.removeAsset(input),
    onSuccess: useAskAssetsAgain(),
  });
}

function useAskAssetsAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: assetsKey });
}

/** What a refused question says for itself. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
