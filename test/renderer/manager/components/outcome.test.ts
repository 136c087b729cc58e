// How long a failure notice is shown: until the action succeeds, and never forever.

import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
});

it("shows a failure for a minute and a half, once, and a success for five seconds", async () => {
  const { notificationsStore } = await import("@mantine/notifications");
  const { notifySuccess, notifyFailure } =
    await import("../../../../renderer/manager/components/outcomes/outcome.ts");
  const reported = () =>
    notificationsStore
      .getState()
      .notifications.map(({ title, role, autoClose }) => ({
        ...{ title, role, autoClose },
      }));
  const failure = {
    ...{ title: "This page was not added", role: "alert", autoClose: 90_000 },
  };
  notifyFailure("This page was not added", new Error("It answers 401."));
  expect(reported()).toEqual([failure]);
  notifyFailure("This page was not added", new Error("It answers 403."));
  expect(reported()).toEqual([failure]);
  notifySuccess("Added");
  expect(reported()).toEqual([
    failure,
    { title: "Added", role: "status", autoClose: 5_000 },
  ]);
});
