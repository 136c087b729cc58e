// The manager window in the real app: each job done by mouse and again by keyboard alone, with its steps counted.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "../support/desk.ts";
import { picture, type Colour } from "../support/media.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 60_000);

afterAll(async () => {
  await desk.close();
  await desk.screen.close();
});

beforeEach(async () => {
  const panel = desk.page.getByRole("dialog");
  if (await panel.isVisible()) {
    await desk.page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }
  await desk.page.evaluate(async () => {
    const ask = window.manager.operate;
    await ask({ operation: "endTakeover" });
    const assets = await window.manager.listAssets({});
    const ids = assets.map(({ id }) => id);
    if (ids.length > 0)
      await ask({ operation: "putInBin", body: { asset_ids: ids } });
    await ask({ operation: "emptyBin" });
    location.hash = "#/now";
  });
  await desk.page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
});

/** What a person does: one for each time they click, drop, type or press. */
function counted(): {
  steps: number;
  step: (deed: () => Promise<unknown>) => Promise<void>;
} {
  const count = {
    steps: 0,
    step: async (deed: () => Promise<unknown>): Promise<void> => {
      count.steps += 1;
      await deed();
    },
  };
  return count;
}

async function add(name: string, colour: Colour): Promise<string> {
  const asset = await desk.addFile(picture(colour), {
    ...{ name, mimetype: "image", duration: 600 },
  });
  return asset.asset_id;
}

/** Drops a file of this machine into the middle of the window, as the system would. */
async function drop(file: string): Promise<void> {
  const box = { x: 500, y: 400 };
  const session = await desk.page.context().newCDPSession(desk.page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...box, data });
  await session.detach();
}

const main = (): ReturnType<Desk["page"]["locator"]> =>
  desk.page.locator("main");
const list = (): ReturnType<Desk["page"]["getByRole"]> =>
  desk.page.getByRole("listbox", { name: "Library" });

async function orderOnPlayer(): Promise<readonly string[]> {
  return desk.page.evaluate(async () =>
    (await window.manager.listAssets({})).map(({ name }) => name),
  );
}

/** Everything a client can see of assets and playlists. */
async function wholeState(): Promise<unknown> {
  return desk.page.evaluate(async () => {
    const ask = window.manager.operate;
    const [assets, playlists] = await Promise.all([
      ask({ operation: "listAssets" }),
      ask({ operation: "listPlaylists" }),
    ]);
    return { assets, playlists };
  });
}

describe("what plays now", () => {
  it("takes no step: name, verdict and a picture at most two seconds old are on the first page", async () => {
    await add("Summer", [220, 180, 20]);
    const { page } = desk;
    await main().getByRole("heading", { name: "Summer" }).waitFor();
    await main().getByText("As planned, verified").waitFor();
    await main().getByText("Live").waitFor();
    const first = await page.locator(".glass-picture").getAttribute("src");
    await add("Winter", [20, 60, 220]);
    await page.waitForFunction(
      (before) =>
        document.querySelector(".glass-picture")?.getAttribute("src") !==
        before,
      first,
      { timeout: 4_000 },
    );
  });

  it("is a fallback with its reason while nothing is due", async () => {
    await main()
      .getByText(/^Fallback since .*: nothing has been added yet$/)
      .waitFor();
    await desk.addFile(picture([9, 9, 9]), {
      ...{ name: "Later", mimetype: "image", is_enabled: false },
    });
    await main()
      .getByText(/^Fallback since .*“⁨Later⁩” is disabled$/)
      .waitFor();
  });

  it("steps, pauses, mutes and hides by key, and each again by button", async () => {
    await add("One", [10, 90, 10]);
    await add("Two", [90, 10, 10]);
    const { page } = desk;
    const showing = (name: string) =>
      main().locator(".now-name").getByText(name, { exact: true }).waitFor();
    await main()
      .locator(".now-name")
      .getByText(/^(One|Two)$/)
      .waitFor();
    const first = (await main().locator(".now-name").textContent()) ?? "";
    const second = first === "One" ? "Two" : "One";
    await page.keyboard.press("ArrowRight");
    await showing(second);
    await page.keyboard.press("ArrowLeft");
    await showing(first);
    await main().getByRole("button", { name: "Next", exact: true }).click();
    await showing(second);
    await main().getByRole("button", { name: "Previous" }).click();
    await showing(first);

    await page.keyboard.press("p");
    await main()
      .getByText(/^Paused: /)
      .waitFor();
    await main().getByRole("button", { name: "Go on" }).click();
    await main()
      .getByText(/^Paused: /)
      .waitFor({ state: "detached" });

    await page.keyboard.press("m");
    await main().getByRole("button", { name: "Sound on" }).click();
    await main().getByRole("button", { name: "Mute" }).waitFor();

    await page.keyboard.press("h");
    await main()
      .getByText(/^Hidden: /)
      .waitFor();
    await page.keyboard.press("h");
    await main()
      .getByText(/^Hidden: /)
      .waitFor({ state: "detached" });
  });
});

