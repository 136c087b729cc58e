// Calls of the manager about the screens of content services: of the one this PC hosts, and of those it is connected to.

import { writeFile } from "node:fs/promises";
import { connectionSentences } from "../../server/contract/sentences/connection-sentences.ts";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import {
  hostedServiceId,
  type ScreensAnswers,
} from "../../server/contract/ipc/ipc-screens.ts";
import { screenCalls } from "../../server/contract/screens-client/screen-calls.ts";
import {
  createScreenService,
  type ScreenService,
} from "../../server/contract/screens-client/screen-service.ts";
import type { ServiceAccess } from "../../server/contract/screens-client/service-access.ts";
import type { ConnectedService } from "../../server/player/sync/sync.ts";
import type { ContentHost } from "../hosting/content-host.ts";
import type { ChooseSavePath } from "./manager-save-file.ts";

export type ConnectedServices = () => readonly ConnectedService[];

export function screenCallsOf(
  host: ContentHost,
  connected: ConnectedServices,
  chooseSavePath: ChooseSavePath,
): ReturnType<typeof screenCalls> {
  const services = new Map<string, ScreenService>();

  /** What is known of a service belongs to its address. */
  function serviceAt(
    key: string,
    access: () => Promise<ServiceAccess>,
  ): ScreenService {
    const known = services.get(key);
    if (known) return known;
    const service = createScreenService(access, {
      now: Date.now,
      nextTurn: () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
      base64: (bytes) => Buffer.from(bytes).toString("base64"),
    });
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
      throw new Failure("not-found", connectionSentences["connection-gone"]);
    };
    return serviceAt(`${id} ${find().baseUrl}`, () => find().access());
  }

  return screenCalls(
    () => Promise.resolve(listed(host, connected())),
    serviceOf,
    async (suggestedName, bytes) => {
      const path = await chooseSavePath(suggestedName);
      if (path === null) return null;
      await writeFile(path, bytes);
      return { path };
    },
  );
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
    await import("../../server/player/sync/sync.ts");
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
