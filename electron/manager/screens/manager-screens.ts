// Calls of the manager about the screens of content services: of the one this PC hosts, and of those it is connected to.

import { writeFile } from "node:fs/promises";
import * as z from "zod";
import type { AlertsAnswers } from "../../../server/contract/ipc/ipc-alerts.ts";
import type { WhatIfAnswers } from "../../../server/contract/ipc/ipc-what-if.ts";
import {
  hostedServiceId,
  type ScreensAnswers,
} from "../../../server/contract/ipc/ipc-screens.ts";
import { Failure } from "../../../server/contract/ipc/ipc.ts";
import { maxSupportBundleBytes } from "../../../server/contract/link/link.ts";
import {
  screenActionV3,
  screenCommandStateV3,
  screenLiveV3,
} from "../../../server/contract/v3/v3-screens.ts";
import { applyAnywayHeader } from "../../../server/contract/v3/v3-what-if.ts";
import type {
  ConnectedService,
  ServiceAccess,
} from "../../../server/player/sync/sync.ts";
import type { ContentHost } from "../../hosting/content-host.ts";
import type { ManagerCalls } from "../../ipc.ts";
import type { ChooseSavePath } from "../manager-save-file.ts";
import { screenHistoryCalls } from "./manager-screen-history.ts";
import { expected, rowsIn } from "./response-rows.ts";
import { alertCalls } from "./manager-alerts.ts";
import { assignmentBody } from "./assignment-body.ts";
import { actionResults } from "./action-results.ts";
import { whatIfCalls } from "./manager-what-if.ts";
import { createScreenService, type ScreenService } from "./screen-service.ts";

export type ConnectedServices = () => readonly ConnectedService[];

type ScreenCalls = Pick<
  ManagerCalls,
  keyof ScreensAnswers | keyof AlertsAnswers | keyof WhatIfAnswers
>;

export function screenCalls(
  host: ContentHost,
  connected: ConnectedServices,
  chooseSavePath: ChooseSavePath,
): ScreenCalls {
  const services = new Map<string, ScreenService>();

  /** What is known of a service belongs to its address. */
  function serviceAt(
    key: string,
    access: () => Promise<ServiceAccess>,
  ): ScreenService {
    const known = services.get(key);
    if (known) return known;
    const service = createScreenService(access, Date.now);
    services.set(key, service);
    return service;
  }

  function serviceOf(id: string): ScreenService {
    if (id === hostedServiceId)
      return serviceAt(`${id} ${host.access().address}`, () =>
        accessToHosted(host),
      );
    const find = (): ConnectedService => {
      const found = connected().find((one) => one.id === id);
      if (found) return found;
      throw new Failure("not-found", "This connection no longer exists.");
    };
    return serviceAt(`${id} ${find().baseUrl}`, () => find().access());
  }

  return {
    listScreenServices: () => listed(host, connected()),
    readScreens: ({ serviceId, revision }) =>
      serviceOf(serviceId).screens(revision),
    readScreenPicture: async ({ serviceId, screenId }) => {
      const dataUrl = await serviceOf(serviceId).picture(screenId);
      return dataUrl === null ? null : { dataUrl };
    },
    ...looking(serviceOf, chooseSavePath),
    ...changes(serviceOf),
    ...lists(serviceOf),
    ...screenHistoryCalls(serviceOf),
    ...alertCalls(serviceOf),
    ...whatIfCalls(serviceOf),
  };
}

/** A connection of this player to the service it hosts itself would list every screen twice. */
function listed(
  host: ContentHost,
  connections: readonly ConnectedService[],
): ScreensAnswers["listScreenServices"] {
  const { address } = host.view();
  const hosted =
    address === null ? [] : [{ id: hostedServiceId, name: null, address }];
  const others = connections
    .filter(({ baseUrl }) => address === null || !isSame(baseUrl, address))
    .map(({ id, name, baseUrl }) => ({ id, name, address: baseUrl }));
  return [...hosted, ...others];
}

