// Screens of a content service as the manager's main process reads them: what changed, both kinds of service, pictures, faults.

import { expect, it } from "vitest";
import { createScreenService } from "../../../../server/contract/screens-client/screen-service.ts";
import { createServiceAccess } from "../../../../server/player/sync/sync.ts";
import {
  serviceWithScreens,
  type ServiceWithScreens,
} from "../../../support/manager/service-with-screens.ts";

function clientOf({ address }: ServiceWithScreens, key = "a-key") {
  const access = createServiceAccess(
    {
      ...{ baseUrl: address, authorization: `Token ${key}` },
      ...{ isCertificateSkipped: false, proxyUrl: null },
    },
    Date.now,
  );
  return createScreenService(() => Promise.resolve(access), {
    now: Date.now,
    nextTurn: () => Promise.resolve(),
    base64: (bytes) => Buffer.from(bytes).toString("base64"),
  });
}

it("returns all screens once, and then only what changed", async () => {
  const service = await serviceWithScreens({ count: 12 });
  const client = clientOf(service);
  const first = await client.screens(null);
  expect(first).toMatchObject({ isWhole: true, isManageable: true });
  expect(first.screens.map(({ state }) => state)).toContain("wrong");
  const [second, third] = service.screens.splice(1, 2);
  service.screens.push({ ...second!, name: "Renamed" });
  const next = await client.screens(first.revision);
  expect(next).toMatchObject({
    ...{ isWhole: false, removed: [third?.id] },
    screens: [{ id: second?.id, name: "Renamed" }],
  });
  expect(await client.screens(next.revision)).toMatchObject({
    ...{ isWhole: false, screens: [], removed: [] },
  });
  // As after a restart of the app.
  expect(await client.screens("1-1.1")).toMatchObject({ isWhole: true });
});

it("another signature of an address is no change of a screen", async () => {
  const service = await serviceWithScreens({ count: 1 });
  const client = clientOf(service);
  const { revision } = await client.screens(null);
  const [screen] = service.screens;
  const { url, taken_at } = screen!.screenshot!;
  service.screens[0] = {
    ...screen!,
    screenshot: { url: `${url}&signature=2`, taken_at },
  };
  expect((await client.screens(revision)).screens).toEqual([]);
});

it("lists the screens of a service that has only version 3, in the states that its list names", async () => {
  const service = await serviceWithScreens({ count: 10, isPlain: true });
  const listed = await clientOf(service).screens(null);
  expect(listed.isManageable).toBe(false);
  expect(new Set(listed.screens.map(({ state }) => state))).toEqual(
    new Set(["unverified", "incomplete", "offline", "dark", "never-seen"]),
  );
});

it("lists a screen in a state of a later service as not verified", async () => {
  const service = await serviceWithScreens({ count: 2 });
  service.screens[0] = { ...service.screens[0]!, state: "asleep" as "dark" };
  const { screens } = await clientOf(service).screens(null);
  expect(screens.map(({ state }) => state)).toEqual(["unverified", "wrong"]);
});

it("returns a screenshot as data, and null for a screen that has none", async () => {
  const service = await serviceWithScreens({ count: 9 });
  const client = clientOf(service);
  await client.screens(null);
  expect(await client.picture("screen-0")).toMatch(/^data:image\/jpeg;base64,/);
  expect(await client.picture("screen-8")).toBe(null);
});

it("refuses what is not an image", async () => {
  const service = await serviceWithScreens({ count: 1 });
  service.screens[0] = {
    ...service.screens[0]!,
    screenshot: {
      url: `${service.address}/api/v3/`,
      taken_at: new Date().toISOString(),
    },
  };
  const client = clientOf(service);
  await client.screens(null);
  await expect(client.picture("screen-0")).rejects.toThrow();
});

it("fails with the service's own reason, and answers again once the service does", async () => {
  const service = await serviceWithScreens({ count: 3 });
  await expect(clientOf(service, "other").screens(null)).rejects.toThrow(
    "The key is wrong.",
  );
  const client = clientOf(service);
  const { revision } = await client.screens(null);
  service.isDown = true;
  await expect(client.screens(revision)).rejects.toThrow("503");
  service.isDown = false;
  expect((await client.screens(revision)).isWhole).toBe(false);
});
