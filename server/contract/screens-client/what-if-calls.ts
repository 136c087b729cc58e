// Calls of the manager about what a change would do on the screens of a content service, and about its assertions.

import type { WhatIfAnswers } from "../ipc/ipc-what-if.ts";
import { Failure } from "../../core/failure.ts";
import {
  applyAnywayHeader,
  assertionV3,
  whatIfV3,
  type WhatIfV3,
} from "../v3/v3-what-if.ts";
import { assignmentBody } from "./assignment-body.ts";
import type { Calls } from "./calls.ts";
import type { ScreenService } from "./screen-service.ts";
import { expected, rowsIn, unlessMissing } from "./response-rows.ts";

export function whatIfCalls(
  serviceOf: (id: string) => ScreenService,
): Calls<keyof WhatIfAnswers> {
  async function preview(
    serviceId: string,
    change: object,
  ): Promise<WhatIfV3 | null> {
    const answer = await serviceOf(serviceId)
      .request("POST", "/what-if/", change)
      .catch((error: unknown) => {
        // The change is still possible, and the service itself holds back what breaks an assertion.
        if (error instanceof Failure && error.code !== "unauthorized")
          return null;
        throw error;
      });
    return answer === null ? null : expected(whatIfV3, answer);
  }

  return {
    previewScreenLabels: ({ serviceId, screenId, labels }) =>
      preview(serviceId, {
        screens: [{ id: screenId, groups: labels.map((id) => ({ id })) }],
      }),
    previewAssignment: ({ serviceId, ...given }) =>
      preview(serviceId, { assignments: [assignmentBody(given)] }),
    previewRowChange: ({ serviceId, collection, id, isEnabled }) =>
      preview(serviceId, {
        [collection === "labels" ? "groups" : collection]: [
          isEnabled === null
            ? { id, is_removed: true }
            : { id, is_enabled: isEnabled },
        ],
      }),
    applyRowChange: async ({ serviceId, collection, id, isEnabled }) => {
      const list = collection === "labels" ? "groups" : collection;
      const isRemoved = isEnabled === null;
      await serviceOf(serviceId).request(
        isRemoved ? "DELETE" : "PATCH",
        `/${list}/${encodeURIComponent(id)}/`,
        isRemoved ? undefined : { is_enabled: isEnabled },
        { [applyAnywayHeader]: "true" },
      );
      return null;
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