function isSame(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

async function accessToHosted(host: ContentHost): Promise<ServiceAccess> {
  const { createServiceAccess } =
    await import("../../../server/player/sync/sync.ts");
  const { address, key } = host.access();
  return createServiceAccess(
    {
      ...{ baseUrl: address, authorization: `Token ${key}`, proxyUrl: null },
      // It runs on this machine: its certificate is for the name that other machines use.
      isCertificateSkipped: true,
    },
    Date.now,
  );
}

type ServiceOf = (id: string) => ScreenService;

function pathOf(screenId: string): string {
  return `/screens/${encodeURIComponent(screenId)}/`;
}

/** The content of an image file, as small as a service accepts it. */
const livePicture = /^data:image\/webp;base64,[\w+/]+=*$/;

function looking(
  serviceOf: ServiceOf,
  chooseSavePath: ChooseSavePath,
): Pick<ScreenCalls, "watchScreen" | "saveScreenLogs"> {
  return {
    watchScreen: async ({ serviceId, screenId, hash }) => {
      try {
        const live = expected(
          screenLiveV3,
          await serviceOf(serviceId).request(
            ...(["POST", `${pathOf(screenId)}watch/`] as const),
            hash === null ? {} : { hash },
          ),
        );
        const { picture } = live;
        const isPicture = picture === null || livePicture.test(picture);
        return isPicture ? live : { ...live, picture: null };
      } catch (error) {
        // An older service, or another one with version 3.
        if (error instanceof Failure && error.code === "not-found") return null;
        throw error;
      }
    },
    saveScreenLogs: async ({ serviceId, commandId, suggestedName }) => {
      const id = encodeURIComponent(commandId);
      const bytes = await serviceOf(serviceId).download(
        `/screens/commands/${id}/bundle/`,
        maxSupportBundleBytes,
      );
      const path = await chooseSavePath(suggestedName);
      if (path === null) return null;
      await writeFile(path, bytes);
      return { path };
    },
  };
}

const named = z.object({ id: z.string(), name: z.string() });
const titled = z.object({ id: z.string(), title: z.string() });

function changes(
  serviceOf: ServiceOf,
): Pick<
  ScreenCalls,
  | "sendScreenCommand"
  | "changeScreen"
  | "removeScreen"
  | "claimScreen"
  | "replaceScreenPlayer"
  | "assignToScreens"
  | "adoptPlayer"
  | "changeAdoptedPlayer"
  | "makeScreenLabel"
> {
  return {
    sendScreenCommand: async ({
      serviceId,
      screenIds,
      kind,
      arguments: sent,
      expiresInSeconds,
    }) =>
      expected(
        screenActionV3,
        await serviceOf(serviceId).request("POST", "/screens/commands/", {
          ...{ screens: screenIds, kind, arguments: sent },
          expires_in: expiresInSeconds,
        }),
      ),
    changeScreen: async ({
      serviceId,
      screenId,
      change,
      isAppliedAnyway = false,
    }) => {
      const { name, isEnabled, labels } = change;
      await serviceOf(serviceId).request(
        "PATCH",
        pathOf(screenId),
        {
          ...{ name, is_enabled: isEnabled },
          groups: labels?.map((id) => ({ id })),
        },
        isAppliedAnyway ? { [applyAnywayHeader]: "true" } : undefined,
      );
      return null;
    },
    removeScreen: async ({ serviceId, screenId }) => {
      await serviceOf(serviceId).request("DELETE", pathOf(screenId));
      return null;
    },
    claimScreen: async ({ serviceId, pin, name }) =>
      expected(
        named,
        await serviceOf(serviceId).request("POST", "/screens/", { pin, name }),
      ),
    assignToScreens: async ({
      serviceId,
      isAppliedAnyway = false,
      ...given
    }) => {
      await serviceOf(serviceId).request(
        ...(["POST", "/screens/assignments/", assignmentBody(given)] as const),
        isAppliedAnyway ? { [applyAnywayHeader]: "true" } : undefined,
      );
      return null;
    },
    replaceScreenPlayer: async ({
      serviceId,
      screenId,
      pin,
      isOnlineAccepted,
    }) => {
      const path = `${pathOf(screenId)}replace/`;
      try {
        await serviceOf(serviceId).request("POST", path, {
          ...{ pin, replace_online: isOnlineAccepted },
        });
        return { isReplaced: true };
      } catch (error) {
        // It is online.
        if (error instanceof Failure && error.code === "conflict")
          return { isReplaced: false };
        throw error;
      }
    },
    adoptPlayer: async ({ serviceId, ...body }) =>
      expected(
        named,
        await serviceOf(serviceId).request("POST", "/screens/adopted/", body),
      ),
    changeAdoptedPlayer: async ({ serviceId, screenId, ...body }) => {
      const path = `/screens/adopted/${encodeURIComponent(screenId)}/`;
      await serviceOf(serviceId).request("PATCH", path, body);
      return null;
    },
    makeScreenLabel: async ({ serviceId, name }) =>
      expected(
        named,
        await serviceOf(serviceId).request("POST", "/groups/", {
          ...{ name, screens: [] },
        }),
      ),
  };
}

function lists(
  serviceOf: ServiceOf,
): Pick<
  ScreenCalls,
  | "listScreenCommands"
  | "readActionResults"
  | "readScreenNetwork"
  | "listScreenLabels"
  | "listServiceAssets"
  | "listServicePlaylists"
> {
  return {
    listScreenCommands: async ({ serviceId, screenId, actionId }) => {
      const query = new URLSearchParams({
        ...(screenId !== undefined && { screen: screenId }),
        ...(actionId !== undefined && { action: actionId }),
      });
      const path = `/screens/commands/?${query.toString()}`;
      const listed = await serviceOf(serviceId).request("GET", path);
      return rowsIn(screenCommandStateV3, listed);
    },
    readActionResults: async ({ serviceId, actionId }) =>
      actionResults(serviceOf(serviceId), actionId),
    readScreenNetwork: async ({ serviceId, screenId }) => {
      const { hostname, local_ip } = expected(
        z.object({
          hostname: z.string().catch(""),
          local_ip: z.string().catch(""),
        }),
        await serviceOf(serviceId).request("GET", pathOf(screenId)),
      );
      return { hostname, address: local_ip };
    },
    listScreenLabels: async ({ serviceId }) =>
      rowsIn(named, await serviceOf(serviceId).request("GET", "/groups/"))
        // Every screen is in it, always.
        .filter(({ id }) => !/^all[-_]screens$/.test(id)),
    listServiceAssets: async ({ serviceId }) =>
      rowsIn(titled, await serviceOf(serviceId).request("GET", "/assets/")),
    listServicePlaylists: async ({ serviceId }) =>
      rowsIn(titled, await serviceOf(serviceId).request("GET", "/playlists/")),
  };
}
