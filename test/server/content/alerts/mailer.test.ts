// Alerts by email, with a mail server that accepts the connection and never responds.

import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { DeliveryError } from "../../../../server/content/alerts/delivery-error.ts";
import { createMailer } from "../../../../server/content/alerts/mailer.ts";

it("[V3-156] a service that is stopped does not wait for a silent mail server", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    smtpFrom: "vitrine@example.org",
    language: "en",
  });
  const stopping = new AbortController();
  const sending = mailer?.send("a@example.org", mail, stopping.signal);
  const outcome = expect(sending).rejects.toThrow(
    new DeliveryError("The service is stopping."),
  );
  await once(server, "connection");
  stopping.abort();
  await outcome;
});

const mail = { id: "0123", subject: "Test", text: "Test" };
