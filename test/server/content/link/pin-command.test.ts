// Requesting a PIN on the command line: over a real socket, from the real service.

import { describe, expect, it } from "vitest";
import {
  requestPin,
  baseFrom,
} from "../../../../server/content/pin-command.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  contentKey,
  runContent,
  startContent,
} from "../../../support/content/start-content.ts";
import { serveWeb } from "../../../support/http/web-server.ts";

describe("the command line", () => {
  it("[L-1] waits at a service as a player does, and prints its PIN alone on a line", async () => {
    const content = await startContent(await temporaryFolder());
    const client = clientV3(content.address, contentKey);
    const { code, output } = await runContent(
      ...["pin", "--url", `${content.address}/`],
    );
    expect([code, output]).toEqual([
      ...[0, expect.stringMatching(/^[A-Z2-9]{6}\n$/) as string],
    ]);
    const fields = { pin: output.trim(), name: "Lobby" };
    expect(await client.make("/screens/", fields)).toMatchObject({
      ...{ name: "Lobby", status: "Offline" },
    });
  });

  it("[L-1] prints a message when there is no PIN", async () => {
    await expect(requestPin("http://127.0.0.1:9")).rejects.toThrow(
      "Nothing responds at http://127.0.0.1:9.",
    );
    const web = await serveWeb({});
    await expect(requestPin(web.address)).rejects.toThrow("It answered 404.");
    const bases = [
      ...[["--url", "http://a/api/"], ["--url=https://a"], ["--url"]],
      ...[["--url", "ftp://a"], ["--url", "http://a", "more"], []],
    ].map(baseFrom);
    expect(bases).toEqual([
      ...["http://a/api", "https://a", null, null, null, null],
    ]);
  });
});