describe("adding", () => {
  it("an image takes one step, the drop, and can be undone by one key", async () => {
    const file = path.join(desk.dir, "harvest.png");
    await writeFile(file, picture([200, 120, 10]));
    const job = counted();
    await job.step(() => drop(file));
    await main().getByRole("heading", { name: "harvest" }).waitFor();
    expect(job.steps).toBe(1);
    await desk.page.getByText("“⁨harvest⁩” was added").waitFor();
    await desk.page.keyboard.press("Control+z");
    await main()
      .getByText(/^Fallback since /)
      .waitFor();
    expect(await orderOnPlayer()).toEqual([]);
  });

  it("files by dialog keeps their order, and a file that is none is refused with its reason", async () => {
    const { page, dir } = desk;
    const files = {
      "a-summer.png": picture([220, 180, 20]),
      "b-winter.png": picture([20, 60, 220]),
      "c-notes.png": Buffer.from("hello"),
    };
    for (const [name, bytes] of Object.entries(files))
      await writeFile(path.join(dir, name), bytes);
    await page.evaluate(() => (location.hash = "#/library"));
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(Object.keys(files).map((name) => path.join(dir, name)));
    await page.getByText(/no picture, video, sound or PDF/).waitFor();
    await list()
      .getByRole("option", { name: /b-winter/ })
      .waitFor();
    expect(await orderOnPlayer()).toEqual(["a-summer", "b-winter"]);
    const tray = page.getByRole("region", { name: "On the way in" });
    await tray.getByRole("button", { name: "Close" }).click();
    await tray.waitFor({ state: "detached" });
  });

  it("an address that cannot be reached says why, and what the screen does", async () => {
    const { page } = desk;
    await page.evaluate(() => (location.hash = "#/library"));
    await page
      .getByRole("textbox", { name: "Address of a web page" })
      .fill("http://127.0.0.1:9/");
    await page.getByRole("button", { name: "Add a web page" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "not added" });
    await alert.waitFor();
    await alert.getByRole("button").click();
  });
});

