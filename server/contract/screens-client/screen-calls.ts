// Calls of the manager about the screens of content services, answered by version 3 of their interface.

import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import type { AlertsAnswers } from "../ipc/ipc-alerts.ts";
import type { ScreensAnswers } from "../ipc/ipc-screens.ts";
import type { WhatIfAnswers } from "../ipc/ipc-what-if.ts";
import { maxSupportBundleBytes } from "../link/link.ts";
import {
  screenActionV3,
  screenCommandStateV3,
  screenLiveV3,
} from "../v3/v3-screens.ts";
import { applyAnywayHeader } from "../v3/v3-what-if.ts";
import { actionResults } from "./action-results.ts";
import { alertCalls } from "./alert-calls.ts";
import { assignmentBody } from "./assignment-body.ts";
import type { Calls } from "./calls.ts";
import { screenHistoryCalls } from "./history-calls.ts";
import { queryText } from "./query-text.ts";
import { expected, rowsIn } from "./response-rows.ts";
import type { ScreenService } from "./screen-service.ts";
import { whatIfCalls } from "./what-if-calls.ts";

type ScreenCalls = Calls<
  keyof ScreensAnswers | keyof AlertsAnswers | keyof WhatIfAnswers
>;

type ServiceOf = (id: string) => ScreenService;

/** Null where the operator chose no place. */
export type SaveFile = (
  suggestedName: string,
  bytes: Uint8Array,
) => Promise<{ readonly path: string } | null>;

/** `serviceOf` throws a Failure for a service that is not there any more. */
export function screenCalls(
  listScreenServices: ScreenCalls["listScreenServices"],
  serviceOf: ServiceOf,
  saveFile: SaveFile,
): ScreenCalls {
  return {
    listScreenServices,
    readScreens: ({ serviceId, revision }) =>
      serviceOf(serviceId).screens(revision),
    readScreenPicture: async ({ serviceId, screenId }) => {
      const dataUrl = await serviceOf(serviceId).picture(screenId);
      return dataUrl === null ? null : { dataUrl };
    },
    ...watching(serviceOf, saveFile),
    ...changes(serviceOf),
    ...lists(serviceOf),
    ...screenHistoryCalls(serviceOf),
    ...alertCalls(serviceOf),
    ...whatIfCalls(serviceOf),
  };
}

function pathOf(screenId: string): string {
  return `/screens/${encodeURIComponent(screenId)}/`;
}

/** The content of an image file, as small as a service accepts it. */
const livePicture = /^data:image\/webp;base64,[\w+/]+=*$/;

function watching(
  serviceOf: ServiceOf,
  saveFile: SaveFile,
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
      return saveFile(suggestedName, bytes);
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
      const query = queryText([
        ...(screenId === undefined ? [] : [["screen", screenId] as const]),
        ...(actionId === undefined ? [] : [["action", actionId] as const]),
      ]);
      const path = `/screens/commands/?${query}`;
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
