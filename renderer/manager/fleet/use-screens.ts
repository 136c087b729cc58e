// The screens of all content services as one list, polled while the page is open: only what changed is transferred, and a service
// that fails does not affect the screens of another.

import {
  useQueries,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type {
  ScreensView,
  ScreenServiceView,
} from "../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../locales/messages.ts";
import { questionKey, useQuestion } from "../api/manager-queries.ts";
import type { ScreenItem } from "./find-screens.ts";
import { bridge } from "../transport/bridge.ts";

/** What a service reported, with what it reported before. */
interface ServiceScreens {
  readonly revision: string;
  readonly isManageable: boolean;
  /** The service has more that are read at once. */
  readonly isComplete: boolean;
  readonly items: ReadonlyMap<string, ScreenItem>;
}

export interface FailedService {
  readonly service: ScreenServiceView;
  readonly name: string;
  readonly error: unknown;
  /** Its screens as they were last reported are still listed. */
  readonly hasScreens: boolean;
  readonly isFetching: boolean;
}

export interface AllScreens {
  /** Null until they are known. */
  readonly services: readonly ScreenServiceView[] | null;
  readonly servicesError: unknown;
  readonly all: readonly ScreenItem[];
  /** Some service has not answered, or has more screens to come. */
  readonly isLoading: boolean;
  readonly failed: readonly FailedService[];
  readonly refetch: () => Promise<void>;
}

/** A service that has nothing new answers in a few bytes. */
const pollMs = 2_000;
/** The next part of a list is read at once. */
const nextPartMs = 1;
/** Lists of version 3 are complete each time. */
const listPollMs = 15_000;
const servicesPollMs = 5_000;
/** A long list is requested less often: the process that reads it also runs the player. */
const restPerWork = 6;
/** How long the last response of each service took. */
const workMs = new Map<string, number>();
const noServices: readonly ScreenServiceView[] = [];

export function useScreens(): AllScreens {
  const client = useQueryClient();
  const listed = useQuestion(
    "listScreenServices",
    {},
    { intervalMs: servicesPollMs },
  );
  const services = listed.data ?? noServices;
  const answers = useQueries({
    queries: services.map((service) => ({
      queryKey: keyOf(service),
      queryFn: () => read(client, service),
      refetchInterval: ({
        state,
      }: {
        readonly state: { readonly data?: ServiceScreens | undefined };
      }) =>
        state.data?.isComplete === false
          ? nextPartMs
          : Math.max(
              state.data?.isManageable === false ? listPollMs : pollMs,
              restPerWork * (workMs.get(service.id) ?? 0),
            ),
      // Compared by the main process already.
      structuralSharing: false,
      ...{ staleTime: 0, gcTime: 60_000, retry: false },
    })),
  });
  const [merge] = useState(createMerge);
  const all = merge(
    services,
    answers.map(({ data }) => data),
  );
  const failed = services.flatMap((service, index) => {
    const answer = answers[index];
    if (!answer?.isError) return [];
    const { error, data, isFetching } = answer;
    const name = serviceName(service);
    return [
      { service, name, error, hasScreens: data !== undefined, isFetching },
    ];
  });
  const refetch = useCallback(
    () => client.invalidateQueries({ queryKey: questionKey("readScreens") }),
    [client],
  );
  const isLoading =
    listed.data === undefined ||
    answers.some(({ data, isError }) => data?.isComplete !== true && !isError);
  return {
    ...{ services: listed.data ?? null, servicesError: listed.error },
    ...{ all, isLoading, failed, refetch },
  };
}

export function serviceName({ name }: Pick<ScreenServiceView, "name">): string {
  return name ?? t("hosting.title");
}

function keyOf({ id, address }: ScreenServiceView): readonly unknown[] {
  return [...questionKey("readScreens"), id, address];
}

async function read(
  client: QueryClient,
  service: ScreenServiceView,
): Promise<ServiceScreens> {
  const known = client.getQueryData<ServiceScreens>(keyOf(service));
  const begun = performance.now();
  const view = await bridge().readScreens({
    ...{ serviceId: service.id, revision: known?.revision ?? null },
  });
  workMs.set(service.id, performance.now() - begun);
  return updated(known, view, service);
}

/** The same value while nothing changed, so that nothing is rendered again. */
function updated(
  known: ServiceScreens | undefined,
  view: ScreensView,
  service: ScreenServiceView,
): ServiceScreens {
  const { revision, isManageable, isComplete, isWhole } = view;
  const { screens, removed } = view;
  const isSame =
    known?.isManageable === isManageable && known.isComplete === isComplete;
  if (known && isSame && !isWhole && screens.length + removed.length === 0)
    return known;
  const items = new Map(isWhole ? [] : known?.items);
  for (const id of removed) items.delete(id);
  for (const screen of screens)
    items.set(screen.id, {
      ...{ key: `${service.id}/${screen.id}`, serviceId: service.id },
      ...{ serviceName: serviceName(service), isManageable, screen },
    });
  return { revision, isManageable, isComplete, items };
}

/** Merges into one list, which is the same while its parts are. */
function createMerge() {
  let last: {
    readonly parts: readonly (ServiceScreens | undefined)[];
    readonly all: readonly ScreenItem[];
  } = { parts: [], all: [] };
  return (
    services: readonly ScreenServiceView[],
    parts: readonly (ServiceScreens | undefined)[],
  ): readonly ScreenItem[] => {
    const isSame =
      parts.length === last.parts.length &&
      parts.every((part, index) => part === last.parts[index]);
    if (isSame) return last.all;
    const seen = new Set<string>();
    const addresses = new Set(services.map(({ address }) => address));
    const all = services.flatMap(({ address }, index) => {
      const items = [...(parts[index]?.items.values() ?? [])];
      if (addresses.size === services.length) return items;
      // Two connections to one service list the same screens.
      return items.filter(({ screen }) => {
        const place = `${address} ${screen.id}`;
        if (seen.has(place)) return false;
        seen.add(place);
        return true;
      });
    });
    last = { parts, all };
    return all;
  };
}
