// A mail server over loopback: accepts or rejects as the test specifies, and keeps what it received.

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { vi } from "vitest";
import { afterThisTest } from "../after-this-test.ts";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  /** With its headers, lines ended by LF. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** The next mail that this has not returned yet. */
  nextMail(): Promise<ReceivedMail>;
  /** Recipients that are rejected with this status. */
  readonly rejected: Map<string, number>;
  readonly signIns: { readonly user: string; readonly password: string }[];
}

export const mailUser = { user: "vitrine", password: "word of the mailbox" };

/** Closed with the test. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const rejected = new Map<string, number>();
  const signIns: { user: string; password: string }[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"] },
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const user = username ?? "";
      signIns.push({ user, password: password ?? "" });
      if (password === mailUser.password) done(null, { user });
      else done(new Error("Invalid user name or password"));
    },
    onRcptTo: ({ address }, _session, done) => {
      const status = rejected.get(address);
      if (status === undefined) done();
      else
        done(
          Object.assign(new Error("No such mailbox"), { responseCode: status }),
        );
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          to: rcptTo.map(({ address }) => address),
          from: (mailFrom || null)?.address ?? "",
          text: Buffer.concat(chunks).toString().replaceAll("\r\n", "\n"),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(
    () => new Promise<void>((resolve) => server.close(() => resolve())),
  );
  const { port } = server.server.address() as AddressInfo;
  let returned = 0;
  return {
    ...{ port, mails, rejected, signIns },
    nextMail: async () => {
      const next = await vi.waitUntil(() => mails[returned]);
      returned += 1;
      return next;
    },
  };
}
