// Applying and undoing changes from a content service in the manager of the real app: reported correctly, never one plan too far.

import { expect, it } from "vitest";
import { goTo } from "../../support/manager/manager-page.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type CloudAsset,
} from "../../support/faulty-service/faulty-service.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();
const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];

const send = (method: string, at: string, body: object = {}) =>
  app.elsewhere<{ readonly account_id: string }>(method, `/sync${at}`, body);

const here = (...names: readonly string[]): Promise<void> =>
  expect.poll(app.order).toEqual(names);

it("[V2-375] reports when a sync plan is applied; undo restores the previous state if there is one, and postpones a plan that still waits for the current showing to end", async () => {
  const { page } = app;
  const cloud = await serveFaultyCloud();
  const setPlan = (...assets: readonly CloudAsset[]): void => {
    cloud.playlists = [{ id: "P1", assets }];
  };
  const notice = page.locator(".mantine-Notification-root").last();
  const undo = notice.getByRole("button", { name: /^Undo/ });
  const plan = page.getByRole("region", { name: "Changes", exact: true });

  setPlan(red);
  const { account_id: id } = await send("POST", "/accounts", {
    ...{ base_url: cloud.address, token: "a-token", mode: "ask" },
    ...{ name: "Office", poll_seconds: 3600 },
  });
  await goTo(page, "#/connections");
  await plan.getByText("red").waitFor();
  await plan.getByRole("button", { name: /^Apply changes/ }).click();
  await notice.getByText(/^Changes from .*Office.* applied$/).waitFor();
  // The first plan has no previous state.
  expect(await undo.count()).toBe(0);
  await here("red");

  setPlan(red, green);
  await send("POST", "/run");
  await plan.getByText("green").waitFor();
  await plan.getByRole("button", { name: /^Apply changes/ }).click();
  // A notice stays while the pointer is over it.
  await undo.hover();
  await here("red", "green");
  await undo.click();
  await here("red");

  await send("PATCH", `/accounts/${id}`, { finish_current_item: true });
  setPlan(blue);
  await send("POST", "/run");
  await plan.getByText("blue").waitFor();
  await plan.getByRole("button", { name: /^Apply and remove/ }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: /^Apply and remove/ }).click();
  await notice.getByText(/Office.* approved\. They go live/).waitFor();
  await here("red");
  await undo.click();
  await plan.getByText(/postponed these changes/).waitFor();
  await fetch(`${app.manager.api}/api/v2/assets/control/next`);
  await here("red");
});

it("[V2-375] also reports it for a disabled connection, and offers no restore without a previous state", async () => {
  const { page } = app;
  const cloud = await serveFaultyCloud();
  cloud.playlists = [{ id: "P1", assets: [red] }];
  const { account_id: id } = await send("POST", "/accounts", {
    ...{ base_url: cloud.address, token: "a-token", mode: "ask" },
    ...{ name: "Annex", poll_seconds: 3600 },
  });
  await goTo(page, "#/connections");
  const plan = page.getByRole("region", { name: "Changes", exact: true });
  await plan.getByText("red").waitFor();
  await send("PATCH", `/accounts/${id}`, { is_enabled: false });
  await page.getByText("Disabled").first().waitFor();
  await plan.getByRole("button", { name: /^Apply changes/ }).click();
  const notice = page.locator(".mantine-Notification-root").last();
  await notice.getByText(/Annex.* (applied|will go live)/).waitFor();
  expect(await notice.innerText()).toMatch(/Changes from .*Annex.* applied$/);
  await here("red");
});

it("names the connection in the details and in the playlist, counts its content in the local trash, says when nothing is for this screen, and asks before connecting twice", async () => {
  const { page } = app;
  const cloud = await serveFaultyCloud();
  await send("POST", "/accounts", {
    ...{ base_url: cloud.address, token: "a-token", mode: "now" },
    ...{ name: "Office", poll_seconds: 3600 },
  });
  await goTo(page, "#/connections");
  await page
    .getByText("The content service has nothing for this screen")
    .waitFor();
  cloud.playlists = [{ id: "P1", assets: [red, green] }];
  await send("POST", "/run");
  await expect.poll(app.order).toHaveLength(2);
  await goTo(page, "#/library");
  const card = page.getByRole("option", { name: /red/ });
  await card.click();
  await page.locator(".details").getByText("From “Office”").waitFor();
  await card.press("Delete");
  await here("green");
  await goTo(page, "#/playlists");
  await page.locator(".playlist-head").getByText("From “Office”").waitFor();
  await goTo(page, "#/connections");
  const state = page.locator(".connection-status");
  await state
    .getByText("2 assets, 1 playlist (1 asset in the trash)")
    .waitFor();

  await page.getByRole("button", { name: "Connect a content service" }).click();
  const connect = { name: "Connect", exact: true };
  await page.getByLabel("Address").fill(`${cloud.address}/`);
  await page.getByRole("textbox", { name: "Token" }).fill("a-token");
  await page.getByRole("button", connect).click();
  const question = page.getByRole("alertdialog", {
    name: /connected to this content service/,
  });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", connect).waitFor();
  expect(await connectionsHere()).toBe(1);
  await page.getByRole("button", connect).click();
  await question.getByRole("button", { name: "Connect again" }).click();
  await page.getByText(/^Connected to .*version/).waitFor();
  expect(await connectionsHere()).toBe(2);
});

async function connectionsHere(): Promise<number> {
  const answer = await fetch(`${app.manager.api}/api/v2/sync/accounts`);
  return ((await answer.json()) as unknown[]).length;
}
