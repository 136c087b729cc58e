// What the player and a content service reject, in the German manager of the real app: the interfaces answer in English.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";
import { dropFiles, goTo } from "../../support/manager/manager-page.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";
import { png } from "../../support/media/media.ts";

const app = sharedManager({ language: "de_DE.UTF-8" });

it("[V2-850] why files were not added", async () => {
  const { page, manager } = app;
  const damaged = path.join(manager.dir, "bild.png");
  await writeFile(damaged, png([200, 20, 20]).subarray(0, 60));
  const text = path.join(manager.dir, "notiz.png");
  await writeFile(text, "hello");
  await goTo(page, "#/library");
  await dropFiles(page, [damaged, text]);
  await page.getByText(/^Dieses Bild \(image\/png\) ist beschädigt/).waitFor();
  await page.getByText(/^Das ist keine Bild-, Video-, Audio-/).waitFor();
});

it("[V2-850] why a value was not saved", async () => {
  const { page } = app;
  await goTo(page, "#/settings/screen");
  const field = page.getByLabel("Koordinaten");
  await field.fill("abc");
  await field.blur();
  await page
    .getByText(/^Nicht gespeichert: Muss aus Breiten- und Längengrad bestehen/)
    .waitFor();
  await field.fill("");
  await field.blur();
});

it("[V2-850] why a backup cannot be restored", async () => {
  const { page, manager } = app;
  const broken = path.join(manager.dir, "kaputt.tar.gz");
  await writeFile(broken, "broken");
  await goTo(page, "#/settings/backup");
  await page.locator("input[type=file]").setInputFiles(broken);
  await page
    .getByText("Die Datei ist kein gzip-Archiv oder beschädigt.")
    .waitFor();
});

it("[V2-850] why a change was not made in the content service", async () => {
  const { page, manager } = app;
  const service = await startContent(path.join(manager.dir, "service"));
  const { account_id: id } = await app.elsewhere<{ account_id: string }>(
    ...(["POST", "/sync/accounts"] as const),
    { base_url: service.address, token: contentKey },
  );
  const change = (body: object) =>
    app.elsewhere("POST", `/sync/accounts/${id}/changes`, body);
  await change({
    ...{ collection: "playlists", action: "change" },
    ...{ id: "01JAAAAAAAAAAAAAAAAAAAAAAA" },
    ...{ fields: { title: "New" }, base: { title: "Old" } },
  });
  await change({
    ...{ collection: "assets", action: "create" },
    fields: { title: "Page", source_url: "http://127.0.0.1:9/" },
  });
  await goTo(page, "#/connections");
  const queue = page.getByRole("region", { name: "Ausstehende Änderungen" });
  await queue
    .getByText("Der Eintrag wurde im Inhaltsdienst gelöscht.")
    .waitFor();
  await queue
    .getByText(/^Die Adresse des Inhalts ist nicht erreichbar: /)
    .waitFor();
  await service.stop();
  await page.getByRole("button", { name: /^Jetzt abgleichen/ }).click();
  await page
    .getByText(
      "Der Inhaltsdienst ist nicht erreichbar: Die Verbindung wurde abgelehnt.",
    )
    .waitFor();
  expect(await queue.innerText()).not.toContain("cannot be reached");
});