describe("the takeover", () => {
  const panel = () => desk.page.getByRole("dialog");
  const covered = (): Promise<void> =>
    main()
      .getByText(/^Takeover since /)
      .waitFor();

  it("takes three steps by mouse: open, choose, hold; and one to end it", async () => {
    await add("Programme", [20, 60, 220]);
    const { page } = desk;
    const job = counted();
    await job.step(() =>
      page.getByRole("button", { name: "Takeover" }).click(),
    );
    await job.step(() =>
      page.getByRole("radio", { name: /Leave the building/ }).click(),
    );
    await job.step(async () => {
      const held = page.getByRole("button", { name: /^Hold for a second/ });
      await held.hover();
      await page.mouse.down();
      await page
        .getByRole("status")
        .getByText(/leave the building/)
        .waitFor();
      await page.mouse.up();
    });
    expect(job.steps).toBe(3);
    await covered();
    await panel().getByRole("button", { name: "End the takeover" }).click();
    await page.keyboard.press("Escape");
    await main().getByRole("heading", { name: "Programme" }).waitFor();
  });

  it("takes three steps by keyboard: its keys, a choice, and Enter held", async () => {
    const { page } = desk;
    const job = counted();
    await job.step(() => page.keyboard.press("Control+Shift+E"));
    await page.locator("input[type=radio]:focus").waitFor();
    await job.step(() => page.keyboard.press("Space"));
    await job.step(async () => {
      await page.keyboard.down("Enter");
      await page
        .getByRole("status")
        .getByText(/leave the building/)
        .waitFor();
      await page.keyboard.up("Enter");
    });
    expect(job.steps).toBe(3);
    await covered();
    await page.keyboard.press("Escape");
  });

  it("does nothing when it is let go too soon, and says on the screen when it is a drill", async () => {
    const { page } = desk;
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("radio", { name: /Closed/ }).click();
    const held = page.getByRole("button", { name: /^Hold for a second/ });
    await held.click();
    expect(
      await page.evaluate(() =>
        window.manager.operate({ operation: "readTakeover" }),
      ),
    ).toMatchObject({ isDone: false, code: "not-found" });
    await page.getByRole("switch", { name: "This is a drill" }).check();
    await held.hover();
    await page.mouse.down();
    await page.getByRole("status").getByText(/DRILL/).waitFor();
    await page.mouse.up();
    expect(
      await page.evaluate(() =>
        window.manager.operate({ operation: "readTakeover" }),
      ),
    ).toMatchObject({ answer: { is_drill: true, text: /^DRILL\n/ } });
    await page.keyboard.press("Escape");
  });
});

