// Assertions, and previews of labels, playlists and assignments, in the real app with a real content service.

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
  await page.getByRole("button", { name: "Requirements" }).click();
  const dialog = page.getByRole("dialog", { name: "Requirements" });
  await dialog.getByRole("button", { name: "Add requirement" }).click();
  const form = dialog.getByRole("form", { name: "Add requirement" });
  await form.getByLabel("Name").fill("No beer");
  await form.getByRole("combobox", { name: "Requirement" }).click();
  await page.getByRole("option", { name: "Must never play" }).click();
  await form.getByRole("combobox", { name: "Assets" }).fill("Beer");
  await page.getByRole("option", { name: "Beer" }).click();
  await form.getByLabel("Until").fill("16:00");
  await form.getByRole("button", { name: "Create requirement" }).click();
  await dialog.getByText(/^Met for the next 30 days/).waitFor();
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
  await question
    .getByText(/This breaks “No beer” on “Entrance”, first from .+\.$/)
    .waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(await labels()).toEqual(["All Screens"]);
  await field.fill("Bar");
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Change anyway" }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(labels).toEqual(["All Screens", "Bar"]);
});

it("[V3-100] [V3-127] asks before a playlist of a service is disabled, and before several screens get a label", async () => {
  const { page } = app;
  const content = await startContent(await temporaryFolder(), {
    apiKey: "a-key",
  });
  const client = clientV3(content.address, "a-key");
  for (const name of ["Entrance", "Exit"]) await claimedPlayer(client, name);
  const [film] = await client.add("/v4/assets", { title: "Film" });
  const lobby = await client.make("/groups/", { name: "Lobby" });
  const assets = [{ id: film?.id, duration: 10 }];
  const { id } = await client.make("/playlists/", {
    ...{ title: "All day", groups: [{ id: "all-screens" }], assets },
  });
  await client.make("/playlists/", {
    ...{ title: "Evening", groups: [{ id: lobby.id }], assets },
  });
  await connectTo(app, content.address);
  afterThisTest(() => disconnectAll(app));

  await goTo(page, "#/connections");
  await page.getByText(/^Edit in the content service/).click();
  const enabled = page.getByRole("switch", { name: "Enable “All day”" });
  const question = page.getByRole("alertdialog", {
    name: "Disable “All day”?",
  });
  await enabled.click({ force: true });
  await question
    .getByText(/^This leaves gaps in the schedules of 2 screens/)
    .waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await enabled.isChecked()).toBe(true);
  await enabled.click({ force: true });
  await question.getByRole("button", { name: "Disable" }).click();
  const queue = page.getByRole("region", { name: "Pending changes" });
  await queue.getByText("All day").waitFor();
  await queue.getByRole("button", { name: /^Discard/ }).click();
  await queue.waitFor({ state: "detached" });
  await client.make("/assertions/", {
    ...{ name: "Film hourly", kind: "at-least", every_minutes: 60 },
    assets: [{ id: film?.id }],
  });
  await enabled.click({ force: true });
  await question
    .getByText(
      /This breaks “Film hourly” on 2 screens, including .+, first from .+\.$/,
    )
    .waitFor();
  await question.getByRole("button", { name: "Change anyway" }).click();
  const isEnabled = async (): Promise<unknown> =>
    (await client.get(`/playlists/${id}/`)).is_enabled;
  await expect.poll(isEnabled).toBe(false);

  await goTo(page, "#/screens");
  await page.getByRole("option").nth(1).waitFor();
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Control+a");
  const details = page.getByRole("complementary", { name: "Screen details" });
  await details.getByRole("button", { name: "Labels and playlists" }).click();
  const dialog = page.getByRole("dialog", {
    name: /^Labels and playlists for/,
  });
  await dialog.getByLabel("Add labels").fill("Lobby");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Apply" }).click();
  const assigning = dialog.getByRole("alertdialog", {
    name: "Apply this to 2 screens?",
  });
  await assigning.getByText(/^2 screens will show something else/).waitFor();
  await assigning.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Changed 2 screens").waitFor();
  const group = await client.get(`/groups/${lobby.id}/`);
  expect(group.screens).toHaveLength(2);
});
