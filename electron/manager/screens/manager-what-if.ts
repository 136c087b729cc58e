// Calls of the manager about what a change would do on the screens of a content service, and about its assertions.

import type { WhatIfAnswers } from "../../../server/contract/ipc/ipc-what-if.ts";
import { Failure } from "../../../server/contract/ipc/ipc.ts";
import {
  assertionV3,
  whatIfV3,
} from "../../../server/contract/v3/v3-what-if.ts";
import type { ManagerCalls } from "../../ipc.ts";
import type { ScreenService } from "./screen-service.ts";
import { expected, rowsIn, unlessMissing } from "./response-rows.ts";

export function whatIfCalls(
  serviceOf: (id: string) => ScreenService,
): Pick<ManagerCalls, keyof WhatIfAnswers> {
  return {
    previewScreenLabels: async ({ serviceId, screenId, labels }) => {
      const answer = await serviceOf(serviceId)
        .request("POST", "/what-if/", {
          screens: [{ id: screenId, groups: labels.map((id) => ({ id })) }],
        })
        .catch((error: unknown) => {
          // The change is still possible, and the service itself holds back what breaks an assertion.
          if (error instanceof Failure && error.code !== "unauthorized")
            return null;
          throw error;
        });
      return answer === null ? null : expected(whatIfV3, answer);
    },
    listAssertions: async ({ serviceId }) => {
      const rows = await unlessMissing(
        serviceOf(serviceId).request("GET", "/assertions/"),
      );
      return rows === null ? null : rowsIn(assertionV3, rows);
    },
    saveAssertion: async ({ serviceId, assertionId, assertion }) => {
      const { name, kind, folders, predicate, assets, labels } = assertion;
      const body = {
        ...{ name, kind, folders, predicate },
        is_enabled: assertion.isEnabled,
        holds_back: assertion.holdsBack,
        every_minutes: assertion.everyMinutes,
        assets: assets?.map((id) => ({ id })),
        groups: labels?.map((id) => ({ id })),
      };
      const service = serviceOf(serviceId);
      return expected(
        assertionV3,
        assertionId === null
          ? await service.request("POST", "/assertions/", body)
          : await service.request("PATCH", pathOf(assertionId), body),
      );
    },
    removeAssertion: async ({ serviceId, assertionId }) => {
      await serviceOf(serviceId).request("DELETE", pathOf(assertionId));
      return null;
    },
  };
}

function pathOf(assertionId: string): string {
  return `/assertions/${encodeURIComponent(assertionId)}/`;
}
