// Ways to sign in to a content service beside the password, in a real Chromium at a real service and a real mail server.

import type { CDPSession, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { watchFaults } from "../../support/browser/watch-faults.ts";
import { startMailServer } from "../../support/content/mail-server.ts";
import {
  openidClient,
  startOpenidProvider,
} from "../../support/content/openid-provider.ts";
import { untilAllHaveRun } from "../../support/folder.ts";
import {
  checkPage,
  linkFor,
  openPage,
  openService,
  password,
  signedInPage,
} from "../../support/manager/service-pages.ts";

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

const email = "ada@example.org";
const other = "staple the other horse";

async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.locator("input[type=password]").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Of quoted-printable text. */
function linkIn(mail: string): string {
  const plain = mail.replaceAll(/=\n/g, "").replaceAll("=3D", "=");
  return /^http\S+#password=\S+$/m.exec(plain)?.[0] ?? "";
}

describe("a forgotten password", () => {
  it("[V3-204] [V3-205] is replaced by a link that is sent from the sign-in page", async () => {
    const mail = await startMailServer();
    const service = await openService(undefined, {
      smtpUrl: `smtp://127.0.0.1:${mail.port}`,
      smtpFrom: "signage@example.org",
    });
    const before = await signedInPage(browser, service, email);
    const page = await openPage(browser, service.address, 360, 740);
    const faults = watchFaults(page, service.address);
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await checkPage(browser, page);
    expect(await page.getByLabel("Email address").inputValue()).toBe(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await checkPage(browser, page);
    const link = linkIn((await mail.nextMail()).text);
    await page.getByRole("button", { name: "Back to sign-in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe(email);

    await page.goto(link);
    await page.getByText(`Your account: ${email}`).waitFor();
    await checkPage(browser, page);
    // In no bookmark and no history.
    expect(new URL(page.url()).hash).toBe("#/screens");
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Enter 10 to 200 characters.").waitFor();
    await page.getByLabel("New password").fill(other);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    await checkPage(browser, page);
    await page.getByRole("button", { name: "Go to sign-in" }).click();
    await signIn(page, password);
    await page.getByText("Wrong email address, password or code.").waitFor();
    await signIn(page, other);
    await page.locator(".shell").waitFor();
    // The other browser of this person is signed out.
    await before.getByText("Your session has ended").waitFor();
    expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);

    const late = await openPage(browser, link);
    await late.getByText("This link is no longer valid").waitFor();
  });

  it("[V3-203] leads to an administrator where the service has no mail server", async () => {
    const service = await openService();
    const page = await openPage(browser, service.address);
    await page.getByText("An administrator can send you a link").waitFor();
    expect(
      await page.getByRole("button", { name: "Forgot your password?" }).count(),
    ).toBe(0);
  });
});

describe("OpenID Connect", () => {
  it("[V3-206] [V3-207] [V3-208] [V3-209] an invited person comes in with their account at a provider of another site", async () => {
    const provider = await startOpenidProvider(false, "localhost");
    const service = await openService(undefined, {
      ...{ oidcIssuer: provider.issuer, oidcClientId: openidClient.id },
      ...{ oidcClientSecret: openidClient.secret, oidcLabel: "Example Ltd" },
      openidTimeoutMs: waitDeadlineMs,
    });
    provider.setRedirectUri(
      `${service.address}/api/v3/sign-in/openid/callback`,
    );
    const page = await openPage(browser, service.address, 360, 740);
    const faults = watchFaults(page, service.address);
    const button = page.getByRole("button", {
      name: "Sign in with Example Ltd",
    });
    await button.click();
    await page.getByText("Example Ltd didn’t sign you in").waitFor();
    expect(new URL(page.url()).hash).toBe("#/screens");
    provider.account = { sub: "1", email, email_verified: true, name: "Ada" };
    await button.click();
    await page.getByText("You don’t have access here").waitFor();
    await checkPage(browser, page);

    await linkFor(service, email, "editor");
    await button.click();
    await page.locator(".shell").waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByText(`${email} · Editor`).waitFor();
    await page.getByText("You have no password here").waitFor();
    expect(await page.getByText("Two-factor authentication").count()).toBe(0);
    expect(
      faults.filter((fault) => !fault.startsWith(provider.issuer)),
    ).toEqual([]);
  });

  it("[V3-207] a provider that can’t be reached is named on the sign-in page, where the password still works", async () => {
    const provider = await startOpenidProvider();
    const service = await openService(undefined, {
      ...{ oidcIssuer: provider.issuer, oidcClientId: openidClient.id },
      oidcClientSecret: openidClient.secret,
    });
    await signedInPage(browser, service, email);
    const page = await openPage(browser, service.address);
    const { host } = new URL(provider.issuer);
    await page.getByRole("button", { name: `Sign in with ${host}` }).click();
    await page.getByText(`Couldn’t reach ${host}.`).waitFor();
    await signIn(page, password);
    await page.locator(".shell").waitFor();
  });
});

/** A device of the browser's own that always confirms who uses it. */
async function addDevice(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

describe("passkeys", () => {
  it("[V3-211] [V3-212] [V3-213] one that is added on the account page signs in, and none does once it is removed", async () => {
    const service = await openService();
    // Browsers make none for an IP address.
    const address = service.address.replace("127.0.0.1", "localhost");
    const link = await linkFor(service, email);
    const page = await openPage(
      browser,
      link.replace("127.0.0.1", "localhost"),
      ...([360, 740] as const),
    );
    const faults = watchFaults(page, address);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator(".shell").waitFor();
    await addDevice(page);
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("button", { name: "Add passkey" }).click();
    const form = page.locator("form", { hasText: "Continue" });
    await form.getByLabel("Name").fill("Phone");
    await form.locator("input[type=password]").fill("wrong");
    await form.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Wrong password.").waitFor();
    await form.locator("input[type=password]").fill(password);
    await checkPage(browser, page);
    await form.getByRole("button", { name: "Continue" }).click();
    const row = page.locator("li", { hasText: "Phone" });
    await row.getByText("not used yet").waitFor();
    await checkPage(browser, page);
    // This device has one.
    await page.getByRole("button", { name: "Add passkey" }).click();
    await form.locator("input[type=password]").fill(password);
    await form.getByRole("button", { name: "Continue" }).click();
    await page.getByText("already has a passkey").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    await button.waitFor();
    await checkPage(browser, page);
    await button.click();
    await page.locator(".shell").waitFor();
    await page.getByRole("link", { name: "Account" }).click();
    await row.getByText("Last used").waitFor();
    await page.getByRole("button", { name: "Remove Phone" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await button.click();
    await page.getByText("This passkey doesn’t work here.").waitFor();
    expect(faults.filter((fault) => !/40[01]/.test(fault))).toEqual([]);
  });

  it("[V3-212] aren’t offered where browsers make none", async () => {
    const service = await openService();
    const page = await openPage(browser, service.address);
    await page.getByText("An administrator can send you a link").waitFor();
    expect(
      await page
        .getByRole("button", { name: "Sign in with a passkey" })
        .count(),
    ).toBe(0);
  });
});
