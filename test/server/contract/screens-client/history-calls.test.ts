// Requests of the manager about outages and playbacks: their queries, rows of later services, and services without them.

import { expect, it } from "vitest";
import { screenHistoryCalls } from "../../../../server/contract/screens-client/history-calls.ts";
import type { ScreenService } from "../../../../server/contract/screens-client/screen-service.ts";
import { Failure } from "../../../../server/contract/ipc/ipc.ts";

function callsOn(respond: (path: string) => unknown) {
  const paths: string[] = [];
  const service = {
    request: async (_method: string, path: string) => {
      paths.push(path);
      return respond(path);
    },
  } as unknown as ScreenService;
  return { calls: screenHistoryCalls(() => service), paths };
}

const outage = {
  ...{ id: "O", screen_id: "S", screen_name: "Lobby", state: "offline" },
  ...{ reason: "", cause: "network", started_at: "2026-05-01T10:00:00Z" },
  ...{ ended_at: null, duration_seconds: null },
};
const asked = {
  ...{ serviceId: "hosted", labelId: null },
  since: "2026-05-01T00:00:00.000Z",
};

it("leaves out rows it cannot read, and takes a cause it does not know as unknown", async () => {
  const { calls, paths } = callsOn(() => [
    ...[{ ...outage, cause: "flood" }, { ...outage, state: "molten" }, 5],
  ]);
  expect(await calls.listScreenOutages({ ...asked, limit: 10 })).toEqual([
    { ...outage, cause: "unknown" },
  ]);
  expect(paths).toEqual([
    "/screens/outages/?since=2026-05-01T00%3A00%3A00.000Z&limit=10&offset=0",
  ]);
});

it("requests a report by several at once, of one label", async () => {
  const row = { day: "2026-05-01", playbacks: 1, duration_seconds: 10 };
  const { calls, paths } = callsOn(() => [row]);
  const report = await calls.readPlaybackReport({
    ...{ serviceId: "hosted", labelId: "L", by: ["day", "asset"] },
    ...{ from: "2026-05-01", to: "2026-05-31" },
  });
  expect(report).toEqual([row]);
  expect(paths).toEqual([
    "/playbacks/report?from=2026-05-01&to=2026-05-31&by=day&by=asset&group=L",
  ]);
});

it("reports that a service has no such report, and passes on any other failure", async () => {
  const failing = (failure: Failure) =>
    callsOn(() => {
      throw failure;
    }).calls.readOutageTotals({ ...asked, by: "screen", timezone: "UTC" });
  await expect(failing(new Failure("not-found", "Not found."))).rejects.toThrow(
    "This content service does not keep this report.",
  );
  await expect(
    failing(new Failure("unavailable", "Out of order.")),
  ).rejects.toThrow("Out of order.");
});
