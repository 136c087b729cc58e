// Links of invitations and new passwords by email, sent by the real service to a real mail server.

import fs from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import { invitedV3, mailV3 } from "../../../../server/contract/v3/v3-people.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import { startMailServer } from "../../../support/content/mail-server.ts";
import { contentKey } from "../../../support/content/start-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const email = "ada@example.org";

/** As the reader sees it. */
const decoded = (text: string): string =>
  text
    .replaceAll(/=\n/g, "")
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );

eachContent(({ start }) => {
  it("[V3-199] an invitation and a new password are sent to the person alone, and neither link nor address is logged", async () => {
    const mail = await startMailServer();
    const dir = await temporaryFolder();
    const log = createLog({ dir, toStandardOutput: false });
    const content = await start({
      ...{ log, smtpUrl: `smtp://127.0.0.1:${mail.port}` },
      smtpFrom: "Signage <signage@example.org>",
    });
    const client = clientV3(content.address, contentKey);
    const canSend = mailV3.parse(await client.get("/mail/")).can_send;
    expect(canSend).toBe(true);

    const invited = invitedV3.parse(
      await client.make("/invitations/", {
        ...{ email, role: "editor", send_email: true },
      }),
    );
    expect(invited.email).toMatchObject({ is_sent: true });
    const invitation = await mail.nextMail();
    expect(invitation.to).toEqual([email]);
    expect(invitation.text).toMatch(/^Subject: \[Vitrine\] Invitation to /m);
    expect(decoded(invitation.text)).toContain(`\n${invited.link}\n`);

    const secret = invited.link.split("#invitation=")[1] ?? "";
    const accepted = await fetch(
      `${content.address}/api/v3/invitations/accept/`,
      {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-Vitrine-Manager": "1",
        },
        body: JSON.stringify({
          secret,
          name: "Ada",
          password: "correct horse",
        }),
      },
    );
    expect(accepted.status).toBe(200);
    const [{ id }] = await client.get("/people/");
    // A mail server that rejects the address: the link is valid all the same.
    mail.rejected.set(email, 550);
    const reset = await client.call("POST", `/people/${id}/reset/`, {
      send_email: true,
    });
    const failed = invitedV3.parse(reset.json);
    expect(failed.email).toMatchObject({ is_sent: false });
    expect(failed.email?.result).toContain("No such mailbox");
    mail.rejected.clear();
    const again = invitedV3.parse(
      (await client.call("POST", `/people/${id}/reset/`, { send_email: true }))
        .json,
    );
    expect(again.email).toMatchObject({ is_sent: true });
    const sent = await mail.nextMail();
    expect(sent.text).toMatch(/^Subject: \[Vitrine\] Set a new password/m);
    expect(decoded(sent.text)).toContain(`\n${again.link}\n`);
    // Not asked for: nothing is sent.
    const silent = await client.call("POST", `/people/${id}/reset/`);
    expect(invitedV3.parse(silent.json).email).toBeUndefined();
    expect(mail.mails).toHaveLength(2);

    await content.stop();
    await log.close();
    const lines = await Promise.all(
      (await fs.readdir(dir)).map((name) =>
        fs.readFile(path.join(dir, name), "utf8"),
      ),
    );
    const logged = lines.join("\n");
    expect(logged).toContain("access.link-sent");
    expect(logged).toContain("access.link-not-sent");
    for (const { link } of [invited, failed, again])
      expect(logged).not.toContain(link.split("#invitation=")[1]);
    expect(logged).not.toContain(email);
  });

  it("[V4-415] they are in the language of the service", async () => {
    const mail = await startMailServer();
    const content = await start({
      ...{ smtpUrl: `smtp://127.0.0.1:${mail.port}`, language: "de" },
      smtpFrom: "Signage <signage@example.org>",
    });
    const client = clientV3(content.address, contentKey);
    const invited = invitedV3.parse(
      await client.make("/invitations/", {
        ...{ email, role: "editor", send_email: true },
      }),
    );
    const { text } = await mail.nextMail();
    expect(text).toMatch(/^Subject: \[Vitrine\] Einladung zu /m);
    expect(text).toMatch(/^Content-Language: de$/m);
    const body = decoded(text);
    expect(body).toContain(
      `Sie wurden zum Inhaltsdienst unter ${content.address} eingeladen.`,
    );
    expect(body).toContain(`\n${invited.link}\n`);
  });

  it("[V3-199] without a mail server, asking for an email is refused, and nothing is changed", async () => {
    const client = clientV3((await start({})).address, contentKey);
    expect(await client.get("/mail/")).toEqual({ can_send: false });
    const answer = await client.call("POST", "/invitations/", {
      ...{ email, role: "viewer", send_email: true },
    });
    expect([answer.status, answer.json]).toEqual([
      400,
      { send_email: [expect.stringContaining("no mail server")] },
    ]);
    expect(await client.get("/invitations/")).toEqual([]);
  });
});