describe("the library", () => {
  const open = async (): Promise<void> => {
    await desk.page.evaluate(() => (location.hash = "#/library"));
    await list().waitFor();
  };

  it("finds at once, by any part of a name, and tells when nothing fits", async () => {
    await add("Lunch menu", [10, 90, 10]);
    await add("Dinner menu", [90, 10, 10]);
    await open();
    const { page } = desk;
    await page.getByRole("searchbox").fill("lunch");
    await list()
      .getByRole("option", { name: /Dinner/ })
      .waitFor({ state: "detached" });
    expect(await list().getByRole("option").count()).toBe(1);
    await page.getByRole("searchbox").fill("breakfast");
    await page.getByRole("button", { name: "Show everything" }).click();
    expect(await list().getByRole("option").count()).toBe(2);
  });

  it("changes a field by keyboard alone, keeps it at once, and takes it back by Ctrl+Z", async () => {
    await add("Lunch menu", [10, 90, 10]);
    await open();
    const { page } = desk;
    await list().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const name = page.getByRole("textbox", { name: "Name" });
    await name.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Soup");
    await page.keyboard.press("Enter");
    await list().getByRole("option", { name: /Soup/ }).waitFor();
    await list().focus();
    await page.keyboard.press("Control+z");
    await list()
      .getByRole("option", { name: /Lunch menu/ })
      .waitFor();
  });

  it("says in the field what the player refused, and keeps what it had", async () => {
    await add("Lunch menu", [10, 90, 10]);
    await open();
    const { page } = desk;
    await list().getByRole("option").first().click();
    const seconds = page.getByRole("spinbutton", {
      name: "Seconds on the screen",
    });
    await seconds.fill("-5");
    await seconds.press("Enter");
    await page.getByText(/^This must lie between 0 and/).waitFor();
    await seconds.press("Escape");
    expect(await seconds.inputValue()).toBe("600");
  });

  it("changes many at once, and undoes it in one", async () => {
    for (const name of ["A", "B", "C"]) await add(name, [10, 90, 10]);
    await open();
    const { page } = desk;
    await list().focus();
    await page.keyboard.press("Control+a");
    await page.getByRole("heading", { name: "3 assets selected" }).waitFor();
    await page.getByRole("combobox", { name: "Folder" }).fill("Menus/Lunch");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Lunch/ }).waitFor();
    const folders = (): Promise<string[]> =>
      page.evaluate(async () =>
        (await window.manager.listAssets({})).map(({ folder }) => folder),
      );
    expect(await folders()).toEqual(Array(3).fill("Menus/Lunch"));
    await list().focus();
    await page.keyboard.press("Control+z");
    await page
      .getByRole("button", { name: /^Lunch/ })
      .waitFor({ state: "detached" });
    expect(await folders()).toEqual(["", "", ""]);
  });

  it("deletes everything and takes it back: the state is the same to the last field (fault 73)", async () => {
    const ids = [];
    for (const name of ["A", "B", "C"]) ids.push(await add(name, [10, 90, 10]));
    await desk.page.evaluate(async (items) => {
      await window.manager.operate({
        operation: "createPlaylist",
        body: { name: "Lunch", predicate: "TRUE", items },
      });
    }, ids);
    await open();
    const { page } = desk;
    const before = await wholeState();
    await list().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByText("What this screen can show will be here").waitFor();
    expect(await orderOnPlayer()).toEqual([]);
    await page.keyboard.press("Control+z");
    await list().getByRole("option", { name: /^C/ }).waitFor();
    expect(await wholeState()).toEqual(before);
    await page.evaluate(async () => {
      const bin = window.manager.operate;
      const { answer } = (await bin({ operation: "listPlaylists" })) as {
        answer: { playlist_id: string }[];
      };
      for (const { playlist_id: id } of answer)
        await bin({ operation: "deletePlaylist", parameters: { id } });
    });
  });

  it("empties the bin only after a question whose harmless answer has the focus", async () => {
    await add("A", [10, 90, 10]);
    await open();
    const { page } = desk;
    await list().getByRole("option").first().click();
    await page.getByRole("button", { name: "Move to bin" }).click();
    await page.getByRole("button", { name: /^Bin/ }).click();
    await page.getByRole("button", { name: "Empty the bin" }).click();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Take back ⁨A⁩/ }).click();
    await page.getByText("The bin is empty").waitFor();
    expect(await orderOnPlayer()).toEqual(["A"]);
  });

  it("moves what is selected in the order of play by Alt and an arrow", async () => {
    for (const name of ["A", "B", "C"]) await add(name, [10, 90, 10]);
    await desk.page.evaluate(async () => {
      const ids = (await window.manager.listAssets({}))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ id }) => id)
        .join();
      await window.manager.operate({ operation: "orderAssets", body: { ids } });
    });
    await open();
    await list().focus();
    await desk.page.keyboard.press("Home");
    await desk.page.keyboard.press("Alt+ArrowRight");
    await expect.poll(orderOnPlayer).toEqual(["B", "A", "C"]);
  });
});

describe("the command bar", () => {
  it("reaches a page, a setting and an asset by name, by keyboard alone", async () => {
    await add("Lunch menu", [10, 90, 10]);
    const { page } = desk;
    const go = async (words: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      const field = page.getByRole("dialog").getByRole("textbox");
      await field.fill(words);
      await page.keyboard.press("Enter");
    };
    await go("time zone");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await go("schedule");
    await page.getByRole("heading", { name: "Schedule", level: 1 }).waitFor();
    await go("lunch");
    await page.getByRole("complementary", { name: "Details" }).waitFor();
  });
});

describe("the window", () => {
  it("has no Node, no Electron and no way to another page", async () => {
    const { page } = desk;
    const reachable = await page.evaluate(() => [
      typeof (globalThis as Record<string, unknown>)["require"],
      typeof (globalThis as Record<string, unknown>)["process"],
      window.open("https://example.org/") === null,
    ]);
    expect(reachable).toEqual(["undefined", "undefined", true]);
    await page.evaluate(() => {
      location.href = "https://example.org/";
    });
    expect(page.url()).toContain("app://manager");
  });
});
