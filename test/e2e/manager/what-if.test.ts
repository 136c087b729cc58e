// Assertions and the preview of labels in the real app with a real content service.

import { expect, it } from "vitest";
import { clientV3 } from "../../support/content/each-v3.ts";
import { claimedPlayer } from "../../support/content/linked-player.ts";
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

it("adds an assertion, and asks before labels that break it are applied", async () => {
  const { page } = app;
  const content = await startContent(await temporaryFolder(), {
    apiKey: "a-key",
  });
  const client = clientV3(content.address, "a-key");
  const { screenId } = await claimedPlayer(client, "Entrance");
  const [beer] = await client.add("/v4/assets", { title: "Beer" });
  const bar = await client.make("/groups/", { name: "Bar" });
  await client.make("/playlists/", {
    ...{ title: "Happy hour", groups: [{ id: bar.id }] },
    assets: [{ id: beer?.id, duration: 10 }],
  });
  await connectTo(app, content.address);
  afterThisTest(() => disconnectAll(app));
  await goTo(page, "#/screens");
  await page.getByRole("button", { name: "Assertions" }).click();
  const dialog = page.getByRole("dialog", { name: "Assertions" });
  await dialog.getByRole("button", { name: "Add assertion" }).click();
  const form = dialog.getByRole("form", { name: "Add assertion" });
  await form.getByLabel("Name").fill("No beer");
  await form.getByRole("combobox", { name: "Requirement" }).click();
  await page.getByRole("option", { name: "Must never play" }).click();
  await form.getByRole("combobox", { name: "Assets" }).fill("Beer");
  await page.getByRole("option", { name: "Beer" }).click();
  await form.getByLabel("Until").fill("16:00");
  await form.getByRole("button", { name: "Create assertion" }).click();
  await dialog.getByText(/^Kept for the next 30 days/).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();

  const labels = async (): Promise<unknown> =>
    (await client.get(`/screens/${screenId}/`)).groups.map(
      ({ name }: { name: string }) => name,
    );
  await page.getByRole("option", { name: /Entrance/ }).click();
  const details = page.getByRole("complementary", { name: "Screen details" });
  const field = details.getByRole("combobox", { name: "Labels" });
  const question = page.getByRole("alertdialog", {
    name: "Change the labels of “Entrance”?",
  });
  await field.fill("Bar");
  await page.keyboard.press("Enter");
  await question.getByText(/This breaks “No beer”\.$/).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(await labels()).toEqual(["All Screens"]);
  await field.fill("Bar");
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Change anyway" }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(labels).toEqual(["All Screens", "Bar"]);
});
