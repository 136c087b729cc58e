// Alerts in the real app with a real content service: a rule is created and tested, and an incident acknowledged.

import { expect, it } from "vitest";
import { startReceiver } from "../../support/content/alert-receiver.ts";
import { clientV3 } from "../../support/content/each-v3.ts";
import { claimedPlayer } from "../../support/content/linked-player.ts";
import { reportOf } from "../../support/content/screen-reports.ts";
import { startContent } from "../../support/content/start-content.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import {
  connectTo,
  disconnectAll,
} from "../../support/manager/service-with-screens.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();

it("creates and tests a rule, shows what was sent about an incident, and acknowledges it", async () => {
  const { page } = app;
  const content = await startContent(await temporaryFolder(), {
    ...{ apiKey: "a-key", alertCheckMs: 50 },
  });
  const client = clientV3(content.address, "a-key");
  const player = await claimedPlayer(client, "Lobby");
  await player.beat({ report: reportOf() });
  const receiver = await startReceiver();
  await connectTo(app, content.address);
  afterThisTest(() => disconnectAll(app));
  await goTo(page, "#/screens");
  await page.getByRole("button", { name: "Alerts", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Alerts" });
  await dialog.getByText("No open incidents.").waitFor();
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const form = dialog.getByRole("form", { name: "Add rule" });
  await form.getByLabel("Name").fill("Night watch");
  await form.getByLabel("For at least (minutes)").fill("0");
  await form.getByLabel("Webhook address").fill(receiver.address);
  await form.getByLabel("Webhook secret").fill("short");
  await form.getByRole("switch", { name: "Quiet hours" }).click({
    force: true,
  });
  await form.getByLabel("From").fill("03:00");
  await form.getByLabel("Until").fill("03:01");
  await form.getByRole("button", { name: "Create rule" }).click();
  await form.getByText(/The secret must have 16 to 200 characters/).waitFor();
  await form.getByLabel("Webhook secret").fill("long enough a secret");
  await form.getByRole("switch", { name: "Quiet hours" }).click({
    force: true,
  });
  await form.getByRole("button", { name: "Create rule" }).click();
  await form.waitFor({ state: "detached" });
  await dialog.getByText("Wrong content or Offline, immediately").waitFor();

  await dialog
    .getByRole("button", { name: "Send a test message for “Night watch”" })
    .click();
  await page.getByText(`Test message sent to ${receiver.address}`).waitFor();
  expect((await receiver.nextMessage()).json.type).toBe("test");

  await player.beat({ report: reportOf({ verdict: "blank" }) });
  const incident = dialog.getByRole("listitem").filter({ hasText: "Lobby" });
  await incident.getByText(`Sent to ${receiver.address}`).waitFor();
  await incident
    .getByText(/^Blank since .+ “Menu” should be playing\.$/)
    .waitFor();
  await incident.getByRole("button", { name: "Acknowledge “Lobby”" }).click();
  await incident.getByText(/^Acknowledged by set at start, /).waitFor();

  await dialog.getByRole("button", { name: "Edit “Night watch”" }).click();
  const edited = dialog.getByRole("form", { name: "Edit rule" });
  await edited.getByLabel("Name").fill("Day watch");
  await edited.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Delete “Day watch”" }).click();
  await page
    .getByRole("alertdialog", { name: "Delete “Day watch”?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await dialog.getByText("No rules yet.").waitFor();
  await dialog.getByText("No open incidents.").waitFor();
  expect(receiver.requests[0]?.isSignedWith("long enough a secret")).toBe(true);
});
