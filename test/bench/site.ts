// What a site of eight players downloads from its content service for one copy of the content, with three of them killed in the
// middle; and the same without sharing.

import type { Row } from "../../build/bench.ts";
import { runSite, type SiteRunOptions } from "./site/site-run.ts";

const isShort = process.env["VITRINE_BENCH_SHORT"] === "1";
const mebibyte = 1024 * 1024;
const site: SiteRunOptions = {
  ...{ players: 8, kills: 3, files: 6, isOn: true },
  fileBytes: (isShort ? 4 : 16) * mebibyte,
  // 50 Mbit/s. Faster than the processors of this PC take it in, megabytes wait in its sockets, and are lost with a player.
  wanBytesPerSecond: (isShort ? 4 : 6) * mebibyte,
  // The same contents and kills every time.
  ...{ seed: 1, deadlineMs: 600_000 },
};
const maxOfContent = 1.05;

export async function* run(): AsyncGenerator<Row> {
  const shared = await runSite(site);
  const { contentBytes, wanBytes } = shared;
  const ratio = wanBytes / contentBytes;
  const size = `${site.files} × ${site.fileBytes / mebibyte} MiB`;
  yield {
    figure: `${size} for ${site.players} players, ${site.kills} of them killed in the middle`,
    ...{ value: wanBytes / mebibyte, unit: "MiB over the WAN", ratio },
    against: contentBytes / mebibyte,
    goal: `at most ${maxOfContent} × of the content`,
    met: ratio <= maxOfContent,
  };
  yield {
    figure: "files that the players not killed received from others",
    ...{ value: shared.filesFromPlayers, unit: "files" },
    ...{ against: shared.filesOfSurvivors, ratio: null, goal: null, met: null },
  };
  const alone = await runSite({ ...site, isOn: false, kills: 0 });
  yield {
    figure: `${size} for ${site.players} players that don't share`,
    ...{ value: alone.wanBytes / mebibyte, unit: "MiB over the WAN" },
    against: contentBytes / mebibyte,
    ratio: alone.wanBytes / alone.contentBytes,
    ...{ goal: null, met: null },
  };
  yield {
    figure:
      "until every player has everything, beside players that don't share",
    ...{ value: shared.seconds, unit: "s", against: alone.seconds },
    ...{ ratio: shared.seconds / alone.seconds, goal: null, met: null },
  };
}
