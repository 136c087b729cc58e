// API v2: regressions that fuzzing once found; the fuzz tests themselves are test/long/hostile.test.ts.

import { describe, it } from "vitest";
import { startFuzzedPlayer } from "../../../support/fuzz/fuzzed-player.ts";
import type { HostileRequest } from "../../../support/fuzz/request.ts";
import { picture } from "../../../support/media/media.ts";

/** An upload of one valid image, except for what surrounds it. */
function upload(
  before: string,
  after: string,
  framing: HostileRequest["framing"],
): HostileRequest {
  const head =
    '--x\r\nContent-Disposition: form-data; name="file_upload"; filename="a.png"\r\n\r\n';
  return {
    ...{ method: "POST", target: "/api/v2/file_asset", framing },
    headers: [["Content-Type", "multipart/form-data; boundary=x"]],
    body: Buffer.concat([
      Buffer.from(before + head),
      picture([1, 2, 3], 4, 4),
      Buffer.from(after),
    ]),
  };
}

describe("[V2-93] regressions found by fuzzing", () => {
  it("rejects a file after a malformed part", async () => {
    const player = await startFuzzedPlayer();
    const broken = "--x\r\nX: \0\r\n\r\n\r\n";
    await player.assertWithstands([upload(broken, "\r\n--x--\r\n", "length")]);
    await player.assertWithstands([upload(broken, "\r\n", "length")]);
  });

  it("ignores a request whose body breaks off in the middle", async () => {
    const player = await startFuzzedPlayer();
    for (const [method, target] of [
      ["POST", "/api/v2/backup"],
      ["DELETE", "/api/v2/assets/KNOWN"],
    ] as const)
      await player.assertWithstands([
        { method, target, headers: [], body: Buffer.from("{"), framing: "lie" },
      ]);
  });

  it("stores no upload whose body never ended", async () => {
    const player = await startFuzzedPlayer();
    await player.assertWithstands([upload("", "\r\n--x--\r\n", "lie")]);
  });
});
