// Screenshots of dialogs, menus and panels over a page, and of other window sizes; each returns a function that restores the page.

import { goTo } from "../../support/manager/manager-page.ts";
import type { ManagerApp } from "../../support/manager/manager-app.ts";
import {
  connectTo,
  disconnectAll,
  serviceWithScreens,
} from "../../support/manager/service-with-screens.ts";

type Show = (
  manager: ManagerApp,
) => Promise<(() => Promise<unknown>) | undefined>;

const usual = { width: 1360, height: 860 };

const at = ({ page }: ManagerApp, hash: string) => goTo(page, hash);

function inSize(hash: string, width: number, height: number): Show {
  return async (manager) => {
    await at(manager, hash);
    await manager.resize(width, height);
    return () => manager.resize(usual.width, usual.height);
  };
}

/** Selects this many options of the library's list. */
function selecting(count: number): Show {
  return async (manager) => {
    await at(manager, "#/library");
    await manager.page.getByRole("option").nth(3).click();
    if (count > 1)
      await manager.page
        .getByRole("option")
        .nth(2 + count)
        .click({ modifiers: ["Shift"] });
    return async () => {
      await manager.page.getByRole("listbox").focus();
      await manager.page.keyboard.press("Escape");
    };
  };
}

export const extras: Readonly<Record<string, Show>> = {
  "library-details": selecting(1),
  "library-several": selecting(3),
  "library-trash": async (manager) => {
    await manager.page.evaluate(async () => {
      const listed = await window.manager.operate({ operation: "listAssets" });
      const { answer: assets } = listed as { answer: { asset_id: string }[] };
      await window.manager.operate({
        operation: "moveToTrash",
        body: { asset_ids: assets.slice(0, 3).map(({ asset_id: id }) => id) },
      });
    });
    await at(manager, "#/library/trash");
    return async () => {
      await manager.page.evaluate(async () => {
        const trash = await window.manager.operate({ operation: "listTrash" });
        const entries = (trash as { answer: { id: string }[] }).answer;
        await window.manager.operate({
          operation: "restoreFromTrash",
          body: { asset_ids: entries.map(({ id }) => id) },
        });
      });
      await manager.page.locator(".empty").waitFor();
    };
  },
  "library-list": async (manager) => {
    await manager.page.evaluate(() => {
      localStorage.setItem("vitrine.library.view", "list");
    });
    await at(manager, "#/now");
    await at(manager, "#/library");
    return () =>
      manager.page.evaluate(() => {
        localStorage.removeItem("vitrine.library.view");
      });
  },
  commands: async (manager) => {
    await at(manager, "#/now");
    await manager.page.keyboard.press("Control+k");
    const bar = manager.page.getByRole("dialog");
    await bar.locator("input:focus").waitFor();
    await manager.page.keyboard.type("me");
    return async () => {
      await manager.page.keyboard.press("Escape");
      await manager.page.keyboard.press("Escape");
      await bar.waitFor({ state: "detached" });
    };
  },
  takeover: async (manager) => {
    await at(manager, "#/now");
    await manager.page.keyboard.press("Control+Shift+E");
    await manager.page.getByRole("radio").first().check();
    return async () => {
      await manager.page.keyboard.press("Escape");
      await manager.page.getByRole("dialog").waitFor({ state: "detached" });
    };
  },
  "takeover-running": async (manager) => {
    await at(manager, "#/now");
    await manager.page.evaluate(() =>
      window.manager.operate({
        operation: "takeOver",
        body: { text: "Please leave the building now.", seconds: 600 },
      }),
    );
    // On the screen already, so that the manager shows it.
    await manager.page.locator('[data-tone="takeover"]').first().waitFor();
    await manager.page.waitForTimeout(2_500);
    return () =>
      manager.page.evaluate(() =>
        window.manager.operate({ operation: "endTakeover" }),
      );
  },
  "settings-site": async (manager) => {
    await at(manager, "#/settings/kiosk");
    const panel = manager.page.locator(".panel:has(.tabler-icon-stethoscope)");
    await panel.getByRole("button").click();
    await panel.locator(".site-line").last().scrollIntoViewIfNeeded();
    return undefined;
  },
  "settings-pin": async (manager) => {
    await at(manager, "#/now");
    await at(manager, "#/settings/kiosk");
    await manager.page.evaluate(() =>
      window.manager.changeExitPin({ current: null, next: "2468" }),
    );
    await manager.page.reload();
    const fields = manager.page.locator(".pin-field input");
    await fields.nth(1).fill("12");
    await fields.nth(1).press("Enter");
    await manager.page.locator(".pin-field [role=alert]").waitFor();
    return () =>
      manager.page.evaluate(() =>
        window.manager.changeExitPin({ current: "2468", next: null }),
      );
  },
  "screens-table": withScreens(200, "table"),
  "screens-tiles": withScreens(200, "tiles"),
  "screens-details": withScreens(200, "table", async (manager) => {
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".screen-figure img").waitFor();
  }),
  "screens-live-900x600": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await openLive(manager);
  }),
  "screens-logs": withScreens(200, "table", async (manager) => {
    const { page } = manager;
    await openLive(manager);
    await page
      .locator(".screens-details .details-actions button")
      .last()
      .click();
    await page.locator(".command-result").first().scrollIntoViewIfNeeded();
  }),
  "screens-show": withScreens(200, "table", async (manager) => {
    await openLive(manager);
    await manager.page
      .locator(".screens-details .details-actions button")
      .nth(2)
      .click();
    await manager.page.locator(".mantine-Modal-content input").waitFor();
  }),
  "screens-adopt": withScreens(8, "table", openAdoptForm),
  "screens-adopted": withScreens(8, "table", showAdopted),
  "screens-adopted-login": withScreens(8, "table", async (manager) => {
    await manager.resize(900, 600);
    await showAdopted(manager);
    const change = manager.page.locator(
      ".screens-details [aria-label*=Anthias] button",
    );
    await change.click();
    await manager.page
      .locator(".screens-details form button")
      .last()
      .scrollIntoViewIfNeeded();
  }),
  "screens-several": withScreens(200, "table", async (manager) => {
    const { page } = manager;
    await page.getByRole("option").first().click();
    await page
      .getByRole("option")
      .nth(5)
      .click({ modifiers: ["Shift"] });
    await page
      .locator(".screens-details .details-actions button")
      .nth(1)
      .click();
    await page.locator(".command-result").first().waitFor();
  }),
  "screens-day": withScreens(200, "table", async (manager) => {
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".screen-played").scrollIntoViewIfNeeded();
  }),
  "screens-schedule": withScreens(200, "table", async (manager) => {
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".tabler-icon-calendar-time").last().click();
    await manager.page.getByRole("dialog").getByRole("table").waitFor();
  }),
  "screens-replace": withScreens(200, "table", async (manager) => {
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".tabler-icon-replace").click();
    await manager.page.getByRole("checkbox").waitFor();
  }),
  "screens-assign": withScreens(200, "table", async (manager) => {
    await manager.page.getByRole("listbox").focus();
    await manager.page.keyboard.press("Control+a");
    await manager.page.locator(".tabler-icon-tags").click();
    await manager.page.getByRole("dialog").waitFor();
  }),
  "screens-assign-preview": withScreens(200, "table", async (manager) => {
    const { page } = manager;
    await manager.resize(900, 600);
    await page.getByRole("listbox").focus();
    await page.keyboard.press("Control+a");
    await page.locator(".tabler-icon-tags").click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".mantine-TagsInput-inputField").fill("Menu boards");
    await page.keyboard.press("Enter");
    await dialog.locator("button[type=submit]").click();
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await question.scrollIntoViewIfNeeded();
  }),
  "screens-4k": withScreens(200, "tiles", async (manager) => {
    await manager.resize(3840, 2160);
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".screen-figure img").waitFor();
  }),
  "screens-alerts": withScreens(200, "table", openAlerts),
  "screens-alert-form": withScreens(200, "table", async (manager) => {
    await openAlerts(manager);
    const rules = manager.page.locator(
      ".editable-row button.mantine-Button-root",
    );
    await rules.nth(-5).click();
    await manager.page.locator(".editable-form").scrollIntoViewIfNeeded();
  }),
  "screens-alerts-900x600": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await openAlerts(manager);
  }),
  "screens-assertions": withScreens(200, "table", openAssertions),
  "screens-assertions-900x600": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await openAssertions(manager);
    await manager.page
      .locator(".editable-row button.mantine-Button-root")
      .first()
      .click();
  }),
  "screens-label-preview": withScreens(200, "table", async (manager) => {
    const { page } = manager;
    await page.getByRole("option").first().click();
    await page.locator(".screen-figure img").waitFor();
    await page
      .locator(".screens-details .mantine-TagsInput-inputField")
      .fill("Menu boards");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await question.scrollIntoViewIfNeeded();
  }),
  "screens-900x600": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await manager.page.getByRole("option").first().click();
    await manager.page.locator(".screen-figure img").waitFor();
  }),
  "screens-outages": withScreens(200, "table", showOutages),
  "screens-outages-list": withScreens(200, "table", async (manager) => {
    await showOutages(manager);
    await manager.page
      .getByRole("table")
      .nth(1)
      .evaluate((table) => table.scrollIntoView());
  }),
  "screens-outages-900x600": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await showOutages(manager);
  }),
  "reports-service": withScreens(200, "table", (manager) =>
    showServiceReport(manager, "asset"),
  ),
  "reports-service-screens": withScreens(200, "table", async (manager) => {
    await manager.resize(900, 600);
    await showServiceReport(manager, "screen");
  }),
  "playlists-many": withManyPlaylists("#/playlists", ".playlist-link", 150),
  "schedule-many": withManyPlaylists("#/schedule", ".lane-row", 5),
  "first-run-1": firstRun(0),
  "first-run-2": firstRun(1),
  "first-run-3": firstRun(2),
  "now-900x600": inSize("#/now", 900, 600),
  "library-900x600": inSize("#/library", 900, 600),
  "playlists-900x600": inSize("#/playlists", 900, 600),
  "schedule-900x600": inSize("#/schedule", 900, 600),
  "settings-900x600": inSize("#/settings", 900, 600),
  "now-4k": inSize("#/now", 3840, 2160),
  "library-4k": inSize("#/library", 3840, 2160),
};

