// The manager at the content service's own address: a real Chromium opens it at a real service, as people with different roles.

import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { watchFaults } from "../../support/browser/watch-faults.ts";
import { registerPlayer } from "../../support/content/linked-player.ts";
import { startMailServer } from "../../support/content/mail-server.ts";
import { reportOf } from "../../support/content/screen-reports.ts";
import {
  clientAt,
  startContent,
  type StartedContent,
} from "../../support/content/start-content.ts";
import { createLog } from "../../../server/platform/log.ts";
import { temporaryFolder, untilAllHaveRun } from "../../support/folder.ts";
import {
  checkPage,
  linkFor,
  managerDir,
  openPage as openPageIn,
  openService,
  openTab,
  password,
  send,
  signedInPage as signedInPageIn,
} from "../../support/manager/service-pages.ts";
import { png } from "../../support/media/media.ts";

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

const openPage = (address: string, width?: number, height?: number) =>
  openPageIn(browser, address, width, height);

const signedInPage = (
  ...[service, email, ...access]: Tail<Parameters<typeof signedInPageIn>>
) => signedInPageIn(browser, service, email, ...access);

type Tail<List extends readonly unknown[]> = List extends readonly [
  unknown,
  ...infer Rest,
]
  ? Rest
  : never;

/** From now on, those whose path ends so. */
function requestsOf(page: Page, pathEnd: string): readonly string[] {
  const found: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(pathEnd)) found.push(request.url());
  });
  return found;
}

/** Whether a browser asks before it leaves the page. */
function isLeavingConfirmed(page: Page): Promise<boolean> {
  return page.evaluate(
    () => !dispatchEvent(new Event("beforeunload", { cancelable: true })),
  );
}

async function signIn(page: Page, email: string, secret = password) {
  await page.getByLabel("Email address").fill(email);
  await page.locator("input[type=password]").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOutByMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: /’s account$/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

async function signOutByList(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Account" }).click();
  await page
    .getByRole("list", { name: "Signed-in browsers" })
    .getByRole("listitem")
    .filter({ hasText: "This browser" })
    .getByRole("button")
    .click();
}

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
}

function pagesOf(page: Page): Promise<readonly string[]> {
  return page
    .locator(".rail-link")
    .evaluateAll((links) => links.map((link) => link.textContent.trim()));
}

/** Reports that it shows “Menu”, with a screenshot. */
async function pairedScreen(
  service: StartedContent,
  name: string,
  labels: readonly string[] = [],
) {
  const player = await registerPlayer(service.address);
  const [{ id } = { id: "" }] = [
    await post(service, "/screens/", { pin: player.pin, name }),
  ];
  if (labels.length > 0)
    await service.request(`/api/v3/screens/${id}/`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ groups: labels.map((label) => ({ id: label })) }),
    });
  await player.beat({ report: reportOf() });
  return { player, id };
}

const post = (service: StartedContent, to: string, body: unknown) =>
  send(service, "POST", to, body) as Promise<{ readonly id: string }>;

