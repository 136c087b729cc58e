// Ways to sign in to a content service beside the password, in a real Chromium at a real service and a real mail server.

import type { Page } from "playwright";
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