async function showServiceReport(
  manager: ManagerApp,
  view: string,
): Promise<void> {
  const { page } = manager;
  await at(manager, "#/reports");
  await page.locator(".reports select").first().selectOption({ index: 1 });
  // The labels of the service, once they are known.
  await page.locator(".reports select").nth(2).waitFor();
  await page.locator(`.reports label[for$="-${view}"]`).click();
  await page.getByRole("table").waitFor();
  if (view !== "asset")
    await page
      .locator(`.reports label[for$="-${view}"]`)
      .evaluate((tab) => tab.scrollIntoView());
}

async function showOutages(manager: ManagerApp): Promise<void> {
  await at(manager, "#/screens/outages");
  await manager.page.getByRole("table").nth(1).waitFor();
}

async function openAlerts({ page }: ManagerApp): Promise<void> {
  await page.locator(".tabler-icon-bell").click();
  await page.locator(".editable-row").nth(3).waitFor();
}

async function openAssertions({ page }: ManagerApp): Promise<void> {
  await page.locator(".tabler-icon-list-check").click();
  await page.locator(".editable-row").nth(1).waitFor();
}

async function openLive({ page }: ManagerApp): Promise<void> {
  await page.getByRole("option").first().click();
  await page.locator(".screen-taken[data-live]").waitFor();
}