describe("the manager at the content service's address", () => {
  it("[V3-140][V3-142] the first person comes in by a link, pairs a screen, sees it and sends it a command", async () => {
    const service = await openService();
    const { address } = service;
    const page = await openPage(await linkFor(service, null));
    const faults = watchFaults(page, address);
    await page.getByText("You’re the first person here").waitFor();
    const previews = requestsOf(page, "/invitations/preview/");
    // The secret is in no address any more.
    expect(new URL(page.url()).hash).toBe("#/screens");
    await page.getByLabel("Email address").fill("ada@example.org");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter 10 to 200 characters.").waitFor();
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator(".shell").waitFor();
    expect(await pagesOf(page)).toEqual([
      ...["Screens", "Library", "Playlists", "Schedule", "Activity"],
      ...["Reports", "Team", "Account", "Help"],
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    // The link is used up by then: the form would show it as no longer valid.
    expect(previews).toEqual([]);

    const player = await registerPlayer(address);
    await page.getByLabel("PIN on the screen").fill(player.pin);
    await page.getByLabel("Screen name").fill("Lobby");
    await page.getByRole("button", { name: "Add screen" }).click();
    await page.getByText("Added “Lobby”").waitFor();
    await player.beat({ report: reportOf() });
    const row = page.locator(".screen-list").getByText("Lobby");
    await row.click();
    const details = page.getByRole("complementary");
    await details.getByText("Menu").first().waitFor();
    await details.getByRole("button", { name: "Next", exact: true }).click();
    await expect
      .poll(async () => (await player.beat()).commands ?? [])
      .toMatchObject([{ kind: "next" }]);
    await details.getByText("Waiting").first().waitFor();

    for (const name of ["Library", "Team", "Account", "Help", "Screens"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    }
    // Pages about a player are not here.
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.getByRole("heading", { level: 1, name: "Screens" }).waitFor();
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("[V3-142] what a person may not do is not there: a viewer, an operator of one label, an administrator", async () => {
    const service = await openService();
    const { id: label } = await post(service, "/groups/", { name: "North" });
    await pairedScreen(service, "Station", [label]);
    await pairedScreen(service, "Harbour");
    const admin = await signedInPage(service, "ada@example.org");
    const viewer = await signedInPage(service, "vera@example.org", "viewer");
    const operator = await signedInPage(
      ...([service, "otto@example.org", "operator", ["North"]] as const),
    );
    const offered = async (page: Page, name: string) => {
      await page.locator(".screen-list").getByText(name).click();
      const details = page.getByRole("complementary");
      await details.getByRole("heading", { name }).waitFor();
      await details.getByText("Menu").first().waitFor();
      const count = (button: string) =>
        details.getByRole("button", { name: button, exact: true }).count();
      return {
        command: await count("Next"),
        remove: await count("Remove screen"),
        rename: await details.getByLabel("Name", { exact: true }).count(),
      };
    };
    const all = { command: 1, remove: 1, rename: 1 };
    const none = { command: 0, remove: 0, rename: 0 };
    expect(await offered(admin, "Harbour")).toEqual(all);
    expect(await offered(viewer, "Harbour")).toEqual(none);
    expect(await offered(operator, "Harbour")).toEqual(none);
    expect(await offered(operator, "Station")).toEqual(all);
    const add = (page: Page) =>
      page.getByRole("button", { name: "Add screen" }).count();
    expect(await Promise.all([admin, viewer, operator].map(add))).toEqual([
      ...[1, 0, 0],
    ]);
    expect(await pagesOf(admin)).toContain("Team");
    for (const page of [viewer, operator]) {
      expect(await pagesOf(page)).toEqual([
        ...["Screens", "Library", "Playlists", "Schedule", "Reports"],
        ...["Account", "Help"],
      ]);
      for (const hash of ["#/team", "#/activity"]) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page
          .getByRole("heading", { level: 1, name: "Screens" })
          .waitFor();
      }
    }
    await viewer.getByRole("button", { name: "Alerts" }).click();
    await viewer.getByText("No rules yet").waitFor();
    expect(await viewer.getByRole("button", { name: "Add rule" }).count()).toBe(
      0,
    );
  });

  it("[V3-199] with a mail server, links of invitations and new passwords are sent, and shown only where that fails", async () => {
    const mail = await startMailServer();
    const service = await openService(undefined, {
      smtpUrl: `smtp://127.0.0.1:${mail.port}`,
      smtpFrom: "Signage <signage@example.org>",
    });
    const page = await signedInPage(service, "ada@example.org");
    await page.getByRole("link", { name: "Team" }).click();
    const invite = async (email: string): Promise<void> => {
      await page.getByRole("button", { name: "Invite someone" }).click();
      await page.getByLabel("Email address").fill(email);
      const sending = page.getByRole("switch", { name: /^Send the link/ });
      await sending.waitFor();
      expect(await sending.isChecked()).toBe(true);
      await page.getByRole("button", { name: "Create invitation" }).click();
    };
    await invite("bob@example.org");
    await page.getByText("Sent the link to bob@example.org").waitFor();
    expect(await page.locator("[data-secret]").count()).toBe(0);
    const invitation = await mail.nextMail();
    expect(invitation.to).toEqual(["bob@example.org"]);
    mail.rejected.set("eve@example.org", 550);
    await invite("eve@example.org");
    await page.getByText("Couldn’t send the link to eve@example.org").waitFor();
    const link = await page.locator("[data-secret]").innerText();
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    const eve = await openPage(link);
    await eve.getByLabel("Name").fill("Eve");
    await eve.getByLabel("New password").fill(password);
    await eve.getByRole("button", { name: "Create account" }).click();
    await eve.locator(".shell").waitFor();

    mail.rejected.clear();
    await page.reload();
    await page
      .getByRole("button", { name: "Reset the password for “Eve”" })
      .click();
    await page.getByRole("button", { name: "Reset and send link" }).click();
    await page.getByText("Sent the link to eve@example.org").waitFor();
    expect((await mail.nextMail()).text).toContain("Set a new password");
    await page
      .getByRole("button", { name: "Reset the password for “Eve”" })
      .click();
    await page.getByRole("button", { name: "Reset and show link" }).click();
    await page.locator("[data-secret]").waitFor();
    expect(mail.mails).toHaveLength(2);
  });

  it("[V3-142][V3-163][V3-166][V3-167][V3-168] an administrator invites, changes a role, disables and withdraws; signing out everywhere ends every browser", async () => {
    const service = await openService();
    await post(service, "/groups/", { name: "North" });
    const page = await signedInPage(service, "ada@example.org");
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByRole("button", { name: "Invite someone" }).click();
    await page.getByLabel("Email address").fill("bob@example.org");
    await page.getByLabel("Role").first().click();
    await page.getByRole("option", { name: "Operator" }).click();
    await page.getByLabel("Only for these labels").first().click();
    await page.getByRole("option", { name: "North" }).click();
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = await page.locator("[data-secret]").innerText();
    expect(link).toContain(`${service.address}/#invitation=`);
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    await page
      .getByRole("list", { name: "Invitations" })
      .getByText("Operator, only for North")
      .waitFor();

    const bob = await openPage(link);
    await bob.getByText("bob@example.org").waitFor();
    await bob.getByLabel("Name").fill("Bob");
    await bob.getByLabel("New password").fill(password);
    await bob.getByRole("button", { name: "Create account" }).click();
    await bob.locator(".shell").waitFor();
    expect(await pagesOf(bob)).toEqual([
      ...["Screens", "Library", "Playlists", "Schedule", "Reports"],
      ...["Account", "Help"],
    ]);
    // Used once.
    const late = await openPage(link);
    await late.getByText("This link is no longer valid").waitFor();
    await late.getByRole("button", { name: "Go to sign-in" }).click();
    await signIn(late, "bob@example.org", "wrong password");
    await late.getByText("Wrong email address, password or code.").waitFor();

    await page.reload();
    await page.getByRole("button", { name: "Edit “Bob”" }).click();
    await page.getByLabel("Role").first().click();
    await page.getByRole("option", { name: "Administrator" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .locator(".editable-row", { hasText: "bob@example.org" })
      .getByText("Administrator", { exact: true })
      .waitFor();
    await bob.reload();
    await bob.getByRole("link", { name: "Team" }).waitFor();

    // Nothing happens before the answer.
    const confirmReset = () =>
      page
        .getByRole("button", { name: "Reset the password for “Bob”" })
        .click();
    const question = page.getByRole("alertdialog");
    await confirmReset();
    await question.getByText("Reset the password for “Bob”?").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await page.locator("[data-secret]").count()).toBe(0);
    await confirmReset();
    await question.getByRole("button", { name: "Reset password" }).click();
    const resetLink = await page.locator("[data-secret]").innerText();
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    await bob.getByText("Your session has ended").waitFor();
    await bob.goto(resetLink);
    await bob.getByLabel("New password").fill(password);
    await bob.getByRole("button", { name: "Set password" }).click();
    await bob.locator(".shell").waitFor();

    await page.getByRole("switch", { name: "Enable “Bob”" }).press("Space");
    await page.getByText("Account disabled ·").waitFor();
    // Their page finds out by its next request.
    await bob.getByText("Your session has ended").waitFor();
    await page.getByRole("button", { name: "Delete “Bob”" }).click();
    await page
      .getByRole("button", { name: "Delete", exact: true })
      .last()
      .click();
    await page.getByText("Deleted “Bob”").waitFor();

    const second = await openPage(service.address);
    await signIn(second, "ada@example.org");
    await signOutEverywhere(second);
    for (const left of [second, page])
      await left.getByLabel("Email address").waitFor();
  });

  it("[V3-165][V4-376] a second factor is set up by a code, and asked for at the next sign-in", async () => {
    const service = await openService();
    const page = await signedInPage(service, "ada@example.org");
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Current password").last().fill("wrong password");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByLabel("Current password").last().fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code" }).waitFor();
    const secret = await page.locator("[data-secret]").innerText();
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.getByRole("textbox", { name: "Code" }).fill(totp.generate());
    await page.getByRole("button", { name: "Turn on" }).click();
    const codes = await page.locator("[data-secret] li").allInnerTexts();
    expect(codes).toHaveLength(10);
    // They outlive the page until they are copied.
    await page.getByRole("link", { name: "Help" }).click();
    await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
    await page.getByRole("link", { name: "Account" }).click();
    await page.locator("[data-secret] li").first().waitFor();
    expect(await page.locator("[data-secret] li").allInnerTexts()).toEqual(
      codes,
    );
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    await page.getByText("On. Signing in requires a code").waitFor();

    await signOutByMenu(page);
    await signIn(page, "ada@example.org");
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Wrong email address, password or code.").waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator(".shell").waitFor();
  });

  it("[V3-134] API keys are created with a role, used, and revoked", async () => {
    const service = await openService();
    const page = await signedInPage(service, "ada@example.org");
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByLabel("Key name").fill("Reports");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.locator("[data-secret]").innerText();
    const status = async (method = "GET") =>
      (
        await fetch(`${service.address}/api/v3/groups/`, {
          method,
          headers: { Authorization: `Token ${key}` },
        })
      ).status;
    expect([await status(), await status("POST")]).toEqual([200, 403]);
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    await page.getByRole("button", { name: "Revoke “Reports”" }).click();
    await page
      .getByRole("button", { name: "Revoke", exact: true })
      .last()
      .click();
    await page.getByText("Revoked “Reports”").first().waitFor();
    await expect.poll(() => status()).toBe(401);
  });

  it("[V3-183] another person in the same tab gets a new page, without the secrets of the one before; the same person continues", async () => {
    const service = await openService();
    const other = await signedInPage(service, "ben@example.org");
    await other.close();
    const page = await signedInPage(service, "ada@example.org");
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByLabel("Key name").fill("Nightly export");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.locator("[data-secret]").waitFor();
    await page.evaluate(() => {
      document.documentElement.dataset["isFirstPage"] = "";
    });
    const isFirstPage = () => page.locator("html[data-is-first-page]").count();
    const elsewhere = await openPage(service.address);
    const endElsewhere = async (): Promise<void> => {
      await signIn(elsewhere, "ada@example.org");
      await signOutEverywhere(elsewhere);
      await page.getByText("Your session has ended").waitFor();
    };
    await endElsewhere();
    // The same person continues where they were.
    await signIn(page, "ada@example.org");
    await page.locator("[data-secret]").waitFor();
    expect(await isFirstPage()).toBe(1);

    await endElsewhere();
    await signIn(page, "ben@example.org");
    await page.getByRole("button", { name: "ben’s account" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Team" }).waitFor();
    await page.getByText("Nightly export").waitFor();
    expect(await page.locator("[data-secret]").count()).toBe(0);
    expect(await isFirstPage()).toBe(0);
  });

  it("[V3-142] a session that continues in another tab continues in this one", async () => {
    const service = await openService();
    const page = await signedInPage(service, "ada@example.org");
    const tab = await openTab(browser, service.address);
    await tab.locator(".shell").waitFor();
    const other = await openPage(service.address);
    await signIn(other, "ada@example.org");
    await signOutEverywhere(other);
    for (const ended of [page, tab])
      await ended.getByText("Your session has ended").waitFor();
    await signIn(tab, "ada@example.org");
    await page.locator(".shell").waitFor();
  });

  it("[V3-142] a request without a valid session leads to the sign-in, until the service reports that the session is valid", async () => {
    const service = await openService();
    const page = await signedInPage(service, "ada@example.org");
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/v3/sign-in/", async (route) => {
      await held;
      // The page may have ended the request meanwhile.
      await route.continue().catch(() => undefined);
    });
    const invitations = "**/api/v3/invitations/";
    await page.route(invitations, (route) =>
      route.fulfill({ status: 401, json: { error: "Sign in." } }),
    );
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByText("Your session has ended").waitFor();
    await page.unroute(invitations);
    release();
    await page.getByRole("heading", { level: 1, name: "Team" }).waitFor();
  });

  it("[V3-164] a name that is being typed is kept while the one before is saved, and when it is changed elsewhere", async () => {
    const service = await openService();
    const page = await signedInPage(service, "ada@example.org");
    const other = await openPage(service.address);
    await signIn(other, "ada@example.org");
    const nameOn = async (at: Page) => {
      await at.getByRole("link", { name: "Account" }).click();
      return at.getByRole("textbox", { name: "Name", exact: true });
    };
    const name = await nameOn(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/v3/account/", async (route) => {
      await held;
      await route.continue();
    });
    await name.fill("Ada Lovelace");
    await name.press("Enter");
    await name.fill("Ada King");
    release();
    await page.getByText("Name saved").waitFor();
    await page
      .getByRole("button", { name: "Ada Lovelace’s account" })
      .waitFor();
    expect(await name.inputValue()).toBe("Ada King");

    const elsewhere = await nameOn(other);
    await elsewhere.fill("Countess");
    await elsewhere.press("Enter");
    await page.getByRole("button", { name: "Countess’s account" }).waitFor();
    expect(await name.inputValue()).toBe("Ada King");
  });

  it("shows the screenshot of a screen, whatever name the service knows itself by", async () => {
    const dataDir = await temporaryFolder();
    const publicUrl = "http://content.example.org";
    const log = createLog({ toStandardOutput: false });
    let port: unknown;
    const service = await startContent(dataDir, {
      ...{ managerDir, publicUrl },
      log: {
        ...log,
        info: (event, fields) => {
          if (event === "content.started") ({ port } = fields ?? {});
        },
      },
    });
    const address = `http://127.0.0.1:${String(port)}`;
    const here = { ...service, ...clientAt(address) };
    const { player } = await pairedScreen(here, "Lobby");
    const sent = await fetch(`${address}/link/v1/screenshot`, {
      method: "PUT",
      headers: {
        Authorization: `Bearer ${player.credential}`,
        "Content-Type": "image/png",
      },
      body: new Uint8Array(png([200, 20, 20])),
    });
    expect(sent.status).toBeLessThan(300);
    const page = await signedInPage(here, "ada@example.org");
    await page.locator(".screen-list").getByText("Lobby").click();
    await page.getByRole("img", { name: "Lobby" }).first().waitFor();
  });

  describe.each(["light", "dark"] as const)("in its %s theme", (theme) => {
    it("has no serious accessibility violation, nor anything cut off at 360 px", async () => {
      const service = await openService();
      await pairedScreen(service, "Lobby");
      const page = await openPage(await linkFor(service, null), 360, 740);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      const check = () => checkPage(browser, page);
      await page.getByLabel("Email address").waitFor();
      await check();
      await page.getByLabel("Email address").fill("ada@example.org");
      await page.getByLabel("Name").fill("Ada");
      await page.getByLabel("New password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.locator(".screen-list").getByText("Lobby").waitFor();
      await check();
      await page.locator(".screen-list").getByText("Lobby").click();
      const details = page.getByRole("complementary");
      await details.getByRole("heading", { name: "Lobby" }).waitFor();
      await check();
      await details.getByRole("button", { name: "Close" }).click();
      for (const to of ["team", "account", "help"]) {
        await page.evaluate((at) => (location.hash = `#/${at}`), to);
        await page.locator(`a[aria-current][href="#/${to}"]`).waitFor();
        await page.locator("#page-title").waitFor();
        await check();
        if (to === "team") {
          await page.getByRole("button", { name: "Invite someone" }).click();
          await check();
        }
        if (to === "account") {
          await page.getByRole("button", { name: "Set up" }).click();
          await page.getByLabel("Current password").last().fill(password);
          await page.getByRole("button", { name: "Continue" }).click();
          await page.getByRole("img", { name: "QR code" }).waitFor();
          await check();
        }
      }
      await signOutByMenu(page);
      await page.getByLabel("Email address").waitFor();
      await check();
    });
  });
});

describe("the library at the content service's address", () => {
  const library = async (page: Page) => {
    await page.getByRole("link", { name: "Library", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
  };
  const card = (page: Page, name: string) =>
    page.locator(".asset-card", { hasText: name });
  const addFile = async (page: Page, name: string, bytes: Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).first().click();
    const file = { name, mimeType: "image/png", buffer: bytes };
    await (await choosing).setFiles(file);
  };

  it("[V3-179][V3-180] an editor uploads an image, sees its thumbnail, renames and deletes it, and another session sees that", async () => {
    const service = await openService();
    const editor = await signedInPage(service, "edda@example.org", "editor");
    const viewer = await signedInPage(service, "vera@example.org", "viewer");
    const faults = watchFaults(editor, service.address);
    await library(editor);
    await library(viewer);
    await viewer.getByText("People with the Editor role or higher").waitFor();
    await addFile(editor, "Menu.png", png([200, 20, 20], 640, 360));
    await editor.getByText("Added “Menu”").waitFor();
    await card(editor, "Menu").locator("img").waitFor();
    const size = await card(editor, "Menu")
      .locator("img")
      .evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      });
    expect(size).toEqual([480, 270]);

    await card(viewer, "Menu").locator("img").waitFor();
    await card(viewer, "Menu").click();
    const shown = viewer.getByRole("complementary");
    await shown.getByRole("heading", { name: "Menu" }).waitFor();
    // What a viewer may not do is not there.
    expect(await shown.getByRole("textbox").count()).toBe(0);
    expect(await shown.getByRole("switch").count()).toBe(0);
    expect(await shown.getByRole("button").allInnerTexts()).toEqual([""]);
    expect(await viewer.getByRole("button", { name: "Add" }).count()).toBe(0);
    await viewer.keyboard.press("Delete");

    await card(editor, "Menu").click();
    const details = editor.getByRole("complementary");
    await details.getByLabel("Name").fill("Lunch");
    await details.getByLabel("Name").press("Enter");
    await details.getByText("Saved").waitFor();
    await card(viewer, "Lunch").waitFor();
    // What only a player has is not there.
    for (const name of ["Trash", "Show now", "Start date", "Enabled"])
      expect(await editor.getByText(name, { exact: true }).count()).toBe(0);

    await editor.locator(".asset-list").focus();
    await editor.keyboard.press("Control+z");
    await card(viewer, "Menu").waitFor();

    await details.getByRole("button", { name: "Delete" }).click();
    await editor.getByText("Delete “Menu” permanently?").waitFor();
    await editor.getByRole("button", { name: "Delete permanently" }).click();
    await editor.getByText("Deleted “Menu”").first().waitFor();
    await viewer.getByText("People with the Editor role or higher").waitFor();
    expect(faults).toEqual([]);
  });

  it("[V3-181] what two people change at once in one asset is kept, and the same field is reported", async () => {
    const service = await openService();
    const { id } = await post(service, "/assets/", {
      source_url: "https://menu.example.org/today",
      title: "Page",
      disable_verification: true,
    });
    const page = await signedInPage(service, "edda@example.org", "editor");
    await library(page);
    await card(page, "Page").click();
    const details = page.getByRole("complementary");
    await details.getByLabel("Name").fill("Menu of today");
    // Another person is faster, with another field.
    const change = (body: unknown) =>
      service.request(`/api/v3/assets/${id}/`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const held = `**/api/v3/assets/${id}/`;
    const interfere = async (body: unknown) => {
      let isDone = false;
      await page.route(held, async (route) => {
        if (route.request().method() === "PATCH" && !isDone) {
          isDone = true;
          await change(body);
        }
        await route.continue();
      });
    };
    await interfere({ folder_name: "Menus" });
    await details.getByLabel("Name").press("Enter");
    await details.getByText("Saved").waitFor();
    const stored = async () =>
      (await (await service.request(`/api/v3/assets/${id}/`)).json()) as {
        readonly title: string;
        readonly folder_name: string;
      };
    expect(await stored()).toMatchObject({
      ...{ title: "Menu of today", folder_name: "Menus" },
    });

    await page.unroute(held);
    await interfere({ title: "Theirs" });
    await details.getByLabel("Name").fill("Mine");
    await details.getByLabel("Name").press("Enter");
    await page.getByRole("button", { name: "Keep mine" }).waitFor();
    expect(await stored()).toMatchObject({ title: "Theirs" });
    await page.unroute(held);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(async () => (await stored()).title).toBe("Mine");
  });

  it("[V3-182] an upload that is cancelled after it has arrived is deleted again", async () => {
    const service = await openService();
    const page = await signedInPage(service, "edda@example.org", "editor");
    await library(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let named = 0;
    await page.route("**/api/v3/assets/*/", async (route) => {
      if (route.request().method() === "PATCH") {
        named += 1;
        await held;
      }
      await route.continue();
    });
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).first().click();
    await (
      await choosing
    ).setFiles(
      [1, 2].map((number) => ({
        ...{ name: `${number}.png`, mimeType: "image/png" },
        buffer: png([200, 20, number], 64, 36),
      })),
    );
    await expect.poll(() => named).toBeGreaterThan(0);
    await page.getByRole("button", { name: /^Cancel/ }).click();
    release();
    const left = async () =>
      (await (await service.request("/api/v3/assets/")).json()) as unknown;
    await expect.poll(left).toEqual([]);
    await expect.poll(() => page.locator(".asset-card").count()).toBe(0);
  });

  it.each([
    ["the account's menu", signOutByMenu],
    ["the list of sessions", signOutByList],
    ["all sessions", signOutEverywhere],
  ])(
    "[V3-183] signing out by %s cancels uploads, for which leaving the page asks",
    async (_way, signOut) => {
      const service = await openService();
      const page = await signedInPage(service, "edda@example.org", "editor");
      await library(page);
      expect(await isLeavingConfirmed(page)).toBe(false);
      // Its response never comes.
      await page.route("**/api/v3/assets/upload/", () => undefined);
      await addFile(page, "Menu.png", png([200, 20, 20], 640, 360));
      await expect.poll(() => isLeavingConfirmed(page)).toBe(true);
      await signOut(page);
      await page.getByLabel("Email address").waitFor();
      expect(await isLeavingConfirmed(page)).toBe(false);
    },
  );

  it("[V3-179] adds a web page, also one that doesn't respond, and finds it", async () => {
    const service = await openService();
    const page = await signedInPage(service, "edda@example.org", "editor");
    await library(page);
    await page.getByLabel("Web page address").fill("http://127.0.0.1:9/none");
    await page.getByRole("button", { name: "Add web page" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add anyway" }).click();
    await card(page, "127.0.0.1").waitFor();
    await page.getByLabel("Search by name").fill("nothing of the sort");
    await page.getByText("No matching assets").waitFor();
  });

  describe.each(["light", "dark"] as const)("in its %s theme", (theme) => {
    it("has no serious accessibility violation, nor anything cut off at 360 px", async () => {
      const service = await openService();
      const page = await signedInPage(service, "edda@example.org", "editor");
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      const check = () => checkPage(browser, page);
      await library(page);
      await check();
      await addFile(page, "Menu.png", png([200, 20, 20], 640, 360));
      await card(page, "Menu").locator("img").waitFor();
      await check();
      await card(page, "Menu").click();
      await page.getByRole("complementary").getByLabel("Name").waitFor();
      await check();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("Delete “Menu” permanently?").waitFor();
      await check();
    });
  });
});