async function openAdoptForm({ page }: ManagerApp): Promise<void> {
  await page.locator(".tabler-icon-plus").first().click();
  await page.locator("form + button").click();
  await page.getByPlaceholder("192.168.1.20").fill("192.0.2.20");
}

async function showAdopted(manager: ManagerApp): Promise<void> {
  const { page } = manager;
  await openAdoptForm(manager);
  await page.keyboard.press("Enter");
  await page.getByRole("option").filter({ hasText: "192.0.2.20" }).click();
  await page.locator("[aria-label*=Anthias]").scrollIntoViewIfNeeded();
}

/** The screens page with this many screens of a content service that is connected with a key. */
function withScreens(
  count: number,
  view: "table" | "tiles",
  then?: (manager: ManagerApp) => Promise<void>,
): Show {
  return async (manager) => {
    const service = await serviceWithScreens({ count });
    await connectTo(manager, service.address);
    await manager.page.evaluate((chosen) => {
      localStorage.setItem("vitrine.screens.view", chosen);
    }, view);
    await at(manager, "#/now");
    await at(manager, "#/screens");
    await manager.page.getByRole("option").nth(5).waitFor();
    if (view === "tiles")
      await manager.page.locator(".screen-card img").nth(7).waitFor();
    await then?.(manager);
    return async () => {
      await at(manager, "#/now");
      await manager.resize(usual.width, usual.height);
      await disconnectAll(manager);
      await service.close();
    };
  };
}

/** A page with 200 playlists, once this many of the elements are there; the playlists are deleted afterwards. */
function withManyPlaylists(page: string, shown: string, many: number): Show {
  return async (manager) => {
    const created = await manager.page.evaluate(makePlaylists, 200);
    await at(manager, page);
    await manager.page.locator(shown).nth(many).waitFor();
    return () =>
      manager.page.evaluate(async (ids) => {
        await window.manager.operate({
          operation: "moveToTrash",
          body: { playlist_ids: ids },
        });
        await window.manager.operate({ operation: "emptyTrash" });
      }, created);
  };
}

/** Runs in the page: creates as many playlists as a chain of shops has, each with a few assets and its own hours. */
async function makePlaylists(count: number): Promise<string[]> {
  const listed = await window.manager.operate({ operation: "listAssets" });
  const { answer: assets } = listed as { answer: { asset_id: string }[] };
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const hour = index % 24;
    const from = hour * 3_600_000;
    const created = await window.manager.operate({
      operation: "createPlaylist",
      body: {
        name: `Shop ${index + 1}, ${hour} o'clock`,
        predicate: `$TIME BETWEEN {${from}, ${from + 3_599_999}} AND $WEEKDAY IN {${index % 7}}`,
        priority: index % 4,
        is_enabled: index % 9 !== 0,
        items: [0, 1, 2]
          .map((place) => assets[(index + place) % assets.length]?.asset_id)
          .filter((id) => id !== undefined),
      },
    });
    if (created.isDone)
      ids.push((created.answer as { playlist_id: string }).playlist_id);
  }
  return ids;
}

function firstRun(step: number): Show {
  return async (manager) => {
    await manager.page.evaluate(() =>
      window.manager.changeMachine({ isFirstRunDone: false }),
    );
    await manager.page.reload();
    const steps = manager.page.locator(".mantine-Stepper-step");
    await steps.first().waitFor();
    await steps.nth(step).click();
    return async () => {
      await manager.page.evaluate(() =>
        window.manager.changeMachine({ isFirstRunDone: true }),
      );
      await manager.page.reload();
      await manager.page.locator(".shell").waitFor();
    };
  };
}
